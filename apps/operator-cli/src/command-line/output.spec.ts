import { describe, expect, it } from '@jest/globals';
import { columns, progressText } from './output.js';

describe('human-readable output (docs/how-to/operate.md)', () => {
  it('aligns columns in any script, with numbers on the right', () => {
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

  it('shows the progress of a long operation: the part that is done, the rate and the time left', () => {
    expect(progressText({ done: 450_000, total: 1_000_000, perSecond: 61_000, secondsLeft: 9.016 })).toBe(
      '[#########-----------] 45 %  450,000 of 1,000,000 events  61,000/s  9 s left',
    );
  });

  it('omits unknown values, and accepts an empty log', () => {
    expect(progressText({ done: 0, total: 0, perSecond: Number.NaN, secondsLeft: Number.NaN })).toBe(
      '[####################] 100 %  0 of 0 events',
    );
  });
});
