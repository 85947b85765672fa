import { describe, expect, it } from '@jest/globals';
import { carriedRatio, describeGrowth, ratioOf } from './growth.js';

const sizes = { few: 10_000, many: 1_000_000 };

describe('growth with history', () => {
  it('is extrapolated to 100 million events, assuming the same increase for every factor of ten', () => {
    // If two factors of ten add 10 %, four add 20 %.
    const one = { few: 10, many: 11 };
    expect(ratioOf(one)).toBeCloseTo(1.1);
    expect(carriedRatio(one, sizes)).toBeCloseTo(1.2);
    expect(carriedRatio({ few: 10, many: 10 }, sizes)).toBe(1);
  });

  it('is shown as a ratio, and for full scans as a duration', () => {
    const measured = { few: 10, many: 11, note: 'how it came' };
    expect(describeGrowth({ ...measured, name: 'GET status' }, sizes)).toBe(
      'GET status: 1.1×; at 100 million events 1.2× (how it came)',
    );
    expect(describeGrowth({ ...measured, many: 9, name: 'POST' }, sizes)).toBe(
      'POST: 0.9×; at 100 million events no more (how it came)',
    );
    expect(describeGrowth({ ...measured, name: 'dump', isLinear: true }, sizes)).toBe(
      'dump: 1.1× an event; 0.3 h for 100 million events (how it came)',
    );
  });
});
