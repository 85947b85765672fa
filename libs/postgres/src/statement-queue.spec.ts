import { describe, expect, it } from '@jest/globals';
import { StatementQueue, type StatementQueueOptions } from './statement-queue.js';

interface Item {
  readonly name: string;
  readonly key?: string;
}
type Outcome = string | undefined;

/** Creates a simulated database whose statements finish when the test says so. */
const world = (maxBatch = 3, more: Partial<StatementQueueOptions<Item, Outcome>> = {}) => {
  const batches: string[][] = [];
  const ends: ((outcomes?: readonly (Outcome | Error)[]) => void)[] = [];
  const failures: ((error: Error) => void)[] = [];
  const queue = new StatementQueue<Item, Outcome>({
    maxBatch,
    ...more,
    keysOf: ({ key }) => (key === undefined ? [] : [key]),
    run: async (batch) => {
      batches.push(batch.map(({ name }) => name));
      return new Promise((resolve, reject) => {
        ends.push((outcomes) => resolve(outcomes ?? batch.map(({ name }) => `did ${name}`)));
        failures.push(reject);
      });
    },
  });
  const add = async (...names: string[]) =>
    Promise.allSettled(names.map(async (name) => queue.add({ name })));
  const awaitOutcomes = async (added: ReturnType<typeof add>): Promise<Outcome[]> =>
    (await added).map((one) => (one.status === 'fulfilled' ? one.value : String(one.reason)));
  return { queue, batches, ends, failures, add, awaitOutcomes };
};
const turn = async (): Promise<void> =>
  new Promise((resolve) => {
    setImmediate(resolve);
  });

describe('items that arrive together (architecture, Event store 1)', () => {
  it('run in batches, two at a time; items that arrive while batches are running share the next one', async () => {
    const { batches, ends, add, awaitOutcomes } = world();
    const first = add('a', 'b', 'c', 'd');
    await turn();
    const second = add('e', 'f');
    await turn();
    expect(batches).toEqual([['a', 'b', 'c'], ['d']]);
    ends[1]?.();
    await turn();
    expect(batches.slice(2)).toEqual([['e', 'f']]);
    ends[0]?.();
    ends[2]?.();
    expect(await awaitOutcomes(first)).toEqual(['did a', 'did b', 'did c', 'did d']);
    expect(await awaitOutcomes(second)).toEqual(['did e', 'did f']);
  });

  it('are divided among the statements that may start, unless there are only a few', async () => {
    const { batches, ends, add } = world(10);
    void add(...'abcdefghijk');
    await turn();
    expect(batches.map(({ length }) => length)).toEqual([6, 5]);
    void add(...'lmnopqr');
    ends[0]?.();
    await turn();
    // Only one statement may start, so it receives all waiting items.
    expect(batches[2]?.join('')).toBe('lmnopqr');
    ends[1]?.();
    ends[2]?.();
    await turn();
    void add(...'stu');
    await turn();
    expect(batches.slice(3)).toEqual([['s', 't', 'u']]);
  });

  it('wait for a single statement where only one may be in flight', async () => {
    const { batches, ends, add } = world(10, { inFlight: 1 });
    void add('a');
    await turn();
    void add(...'bcdefgh');
    await turn();
    expect(batches).toEqual([['a']]);
    ends[0]?.();
    await turn();
    expect(batches[1]?.join('')).toBe('bcdefgh');
  });

  it('do not wait for a statement that takes longer than they have patience', async () => {
    const { batches, ends, add, awaitOutcomes } = world(10, { inFlight: 1, patienceMs: 5 });
    const slow = add('slow');
    await turn();
    const others = add('a');
    while (batches.length < 2) await turn();
    expect(batches).toEqual([['slow'], ['a']]);
    ends[0]?.();
    ends[1]?.();
    expect([...(await awaitOutcomes(slow)), ...(await awaitOutcomes(others))]).toEqual(['did slow', 'did a']);
  });

  it('with the same key are never in one batch: the second item waits, while items with other keys do not', async () => {
    const { queue, batches, ends } = world();
    const all = ['a', 'b', 'c'].map(async (name) =>
      queue.add({ name, key: name === 'c' ? 'other' : 'same' }),
    );
    await turn();
    expect(batches).toEqual([['a', 'c'], ['b']]);
    for (const end of ends) end();
    expect(await Promise.all(all)).toEqual(['did a', 'did b', 'did c']);
  });

  it('fail individually if the error is in an item, and together if the statement failed; the queue continues either way', async () => {
    const { ends, failures, add, awaitOutcomes } = world();
    const mixed = add('a', 'b', 'c');
    await turn();
    ends[0]?.([undefined, new Error('bad data'), 'did c']);
    expect(await awaitOutcomes(mixed)).toEqual([undefined, 'Error: bad data', 'did c']);
    const lost = add('d', 'e');
    await turn();
    failures[1]?.(new Error('connection lost'));
    expect(await awaitOutcomes(lost)).toEqual(['Error: connection lost', 'Error: connection lost']);
    const short = add('f', 'g');
    await turn();
    ends[2]?.(['did f']);
    expect(await awaitOutcomes(short)).toEqual(
      Array(2).fill('RangeError: a statement returned too few outcomes'),
    );
    const last = add('h');
    await turn();
    ends[3]?.();
    expect(await awaitOutcomes(last)).toEqual(['did h']);
  });
});
