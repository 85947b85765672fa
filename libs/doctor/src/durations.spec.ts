import { describe, expect, it } from '@jest/globals';
import { durationText } from './durations.js';

describe('the text for a duration', () => {
  it.each([
    [0, '0 ms'],
    [999.4, '999 ms'],
    [1000, '1 s'],
    [4260, '4.2 s'],
    [59_999, '59.9 s'],
    [60_000, '1 min'],
    [312_000, '5 min 12 s'],
    [3_600_000, '1 h'],
    [183_900_000, '2 d 3 h'],
    [-1500, '-1.5 s'],
  ])('for %d ms is %s', (ms, text) => {
    expect(durationText(ms)).toBe(text);
  });
});
