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

it('says when a callee last left a call unanswered and last replied, as long as it counts', () => {
  let nowMs = 0;
  const calls = new UnansweredCalls(() => nowMs);
  calls.replied('payments');
  expect(calls.lastReplies()).toEqual({});
  calls.count('accounts');
  nowMs = 2000;
  expect(calls.lastReplies()).toEqual({ accounts: { missingMs: 2000, receivedMs: undefined } });
  calls.replied('accounts');
  nowMs = 5000;
  expect(calls.lastReplies()).toEqual({ accounts: { missingMs: 5000, receivedMs: 3000 } });
  calls.count('accounts');
  expect(calls.lastReplies()).toEqual({ accounts: { missingMs: 0, receivedMs: 3000 } });
  calls.count('nats');
  calls.replied('payments');
  expect(calls.lastReplies()['nats']).toEqual({ missingMs: 0, receivedMs: 0 });
  nowMs = 66_000;
  expect(calls.lastReplies()).toEqual({});
});
