import { describe, expect, it } from '@jest/globals';
import { runLoad } from './load.js';

describe('load', () => {
  it('without a rate, begins the next round of a client when its previous one has ended', async () => {
    const over = new AbortController();
    const [numbers, busy, most]: [number[], Set<number>, number[]] = [[], new Set(), []];
    await runLoad(
      async (number, client) => {
        expect(busy.has(client)).toBe(false);
        numbers.push(number);
        busy.add(client);
        most.push(busy.size);
        for (let turn = 0; turn <= client; turn += 1) await Promise.resolve();
        busy.delete(client);
        if (number === 20) over.abort();
      },
      { stop: over.signal, clients: 3 },
    );
    expect(numbers).toEqual(numbers.map((_number, index) => index));
    expect([numbers.length > 20, Math.max(...most), busy.size]).toEqual([true, 3, 0]);
  });

  it('at a steady rate, begins rounds on time even if earlier rounds have not ended', async () => {
    const over = new AbortController();
    const answered = Promise.withResolvers<void>();
    const from = performance.now();
    const begun: number[] = [];
    await runLoad(
      async () => {
        begun.push(performance.now() - from);
        if (begun.length === 5) {
          over.abort();
          answered.resolve();
        }
        await answered.promise;
      },
      { stop: over.signal, clients: 100, perSecond: 200 },
    );
    expect(begun.length).toBe(5);
    for (const [number, ms] of begun.entries()) expect(ms).toBeGreaterThanOrEqual(number * 5 - 2);
  });

  it('at a steady rate, says how late a round begins while all clients are busy', async () => {
    const over = new AbortController();
    const late: number[] = [];
    const answered = Promise.withResolvers<void>();
    const running = runLoad(
      async (number, _client, lateMs) => {
        late.push(lateMs);
        if (number === 0) await answered.promise;
        else over.abort();
      },
      { stop: over.signal, perSecond: 1000 },
    );
    const from = performance.now();
    while (performance.now() - from < 30) await new Promise((resolve) => setImmediate(resolve));
    answered.resolve();
    await running;
    expect(late).toHaveLength(2);
    expect(late[1]).toBeGreaterThan(25);
  });

  it('continues after a failed round if the error is handled, and otherwise throws it', async () => {
    const over = new AbortController();
    const failed: unknown[] = [];
    const round = async (number: number): Promise<void> => {
      if (number === 2) over.abort();
      throw new Error(`round ${number}`);
    };
    await runLoad(round, { stop: over.signal, onError: (error) => void failed.push(error) });
    expect(failed.map(String)).toEqual(['Error: round 0', 'Error: round 1', 'Error: round 2']);
    await expect(runLoad(round, { stop: new AbortController().signal })).rejects.toThrow('round 0');
  });
});
