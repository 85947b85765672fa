import { describe, expect, it } from '@jest/globals';
import { timeoutBefore } from './deadline.js';

describe('the timeout of a call made while another call is being handled', () => {
  it('is its own if there is no outer call, or if the outer call ends much later', () => {
    expect(timeoutBefore(undefined, 1800)).toBe(1800);
    expect(timeoutBefore(Date.now() + 10_000, 1800)).toBe(1800);
  });

  it('ends before the deadline of the outer call', () => {
    const timeoutMs = timeoutBefore(Date.now() + 1800, 1800);
    expect(timeoutMs).toBeLessThanOrEqual(1650);
    expect(timeoutMs).toBeGreaterThan(1500);
  });

  it('is at least half of its own, even if a clock is wrong', () => {
    expect(timeoutBefore(Date.now() - 3_600_000, 1800)).toBe(900);
  });
});
