import { expect, it } from '@jest/globals';
import type { Pulse } from '@xs2a/contracts/pulse.contract';
import type { InstanceState } from '@xs2a/doctor/instances';
import { endText } from './services-page.js';

const id = '01890a5d-ac96-774b-bcce-b302099a8057';
const known = {
  service: 'accounts',
  instance: id,
  host: 'host-1',
  pid: 7,
  lastPulseAt: '2026-11-27T12:00:00.000Z',
} as const;
const pulse: Pulse = {
  ...known,
  version: '0.1.0',
  startedAt: '2026-11-27T08:00:00.000Z',
  at: '2026-11-27T12:00:00.000Z',
  isReady: true,
  checks: {},
  degraded: [],
  memoryBytes: 60e6,
  eventLoopP99Ms: 3,
  unanswered: {},
};
const runs: InstanceState = { service: 'accounts', kind: 'running', pulse, failedChecks: [] };
const isSilent: InstanceState = { service: 'accounts', kind: 'silent', silentMs: 9000, instance: known };

it.each([
  [
    'the signal of an orderly end, and who sends it',
    { signal: 'SIGTERM' },
    [],
    /^orderly, after SIGTERM \(asked/,
  ],
  ['a signal that nobody is known to send', { signal: 'SIGUSR2' }, [], /^orderly, after SIGUSR2$/],
  ['that it runs', null, [runs], /^it runs$/],
  ['that a silent one hangs or was killed', null, [isSilent], /^it hangs, or was killed/],
  ['that one without an end that another replaced was killed', null, [], /^it was killed \(SIGKILL/],
  ['that nothing is known while nobody listened', null, undefined, /is not known now$/],
] as const)('the list of starts says %s', (_says, ended, instances, text) => {
  expect(endText({ id, ended }, instances)).toMatch(text);
});
