import { describe, expect, it } from '@jest/globals';
import { newId } from '@xs2a/runtime/ids';
import type { Pool } from 'pg';
import type { ConsentStore } from '../store/consent-store.js';
import { CallCounters } from './call-counters.js';
import type { CountRequest } from './count-calls.js';
import { withCountBatching } from './with-count-batching.js';

const call = (consentId = newId()): CountRequest => ({
  tppId: 'tpp',
  consentId,
  knownVersion: 1,
  counter: { consentId, endpoint: 'balances', resourceId: 'resource' },
});
const twenty = <Item>(each: () => Item): Item[] => Array.from({ length: 20 }, each);

// `access.int.spec.ts` runs the same tests with and without batching, so this file tests only the batching.
describe('with-count-batching', () => {
  const batching = (batches: (readonly CountRequest[])[]) =>
    withCountBatching({
      countTogether: async (batch) => {
        batches.push(batch);
        return batch.map(({ knownVersion: version }) => ({ version }));
      },
    });

  it('divides calls that arrive together between two statements, with half of the calls in each', async () => {
    const batches: (readonly CountRequest[])[] = [];
    const counter = batching(batches);
    await Promise.all(twenty(call).map(async (one) => counter.count(one)));
    expect(batches.map(({ length }) => length)).toEqual([10, 10]);
  });

  it('counts two calls of the same counter one at a time', async () => {
    const batches: (readonly CountRequest[])[] = [];
    const counter = batching(batches);
    const [one, other] = [call(), call()];
    await Promise.all([one, one, other].map(async (each) => counter.count(each)));
    expect(batches.flat()).toHaveLength(3);
    for (const batch of batches) expect(new Set(batch).size).toBe(batch.length);
  });

  it('can be disabled by configuration, so that each call has its own statement', async () => {
    const statements = async (COUNT_BATCHING: boolean): Promise<number> => {
      let count = 0;
      const pool = {
        query: async () => {
          count += 1;
          return { rows: [] };
        },
      };
      const store = { readableStatesOf: async () => [] };
      const counters = new CallCounters(pool as unknown as Pool, store as unknown as ConsentStore, {
        COUNT_BATCHING,
      });
      await Promise.all(twenty(call).map(async (one) => counters.count(one)));
      return count;
    };
    expect(await statements(true)).toBe(2);
    expect(await statements(false)).toBe(20);
  });
});
