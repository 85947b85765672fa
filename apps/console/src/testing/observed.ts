import type { Pulse } from '@xs2a/contracts/pulse.contract';
import { serviceNames } from '@xs2a/contracts/services';
import type { InstanceState } from '@xs2a/doctor/instances';
import type { CallGroup, CallVolume } from '../calls-pages/call-groups.js';

export const at = (time: string): Date => new Date(`2026-11-27T${time}.000Z`);
const pulse = (over: Partial<Pulse> = {}): Pulse => ({
  service: 'accounts',
  instance: 'a',
  host: 'host-1',
  pid: 7,
  version: '0.1.0',
  startedAt: '2026-11-27T08:00:00.000Z',
  at: '2026-11-27T12:00:00.000Z',
  isReady: true,
  checks: { nats: 'ok' },
  degraded: [],
  memoryBytes: 60e6,
  eventLoopP99Ms: 3,
  unanswered: {},
  ...over,
});
export const running = (over: Partial<Pulse> = {}, failedChecks: readonly string[] = []): InstanceState => ({
  service: over.service ?? 'accounts',
  kind: 'running',
  pulse: pulse(over),
  failedChecks,
});
export const silent = {
  service: 'accounts',
  kind: 'silent',
  silentMs: 74_000,
  instance: {
    service: 'accounts',
    instance: 'a',
    host: 'host-1',
    pid: 7,
    lastPulseAt: '2026-11-27T11:58:46.000Z',
  },
} as const satisfies InstanceState;
export const others = serviceNames
  .filter((service) => service !== 'accounts')
  .map((service) => running({ service }));
export const group = (over: Partial<CallGroup> = {}): CallGroup => ({
  tppId: 'sandbox-tpp',
  operation: 'initiatePayment',
  status: 201,
  code: null,
  path: null,
  dependency: null,
  calls: 1,
  firstAt: at('11:59:00'),
  lastAt: at('11:59:30'),
  ...over,
});
export const volume = (groups: readonly CallGroup[], leftOut: CallVolume['leftOut'] = {}): CallVolume => ({
  groups,
  leftOut,
  p99Ms: undefined,
});
