import { describe, expect, it } from '@jest/globals';
import type { Pulse } from '@xs2a/contracts/pulse.contract';
import { serviceNames } from '@xs2a/contracts/services';
import type { KnownInstance } from '@xs2a/doctor/instances';
import { reportInstances } from './services.js';

const now = '2026-11-27T12:00:00.000Z';
const restart = (service: string): string => `restart ${service}`;
const pulse = (over: Partial<Pulse> = {}): Pulse => ({
  service: 'accounts',
  instance: 'a',
  host: 'host-1',
  pid: 7,
  version: '0.1.0',
  startedAt: '2026-11-27T08:58:00.000Z',
  at: now,
  isReady: true,
  checks: { nats: 'ok', postgres: 'ok' },
  degraded: [],
  memoryBytes: 141e6,
  eventLoopP99Ms: 12.4,
  pool: { open: 10, waiting: 0 },
  unanswered: {},
  ...over,
});
const known = (over: Partial<KnownInstance> = {}): KnownInstance => ({
  service: 'accounts',
  instance: 'a',
  host: 'host-1',
  pid: 7,
  lastPulseAt: '2026-11-27T11:59:48.800Z',
  ...over,
});
/** The lines about accounts; every other service runs. */
const report = (heard: readonly Pulse[], seen: readonly KnownInstance[]) => {
  const others = serviceNames
    .filter((service) => service !== 'accounts')
    .map((service) => pulse({ service, instance: service }));
  const reports = reportInstances([...others, ...heard], seen, { nowMs: Date.parse(now), restart });
  return reports.filter(({ service }) => service === 'accounts').map(({ outcome }) => outcome);
};

describe('the lines of doctor about the processes of a service', () => {
  it('describe a process that is ready', () => {
    expect(report([pulse()], [known()])).toEqual([
      {
        ok: true,
        text: 'host-1, pid 7, version 0.1.0, up 3 h 2 min, 141 MB, event loop p99 12 ms',
      },
    ]);
  });

  it('add whom the process cannot reach, what it waits for, and where it is behind', () => {
    const troubled = pulse({
      unanswered: { payments: 12 },
      pool: { open: 10, waiting: 4 },
      degraded: ['relay: no instance publishes'],
    });
    expect(report([troubled], [])[0]?.text).toMatch(
      /, 4 statements waiting for one of 10 connections, 12 calls to payments without a reply in the last minute, relay: no instance publishes$/,
    );
  });

  it('fail if a process is not ready, and list the checks that failed', () => {
    const checks = { nats: 'ok', postgres: 'down' };
    expect(report([pulse({ isReady: false, checks })], [])).toEqual([
      { ok: false, text: 'host-1, pid 7, is not ready: postgres: down', repair: 'restart accounts' },
    ]);
    expect(report([pulse({ isReady: false })], [])[0]?.text).toBe('host-1, pid 7, is not ready: starting');
  });

  it('fail if a known process sends no pulse, even if another one of its service does', () => {
    expect(report([pulse({ instance: 'b', pid: 8 })], [known()])).toEqual([
      {
        ok: false,
        text: 'does not answer: host-1, pid 7, silent since 2026-11-27T11:59:48.800Z (11.2 s)',
        repair: 'restart accounts',
      },
      expect.objectContaining({ ok: true }),
    ]);
  });

  it('do not mention a silent process once a newer one has replaced it', () => {
    const newer = pulse({ instance: 'b', pid: 8, startedAt: '2026-11-27T11:59:50.000Z' });
    expect(report([newer], [known()])).toEqual([expect.objectContaining({ ok: true })]);
  });

  it('fail if no process of a service is known', () => {
    expect(report([], [])).toEqual([
      { ok: false, text: 'no instance is running', repair: 'restart accounts' },
    ]);
  });
});
