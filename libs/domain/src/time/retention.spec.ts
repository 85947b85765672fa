import { describe, expect, it } from '@jest/globals';
import { retainedUntil, retentionIsOver } from './retention.js';

const sofia = 'Europe/Sofia';

describe('the retention period, counted from the end of the year in which a resource ended (docs/how-to/retention.md)', () => {
  it.each([
    ['on the first day of a year', '2027-01-01T00:00:00.000Z', 5, '2032-12-31'],
    ['in the middle', '2027-07-14T12:00:00.000Z', 5, '2032-12-31'],
    ['in the last second of the bank’s year', '2027-12-31T21:59:59.999Z', 5, '2032-12-31'],
    ['when the bank has the new year and UTC has not', '2027-12-31T22:00:00.000Z', 5, '2033-12-31'],
    ['on 29 February', '2028-02-29T12:00:00.000Z', 5, '2033-12-31'],
    ['with a retention of ten years', '2027-07-14T12:00:00.000Z', 10, '2037-12-31'],
  ])('after an end %s', (_, endedAt, years, expected) => {
    expect(retainedUntil(endedAt, years, sofia)).toBe(expected);
  });

  it('uses the calendar of the bank', () => {
    expect(retainedUntil('2027-12-31T23:00:00.000Z', 5, 'UTC')).toBe('2032-12-31');
    expect(retainedUntil('2028-01-01T01:00:00.000Z', 5, 'America/New_York')).toBe('2032-12-31');
  });

  it('is over once the day after its last day starts in the time zone of the bank', () => {
    expect(retentionIsOver('2032-12-31', '2032-12-31T21:59:59.999Z', sofia)).toBe(false);
    expect(retentionIsOver('2032-12-31', '2032-12-31T22:00:00.000Z', sofia)).toBe(true);
  });
});
