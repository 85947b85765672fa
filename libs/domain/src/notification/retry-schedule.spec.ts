import { describe, expect, it } from '@jest/globals';
import { retriesEndAfterSeconds, retryAfterSeconds } from './retry-schedule.js';

/** The delays between attempts, for a receiver that never responds, until the service gives up. */
const waits = (): number[] => {
  const all: number[] = [];
  let seconds = 0;
  for (;;) {
    const wait = retryAfterSeconds(all.length + 1, seconds);
    if (wait === undefined) return all;
    all.push(wait);
    seconds += wait;
  }
};

describe('notification retries (contract 11)', () => {
  it('start after 1 s and double up to 1 h', () => {
    expect(waits().slice(0, 14)).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 3600, 3600]);
  });

  it('continue for 24 hours and then end in a dead letter', () => {
    const total = waits().reduce((sum, wait) => sum + wait, 0);
    expect(total).toBe(retriesEndAfterSeconds);
    expect(retriesEndAfterSeconds).toBe(86_400);
    expect(retryAfterSeconds(40, retriesEndAfterSeconds)).toBeUndefined();
    expect(retryAfterSeconds(40, retriesEndAfterSeconds - 1)).toBe(1);
  });
});
