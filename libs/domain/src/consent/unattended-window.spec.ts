import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { addSeconds } from '../time/bank-calendar.js';
import { callLimit, unattendedCall } from './unattended-window.js';

const now = '2026-11-20T10:00:00.000Z';
const ago = (seconds: number): string => addSeconds(now, -seconds);
const day = 86_400;

describe('calls without the PSU present (spec 8)', () => {
  it.each([
    [[], 3],
    [[ago(1)], 2],
    [[ago(1), ago(2), ago(3)], 0],
    [[ago(day), ago(day + 1), ago(1)], 2],
  ])('with earlier calls at %j, can be made %d more times after the current one', (calledAt, remaining) => {
    expect(unattendedCall(calledAt, now, 4)).toEqual({ allowed: true, remaining });
  });

  it('are refused after the fourth until the oldest is 24 hours old', () => {
    const calledAt = [ago(10), ago(day - 60), ago(30), ago(20)];
    expect(unattendedCall(calledAt, now, 4)).toEqual({ allowed: false, retryAfterSeconds: 60 });
    expect(unattendedCall(calledAt, addSeconds(now, 59.5), 4)).toEqual({
      allowed: false,
      retryAfterSeconds: 1,
    });
    expect(unattendedCall(calledAt, addSeconds(now, 60), 4)).toEqual({ allowed: true, remaining: 0 });
  });

  it('never exceed the limit in any 24 hours, and are allowed again at the announced time', () => {
    const gaps = fc.array(fc.integer({ min: 0, max: day }), { maxLength: 40 });
    fc.assert(
      fc.property(gaps, fc.integer({ min: 1, max: 4 }), (steps, limit) => {
        const made: string[] = [];
        let at = now;
        for (const step of steps) {
          at = addSeconds(at, step);
          const answer = unattendedCall(made, at, limit);
          if (answer.allowed) made.push(at);
          else
            expect(unattendedCall(made, addSeconds(at, answer.retryAfterSeconds), limit).allowed).toBe(true);
        }
        made.forEach((first, index) => {
          const past = made[index + limit];
          if (past !== undefined)
            expect(Date.parse(past) - Date.parse(first)).toBeGreaterThanOrEqual(day * 1000);
        });
      }),
    );
  });

  it('are always counted; calls with the PSU present are counted only for a one-off consent, which allows one per endpoint (contract 5)', () => {
    expect(callLimit({ recurringIndicator: true, frequencyPerDay: 3 }, false)).toBe(3);
    expect(callLimit({ recurringIndicator: true, frequencyPerDay: 3 }, true)).toBeUndefined();
    expect(callLimit({ recurringIndicator: false, frequencyPerDay: 1 }, true)).toBe(1);
    expect(callLimit({ recurringIndicator: false, frequencyPerDay: 1 }, false)).toBe(1);
  });
});
