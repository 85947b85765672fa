import { describe, expect, it } from '@jest/globals';
import { Batches, settleEach } from './batches.js';

const tooSlow = Object.assign(new Error('canceling statement due to statement timeout'), { code: '57014' });

describe('due work in batches (quality, Reliability)', () => {
  it('is retried at a quarter of the batch size after each timeout, until a batch succeeds', async () => {
    const asked: number[] = [];
    const done = await new Batches(1000).next(async (limit) => {
      asked.push(limit);
      if (limit > 200) throw tooSlow;
      return limit;
    });
    expect([done, asked]).toEqual([62, [1000, 250, 62]]);
  });

  it('is completed however slow the database is, even if most batches time out', async () => {
    let due = 10_000;
    const done = await new Batches(1000).all(async (limit) => {
      if (limit > 130) throw tooSlow;
      const some = Math.min(due, limit);
      due -= some;
      return some;
    });
    expect([done, due]).toEqual([10_000, 0]);
  });

  it('fails if a single row takes too long, and immediately on any other error', async () => {
    let asked = 0;
    const failing = async (error: unknown): Promise<unknown> => {
      asked = 0;
      return new Batches(8)
        .next(async () => {
          asked += 1;
          throw error;
        })
        .catch((thrown: unknown) => thrown);
    };
    expect([await failing(tooSlow), asked]).toEqual([tooSlow, 3]);
    const away = new Error('away');
    expect([await failing(away), asked]).toEqual([away, 1]);
  });

  it('is processed for every other kind even if one kind fails', async () => {
    const done: string[] = [];
    const failed = new Error('first');
    const kinds = ['a', 'b', 'c'].map((kind) => async () => {
      if (kind === 'b') throw failed;
      done.push(kind);
    });
    await expect(settleEach(kinds)).rejects.toBe(failed);
    expect(done).toEqual(['a', 'c']);
  });
});
