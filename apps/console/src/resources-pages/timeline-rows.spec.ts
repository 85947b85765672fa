import { describe, expect, it } from '@jest/globals';
import type { TimelineEvent } from '@xs2a/contracts/timeline.contract';
import type { CallEntity } from '../calls/call.entity.js';
import { toTimeline } from './timeline-rows.js';

const event = (
  pos: number,
  at: string,
  type: string,
  status: string,
  over: Partial<TimelineEvent> = {},
): TimelineEvent => ({
  pos,
  version: pos,
  at: `2026-11-27T${at}Z`,
  type,
  status,
  actor: 'psu',
  requestId: null,
  traceId: null,
  data: {},
  ...over,
});
const call = (over: Partial<CallEntity> = {}): CallEntity => ({
  at: new Date('2026-11-27T13:44:19.783Z'),
  callId: 1,
  requestId: 'eca56348-0000-4000-8000-000000000000',
  traceId: null,
  tppId: 'sandbox-tpp',
  operation: 'initiatePayment',
  status: 201,
  code: null,
  failure: null,
  path: null,
  dependency: null,
  ms: 18,
  bytes: 900,
  resourceId: null,
  ...over,
});

const initiated = event(1, '13:44:19.806', 'initiated', 'RCVD', {
  requestId: call().requestId,
  actor: 'sandbox-tpp',
});
const signed = event(2, '13:44:20.402', 'signed', 'ACCP', { data: { dueAt: '2026-11-27T13:45:20.402Z' } });
const started = event(3, '13:45:28.702', 'settlement-started', 'ACSP', { actor: 'settlement' });
const history = [initiated, signed, started];

describe('the history of a resource', () => {
  it('has the call that caused an event before it, and the others apart', () => {
    const read = call({
      callId: 2,
      requestId: 'eca56348-0000-4000-8000-000000000001',
      operation: 'getPaymentStatus',
      status: 200,
    });
    const { rows, otherCalls } = toTimeline({ events: history, calls: [read, call()] });
    expect(rows.map(({ kind, what }) => [kind, what])).toEqual([
      ['call', 'initiatePayment → 201'],
      ['event', 'initiated'],
      ['event', 'signed – due at 2026-11-27 13:45:20'],
      ['event', 'settlement started'],
    ]);
    expect(otherCalls).toEqual([read]);
  });

  it('does not take a refused repeat with the same request id for the call that caused an event', () => {
    const refused = call({ callId: 2, status: 409 });
    const { rows, otherCalls } = toTimeline({ events: [initiated], calls: [refused, call()] });
    expect(rows.map(({ what }) => what)).toEqual(['initiatePayment → 201', 'initiated']);
    expect(otherCalls).toEqual([refused]);
  });

  it('says by how much a step was late, and how the time passed', () => {
    const { rows, intervals } = toTimeline({ events: history, calls: [] });
    expect(rows.map(({ afterMs, note }) => [afterMs, note])).toEqual([
      [undefined, undefined],
      [596, undefined],
      [68_300, '8.3 s late'],
    ]);
    expect(intervals.map(({ ms, kind }) => [ms, kind])).toEqual([
      [596, 'waits'],
      [60_000, 'waits'],
      [8300, 'late'],
    ]);
    const inTime = event(3, '13:45:25.402', 'settlement-started', 'ACSP');
    expect(toTimeline({ events: [initiated, signed, inTime], calls: [] }).rows.at(-1)?.note).toBeUndefined();
  });

  it('is not late because the sandbox clock was moved, and says that it was', () => {
    const at = (movedMs: number) => {
      const movedWithin = (from: number, to: number): number => {
        expect(new Date(from).toISOString()).toBe('2026-11-27T13:45:20.402Z');
        expect(new Date(to).toISOString()).toBe('2026-11-27T13:45:28.702Z');
        return movedMs;
      };
      const { rows, intervals } = toTimeline({ events: history, calls: [], movedWithin });
      const { note, isLate } = rows.at(-1) ?? {};
      return [note, isLate, intervals.at(-1)?.kind];
    };
    expect(at(8000)).toEqual(['(due earlier: the sandbox clock was moved)', false, 'waits']);
    expect(at(1000)).toEqual(['7.3 s late', true, 'late']);
  });

  it('shows the resource as it was at a position or a time', () => {
    const at = (asOf: NonNullable<Parameters<typeof toTimeline>[0]['asOf']>) => {
      const { rows, status } = toTimeline({ events: history, calls: [], asOf });
      return [rows.length, status];
    };
    expect(at({ position: 2 })).toEqual([2, 'ACCP']);
    expect(at({ timeMs: Date.parse(initiated.at) })).toEqual([1, 'RCVD']);
    expect(at({ position: 0 })).toEqual([0, null]);
  });

  it('marks what happened between two moments, with the status before and after', () => {
    const { rows, status, statusBefore } = toTimeline({
      events: history,
      calls: [],
      since: { position: 1 },
      asOf: { position: 2 },
    });
    expect(rows.map(({ isNew }) => isNew)).toEqual([false, true]);
    expect([statusBefore, status]).toEqual(['RCVD', 'ACCP']);
  });

  it('shows the time of a call by the bank’s clock if a sandbox moved it, with the real time', () => {
    const later = event(1, '13:44:19.806', 'initiated', 'RCVD', {
      at: '2027-02-16T13:44:19.806Z',
      requestId: call().requestId,
    });
    const [row] = toTimeline({ events: [later], calls: [call()] }).rows;
    expect(row).toMatchObject({ at: later.at, where: 'gateway · 18 ms · 2026-11-27 13:44:19 real time' });
  });
});
