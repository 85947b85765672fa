import { expect, it } from '@jest/globals';
import { readRecentCounts, RecentCount, recentCount } from './recent-counts.js';

it('counts for five minutes, and forgets ten seconds at a time', () => {
  let nowMs = 0;
  const count = new RecentCount(() => nowMs);
  expect(count.get()).toBe(0);
  count.inc();
  nowMs = 9999;
  count.inc();
  nowMs = 150_000;
  count.inc();
  expect(count.get()).toBe(3);
  nowMs = 299_999;
  expect(count.get()).toBe(3);
  nowMs = 310_000;
  expect(count.get()).toBe(1);
  nowMs = 1_000_000;
  count.inc();
  expect(count.get()).toBe(1);
});

it('is read by its name with all counts of the process', () => {
  recentCount('a').inc();
  recentCount('b');
  expect(readRecentCounts()).toMatchObject({ a: 1, b: 0 });
});
