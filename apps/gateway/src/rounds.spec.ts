import { describe, expect, it } from '@jest/globals';
import { Rounds } from './rounds.js';

const asking = () => {
  const rounds: { items: readonly number[]; answer: () => void; fail: () => void }[] = [];
  const asked = new Rounds<number, string>(
    async (items) =>
      new Promise((resolve, reject) => {
        const round = rounds.length + 1;
        const answer = (): void => resolve(items.map((item) => `${item} in round ${round}`));
        rounds.push({ items, answer, fail: () => reject(new Error('away')) });
      }),
  );
  return { rounds, asked };
};
const turn = async (): Promise<void> => new Promise(setImmediate);

describe('questions that are put together', () => {
  it('are one message when they come at the same time, and each gets its own answer', async () => {
    const { rounds, asked } = asking();
    const all = [1, 2, 3].map(async (item) => asked.add(item));
    await turn();
    expect(rounds.map(({ items }) => items)).toEqual([[1, 2, 3]]);
    rounds[0]?.answer();
    expect(await Promise.all(all)).toEqual(['1 in round 1', '2 in round 1', '3 in round 1']);
  });

  it('are never answered by a round that was under way before they came', async () => {
    const { rounds, asked } = asking();
    const first = asked.add(1);
    await turn();
    const later = [1, 2].map(async (item) => asked.add(item));
    rounds[0]?.answer();
    expect(await first).toBe('1 in round 1');
    await turn();
    rounds[1]?.answer();
    expect(await Promise.all(later)).toEqual(['1 in round 2', '2 in round 2']);
  });

  it('do not wait long for a round that is silent, and a round that fails fails alone', async () => {
    const { rounds, asked } = asking();
    const silent = asked.add(1);
    await turn();
    const next = asked.add(2);
    while (rounds.length < 2) await turn();
    rounds[1]?.answer();
    expect(await next).toBe('2 in round 2');
    rounds[0]?.fail();
    await expect(silent).rejects.toThrow('away');
    const after = asked.add(3);
    await turn();
    rounds[2]?.answer();
    expect(await after).toBe('3 in round 3');
  });

  it('are at most so many in one message', async () => {
    const { rounds, asked } = asking();
    const all = Array.from({ length: 100 }, async (_none, item) => asked.add(item));
    while (rounds.length < 2) {
      await turn();
      rounds[0]?.answer();
    }
    rounds[1]?.answer();
    expect(rounds.map(({ items }) => items.length)).toEqual([64, 36]);
    expect((await Promise.all(all)).at(-1)).toBe('99 in round 2');
  });
});
