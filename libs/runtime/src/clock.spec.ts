import { describe, expect, it } from '@jest/globals';
import { Clock } from './clock.js';

const noon = Date.parse('2026-03-01T12:00:00.000Z');

describe('the clock', () => {
  it('runs ahead of real time by an offset that only grows', () => {
    const clock = new Clock(true, () => noon);
    clock.raiseTo(60_000);
    clock.raiseTo(30_000);
    expect(clock.now()).toBe('2026-03-01T12:01:00.000Z');
    expect(clock.offsetMs).toBe(60_000);
  });

  it('stays at real time in production, whatever messages arrive', () => {
    const clock = new Clock(false, () => noon);
    clock.raiseTo(60_000);
    expect(clock.now()).toBe('2026-03-01T12:00:00.000Z');
  });

  it('ignores an offset that is not a number of milliseconds', () => {
    const clock = new Clock(true, () => noon);
    for (const wrong of [Number.NaN, Number.POSITIVE_INFINITY, 1.5, -1]) clock.raiseTo(wrong);
    expect(clock.offsetMs).toBe(0);
  });

  it('notifies its listeners of each move, until they stop listening', () => {
    const clock = new Clock(true, () => noon);
    const seen: number[] = [];
    const stop = clock.onChange(() => seen.push(clock.offsetMs));
    clock.raiseTo(1);
    clock.raiseTo(1);
    clock.raiseTo(2);
    stop();
    clock.raiseTo(3);
    expect(seen).toEqual([1, 2]);
  });

  it('returns the date in the given time zone', () => {
    const clock = new Clock(true, () => Date.parse('2026-03-01T22:30:00.000Z'));
    expect(clock.date('Europe/Sofia')).toBe('2026-03-02');
    expect(clock.date('UTC')).toBe('2026-03-01');
    clock.raiseTo(90 * 60_000);
    expect(clock.date('Europe/Sofia')).toBe('2026-03-02');
    expect(clock.date('UTC')).toBe('2026-03-02');
  });

  it('begins a new day exactly at midnight', () => {
    let now = Date.parse('2026-03-01T21:59:59.999Z');
    const clock = new Clock(true, () => now);
    expect(clock.date('Europe/Sofia')).toBe('2026-03-01');
    now += 1;
    expect(clock.date('Europe/Sofia')).toBe('2026-03-02');
  });
});
