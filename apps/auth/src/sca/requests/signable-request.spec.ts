import { describe, expect, it } from '@jest/globals';
import { countMinutesLeft } from './signable-request.js';

describe('the time that is left for a request (contract 12)', () => {
  const left = (until: string): number | undefined =>
    countMinutesLeft(until, Date.parse('2026-11-24T12:00:00.000Z'));

  it('is in whole minutes, rounded up, and never none while the request is open', () => {
    expect(left('2026-11-24T12:14:00.001Z')).toBe(15);
    expect(left('2026-11-24T12:14:00.000Z')).toBe(14);
    expect(left('2026-11-24T12:00:00.001Z')).toBe(1);
    expect(left('2026-11-24T12:00:00.000Z')).toBe(1);
  });

  it('is not shown if it is more than an hour', () => {
    expect(left('2026-11-24T13:00:00.000Z')).toBe(60);
    expect(left('2026-11-24T13:00:00.001Z')).toBeUndefined();
  });
});
