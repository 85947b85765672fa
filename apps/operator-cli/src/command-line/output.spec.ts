import { describe, expect, it } from '@jest/globals';
import { columns, progressText } from './output.js';

describe('output for people (docs/how-to/operate.md)', () => {
  it('lines columns up, numbers to the right, whatever the script', () => {
    expect(
      columns(
        ['name', 'n'],
        [
          ['плащане', 5],
          ['b', 120],
        ],
      ),
    ).toBe('name     n\nплащане    5\nb        120');
  });

  it('says how far a long work is: done, rate, time left', () => {
    expect(progressText({ done: 450_000, total: 1_000_000, perSecond: 61_000, secondsLeft: 9.016 })).toBe(
      '[#########-----------] 45 %  450,000 of 1,000,000 events  61,000/s  9 s left',
    );
  });

  it('says nothing that it does not know, and survives an empty log', () => {
    expect(progressText({ done: 0, total: 0, perSecond: Number.NaN, secondsLeft: Number.NaN })).toBe(
      '[####################] 100 %  0 of 0 events',
    );
  });
});
