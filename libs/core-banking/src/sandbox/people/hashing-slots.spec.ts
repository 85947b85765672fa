import { describe, expect, it } from '@jest/globals';
import { HashingSlots, hashesAtOnce } from './hashing-slots.js';

describe('concurrent password hashes', () => {
  it('are limited to the number of libuv threads minus two, with a minimum of one', () => {
    expect([undefined, '4', '16', '2', '1', '0', 'many'].map(hashesAtOnce)).toEqual([2, 2, 14, 1, 1, 2, 2]);
  });

  it('never exceed the number of slots, even if some fail, and the waiting ones run in order of arrival', async () => {
    const slots = new HashingSlots(2);
    const started: number[] = [];
    let [running, max] = [0, 0];
    const work = async (at: number): Promise<void> => {
      started.push(at);
      running += 1;
      max = Math.max(max, running);
      await Promise.resolve();
      running -= 1;
      if (at % 3 === 0) throw new Error('a hash failed');
    };
    const numbers = Array.from({ length: 12 }, (_, at) => at);
    const outcomes = await Promise.allSettled(numbers.map((at) => slots.run(() => work(at))));
    expect(outcomes.filter(({ status }) => status === 'rejected')).toHaveLength(4);
    expect(max).toBe(2);
    expect(started).toEqual(numbers);
  });
});
