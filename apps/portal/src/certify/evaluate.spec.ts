import { describe, expect, it } from '@jest/globals';
import { evaluate } from './evaluate.js';
import type { Finding } from './finding.js';
import type { OwnLog } from './own-log.js';
import { examples } from './testing/examples.js';
import { call, logOf, notification, pay, readAfter, status } from './testing/logs.js';

const entries = Object.entries(examples);
const failing = entries.flatMap(([id, { failed }]) =>
  failed === undefined ? [] : ([[id, failed]] as const),
);
const findingOf = (id: string, log: OwnLog): Finding => {
  const found = evaluate(log).find(({ situation }) => situation.id === id);
  if (found === undefined) throw new Error(`no situation ${id}`);
  return found.finding;
};
const without = (log: OwnLog, { requestIds, notificationIds }: Finding): OwnLog => ({
  ...log,
  calls: log.calls.filter(({ requestId }) => !requestIds.includes(requestId)),
  notifications: log.notifications.filter(({ notificationId }) => !notificationIds.includes(notificationId)),
});

describe('what a log shows about the situations of Certify', () => {
  it('knows forty situations, and each has an example', () => {
    const ids = evaluate(logOf({})).map(({ situation }) => situation.id);
    expect(new Set(ids).size).toBe(40);
    expect(ids.toSorted()).toEqual(Object.keys(examples).toSorted());
  });

  it('leaves every situation open without calls and notifications', () => {
    expect(evaluate(logOf({})).filter(({ finding }) => finding.result !== 'open')).toEqual([]);
  });

  it.each(entries)('shows %s, with evidence', (id, { shown }) => {
    const finding = findingOf(id, shown);
    expect(finding.result).toBe('shown');
    expect(finding.requestIds.length + finding.notificationIds.length).toBeGreaterThan(0);
  });

  it.each(failing)('finds that %s fails, with evidence and what was seen', (id, failed) => {
    const finding = findingOf(id, failed);
    expect(finding.result).toBe('failed');
    expect(finding.seen).toMatch(/\.$/);
    expect(finding.requestIds.length + finding.notificationIds.length).toBeGreaterThan(0);
  });

  it.each(entries)('does not show %s by a log without its evidence', (id, { shown }) => {
    expect(findingOf(id, without(shown, findingOf(id, shown))).result).not.toBe('shown');
  });

  it('finds the same in any order of the log', () => {
    for (const [id, { shown, failed = shown }] of entries)
      for (const log of [shown, failed])
        expect(findingOf(id, { ...log, calls: log.calls.toReversed() })).toEqual(findingOf(id, log));
  });

  it.each(['unavailable', 'read-unavailable', 'token-expired', 'expired', 'cancelled-late'])(
    'leaves %s open while the application still has time',
    (id) => {
      const log = examples[id]?.failed ?? logOf({});
      expect(findingOf(id, readAfter(log, 30)).result).toBe('open');
    },
  );

  it('counts the newest evidence after a repetition', () => {
    const wrong = [pay({ status: 503 }), pay({ key: 'other', at: 1 })];
    const right = [pay({ status: 503, key: 'b', at: 100 }), pay({ key: 'b', at: 101 })];
    const body = { amount: 2 };
    const repeated = right.map((one) => ({
      ...one,
      request: one.request && { ...one.request, body: JSON.stringify(body) },
    }));
    expect(findingOf('unavailable', logOf({ calls: wrong })).result).toBe('failed');
    expect(findingOf('unavailable', logOf({ calls: [...wrong, ...repeated] })).result).toBe('shown');
  });

  it('ignores a forgery when it looks for accepted and repeated notifications', () => {
    const log = logOf({ notifications: [notification(['forged HTTP 204', 'forged HTTP 204'])] });
    expect(findingOf('push-accepted', log).result).toBe('open');
    expect(findingOf('push-repeated', log).result).toBe('open');
  });

  it('survives calls whose contents were not kept', () => {
    const { request: _request, response: _response, ...bare } = call({ operation: 'readPaymentStatus' });
    expect(findingOf('settled', logOf({ calls: [bare] })).result).toBe('open');
    const { request: _sent, ...unknown } = pay({ key: null });
    expect(findingOf('own-key', logOf({ calls: [unknown] })).result).toBe('open');
    expect(findingOf('settled', logOf({ calls: [bare, status('ACSC', { at: 1 })] })).result).toBe('shown');
  });
});
