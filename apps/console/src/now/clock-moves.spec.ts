import { expect, it } from '@jest/globals';
import { Clock } from '@xs2a/runtime/clock';
import { ClockMoves } from './clock-moves.js';

const minute = 60_000;
const start = Date.parse('2026-11-27T12:00:00Z');

it('counts the bank’s time that passed by moves of the sandbox clock, and nothing else', () => {
  let realMs = start;
  const clock = new Clock(true, () => realMs);
  const moves = new ClockMoves(clock);
  moves.onApplicationBootstrap();
  expect([moves.movedWithin(0, start + minute), moves.sinceMoveMs]).toEqual([0, undefined]);
  realMs += minute;
  clock.raiseTo(10 * minute);
  realMs += minute;
  clock.raiseTo(15 * minute);
  // The bank's clock went from 12:01 to 12:11, and a minute later from 12:12 to 12:17.
  expect(moves.movedWithin(start, start + minute)).toBe(0);
  expect(moves.movedWithin(start, clock.nowMs())).toBe(15 * minute);
  expect(moves.movedWithin(start + 5 * minute, start + 13 * minute)).toBe(7 * minute);
  realMs += 5000;
  expect(moves.sinceMoveMs).toBe(5000);
  moves.onApplicationShutdown();
  clock.raiseTo(60 * minute);
  expect(moves.sinceMoveMs).toBe(5000);
});

it('takes all time before its start as moved if the clock had been moved before', () => {
  const clock = new Clock(true, () => start);
  clock.raiseTo(minute);
  const moves = new ClockMoves(clock);
  moves.onApplicationBootstrap();
  expect(moves.movedWithin(start - 10 * minute, start - 8 * minute)).toBe(2 * minute);
  expect(moves.movedWithin(start + minute, start + 5 * minute)).toBe(0);
  expect(moves.sinceMoveMs).toBeUndefined();
});
