import { describe, expect, it } from '@jest/globals';
import type { Pulse } from '@xs2a/contracts/pulse.contract';
import { type ServiceName, serviceNames } from '@xs2a/contracts/services';
import { statusPage } from './status-page.js';

const nowMs = Date.parse('2026-11-28T07:30:05Z');
const pulse = (service: ServiceName, more: Partial<Pulse> = {}): Pulse => ({
  service,
  instance: `${service}-1`,
  host: 'node-7.internal',
  pid: 4711,
  version: '1.2.3',
  startedAt: '2026-11-28T07:00:00Z',
  at: '2026-11-28T07:30:04Z',
  isReady: true,
  checks: {},
  degraded: [],
  memoryBytes: 1,
  eventLoopP99Ms: 1,
  unanswered: {},
  ...more,
});
const all = serviceNames.map((service) => pulse(service));
const without = (service: ServiceName, ...more: readonly Pulse[]): Pulse[] => [
  ...all.filter((one) => one.service !== service),
  ...more,
];
/** Each part of the page with what is said of it. */
const partsOf = (heard: readonly Pulse[] | undefined): Readonly<Record<string, string>> =>
  Object.fromEntries(
    [...statusPage(heard, nowMs).text.matchAll(/<b>([^<]+)<\/b>[\s\S]*?class="pill \w+">([^<]+)</g)].map(
      ([, name = '', text = '']) => [name, text],
    ),
  );

describe('the status of the interface', () => {
  it('works if each service has an instance that is ready, even if another one is not', () => {
    const heard = without('payments', pulse('payments'), pulse('payments', { isReady: false }));
    expect(new Set(Object.values(partsOf(heard)))).toEqual(new Set(['Works']));
    expect(statusPage(heard, nowMs).text).toContain('Everything works, as of 07:30:05 UTC.');
  });

  it('names the parts that need a service without an instance that is ready', () => {
    for (const heard of [without('payments'), without('payments', pulse('payments', { isReady: false }))]) {
      expect(partsOf(heard)).toMatchObject({
        Payments: 'Does not work',
        'Execution of payments': 'Does not work',
        Consents: 'Works',
      });
      expect(statusPage(heard, nowMs).text).toContain('2 of 7 parts do not work');
    }
  });

  it('says that a part is behind if all instances of a service are', () => {
    const slow = pulse('notifications', { degraded: ['410 notifications wait'] });
    expect(partsOf(without('notifications', slow))['Status push']).toBe('Works, but is behind');
    expect(partsOf([...all, slow])['Status push']).toBe('Works');
  });

  it('claims nothing before it has listened long enough', () => {
    expect(partsOf(undefined)).toEqual({});
    expect(statusPage(undefined, nowMs).text).toContain('has just started');
  });

  it('shows TPPs no host, process or text of the bank', () => {
    const { text } = statusPage([...all, pulse('auth', { degraded: ['lag of node-7'] })], nowMs);
    expect(text).not.toMatch(/node-7|4711|1\.2\.3|lag of/);
  });
});
