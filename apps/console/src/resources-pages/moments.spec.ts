import { describe, expect, it } from '@jest/globals';
import { isBy, momentText, readMoment } from './moments.js';

describe('a moment in the history of a resource', () => {
  it('is a position or a time in UTC', () => {
    expect(readMoment('123')).toEqual({ position: 123 });
    expect(readMoment(' 2026-11-27 ')).toEqual({ timeMs: Date.UTC(2026, 10, 27) });
    expect(readMoment('2026-11-27 13:44')).toEqual({ timeMs: Date.UTC(2026, 10, 27, 13, 44) });
    expect(readMoment('2026-11-27T13:44:20.402Z')).toEqual({
      timeMs: Date.UTC(2026, 10, 27, 13, 44, 20, 402),
    });
    expect([readMoment(undefined), readMoment('')]).toEqual([undefined, undefined]);
  });

  it.each([
    '-1',
    '1.5',
    '9999999999999999',
    '2026-13-01',
    '2026-11-27 25:00',
    '27.11.2026',
    'now',
    ['1'],
    '1\0',
  ])('is never %j', (value) => {
    expect(() => readMoment(value)).toThrow('Bad Request');
  });

  it('is shown as it was meant', () => {
    expect(momentText({ position: 7 })).toBe('position 7');
    expect(momentText({ timeMs: Date.UTC(2026, 10, 27, 13, 44) })).toBe('2026-11-27 13:44:00.000 UTC');
  });

  it('includes its own event, and no event that has no position yet', () => {
    const event = { pos: 7, at: '2026-11-27T13:44:20.402Z' };
    expect([6, 7, 8].map((position) => isBy(event, { position }))).toEqual([false, true, true]);
    expect(isBy({ ...event, pos: null }, { position: 8 })).toBe(false);
    const timeMs = Date.parse(event.at);
    expect([-1, 0, 1].map((by) => isBy(event, { timeMs: timeMs + by }))).toEqual([false, true, true]);
  });
});
