import { describe, expect, it } from '@jest/globals';
import { countOf, linesOf, totalOf } from './goods.js';

describe('a cart', () => {
  it('has a line for each good of which there is at least one, in the order of the shop', () => {
    const cart = new Map([
      ['cups', 2],
      ['espresso', 1],
      ['filter', 0],
      ['unknown', 3],
    ]);
    expect(linesOf(cart).map(({ good, count }) => [good.id, count])).toEqual([
      ['espresso', 1],
      ['cups', 2],
    ]);
  });

  it('costs the sum of its lines', () => {
    const cart = new Map([
      ['cups', 2],
      ['espresso', 1],
    ]);
    expect(totalOf(linesOf(cart))).toBe('49.90');
    expect(totalOf([])).toBe('0.00');
    expect(countOf(cart)).toBe(3);
  });
});
