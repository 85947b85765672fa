import { describe, expect, it } from '@jest/globals';
import { anchorAfter, logStart } from './log-anchor.js';
import { LogTail } from './log-tail.js';
import type { PositionedEvent } from './relay-log.js';

const event = (pos: number, type = 'counted'): PositionedEvent => ({
  pos,
  event_id: `event-${pos}`,
  stream_id: `stream-${pos}`,
  version: 1,
  type,
  schema_version: 1,
  data: `{"by":${pos}}`,
  meta: { actor: 'test' },
  occurred_at: new Date(1_000 + pos),
  hash: String(pos).padStart(64, '0'),
});
const events = (from: number, to: number): PositionedEvent[] =>
  Array.from({ length: to - from + 1 }, (_, index) => event(from + index));
const positions = (tail: LogTail, from: number, to: number): number[] | undefined =>
  tail.page(from, to, [])?.map(({ pos }) => pos);
const leading = (head: number, dataOf?: readonly string[]): LogTail => {
  const tail = new LogTail(dataOf);
  tail.begin(head);
  return tail;
};

describe('LogTail: the end of the log in the memory of the process that writes it', () => {
  it('tells a stretch that it holds whole, and no other', () => {
    const tail = leading(10);
    tail.take(events(11, 15));
    tail.take(events(16, 20));
    expect(positions(tail, 10, 20)).toEqual([11, 12, 13, 14, 15, 16, 17, 18, 19, 20]);
    expect(positions(tail, 13, 15)).toEqual([14, 15]);
    expect(positions(tail, 20, 20)).toEqual([]);
    expect(positions(tail, 9, 12)).toBeUndefined();
    expect(positions(tail, 19, 21)).toBeUndefined();
  });

  it('holds nothing while another process leads', () => {
    const tail = new LogTail();
    tail.take(events(1, 3));
    expect(positions(tail, 0, 3)).toBeUndefined();
    tail.begin(3);
    tail.take(events(4, 5));
    tail.forget();
    tail.take(events(6, 7));
    expect(positions(tail, 4, 5)).toBeUndefined();
    expect(positions(tail, 5, 7)).toBeUndefined();
  });

  it('begins anew where this process leads again, whatever it held', () => {
    const tail = leading(0);
    tail.take(events(1, 5));
    tail.begin(9);
    expect(positions(tail, 3, 5)).toBeUndefined();
    tail.take(events(10, 11));
    expect(positions(tail, 9, 11)).toEqual([10, 11]);
  });

  it('takes no position twice, and holds nothing once one is missing', () => {
    const tail = leading(2);
    tail.take(events(1, 4));
    tail.take(events(4, 5));
    expect(positions(tail, 2, 5)).toEqual([3, 4, 5]);
    tail.take(events(7, 8));
    expect(positions(tail, 2, 5)).toBeUndefined();
    expect(positions(tail, 6, 8)).toBeUndefined();
  });

  it('keeps the last 4,000 to 8,000 positions', () => {
    const tail = leading(0);
    for (let from = 1; from <= 100_000; from += 500) tail.take(events(from, from + 499));
    expect(positions(tail, 96_000, 100_000)).toHaveLength(4000);
    expect(positions(tail, 92_000, 100_000)).toBeUndefined();
  });

  it('keeps the data of the types that somebody reads, and tells no stretch to who wants other data', () => {
    const tail = leading(0, ['begun']);
    tail.take([event(1, 'begun'), event(2)]);
    expect(tail.page(0, 2, ['begun'])?.map(({ data }) => data)).toEqual(['{"by":1}', null]);
    expect(tail.page(0, 2, ['begun', 'counted'])).toBeUndefined();
    expect(tail.page(0, 2)).toBeUndefined();
  });

  it('carries the chain of anchors along from an anchor that is told', () => {
    const tail = leading(2);
    const whole = events(1, 9).reduce(anchorAfter, logStart);
    const atThree = events(1, 3).reduce(anchorAfter, logStart);
    tail.take(events(3, 6));
    expect(tail.anchor).toBeUndefined();
    tail.carryOn(atThree);
    expect(tail.anchor?.pos).toBe(6);
    tail.take(events(7, 9));
    expect(tail.anchor).toEqual(whole);
    tail.begin(9);
    expect(tail.anchor).toBeUndefined();
    tail.carryOn(whole);
    expect(tail.anchor).toEqual(whole);
  });

  it('carries no chain from an anchor behind which it lacks events, or while another process leads', () => {
    const tail = leading(5);
    tail.take(events(6, 7));
    tail.carryOn({ pos: 4, hash: 'of four' });
    expect(tail.anchor).toBeUndefined();
    const other = new LogTail();
    other.carryOn(logStart);
    expect(other.anchor).toBeUndefined();
  });

  it('tells when it begins, so that somebody starts the chain', () => {
    let begun = 0;
    const tail = new LogTail();
    tail.onBegin(() => (begun += 1));
    tail.begin(0);
    tail.begin(5);
    expect(begun).toBe(2);
  });
});
