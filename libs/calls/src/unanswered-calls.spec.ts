import { expect, it } from '@jest/globals';
import { UnansweredCalls } from './unanswered-calls.js';

it('counts unanswered calls by callee, and forgets each one after a minute', () => {
  let nowMs = 0;
  const calls = new UnansweredCalls(() => nowMs);
  calls.count('accounts');
  calls.count('accounts');
  nowMs = 30_000;
  calls.count('core-bank');
  expect(calls.lastMinute()).toEqual({ accounts: 2, 'core-bank': 1 });
  nowMs = 59_999;
  expect(calls.lastMinute()).toEqual({ accounts: 2, 'core-bank': 1 });
  nowMs = 60_000;
  expect(calls.lastMinute()).toEqual({ 'core-bank': 1 });
  nowMs = 90_000;
  expect(calls.lastMinute()).toEqual({});
});
