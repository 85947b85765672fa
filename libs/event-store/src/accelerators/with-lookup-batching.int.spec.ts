import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '@xs2a/runtime/ids';
import { createHash } from 'node:crypto';
import { counted, type SampleDatabase, startSampleDatabase } from '../testing/sample-stream.js';

let database: SampleDatabase;
beforeAll(async () => {
  database = await startSampleDatabase();
}, 60_000);
afterAll(async () => database.stop());

const record = (key: string) => ({
  tppId: 'tpp',
  path: 'POST /payments',
  key,
  hash: createHash('sha256').update(key).digest('hex'),
});

/** Looks up 100 keys at once, of which every second one was used. Returns the answers and the number of statements. */
const lookUp = async (appendBatching: boolean) => {
  const prefix = newId();
  const pool = database.pool();
  const store = database.store(pool, undefined, undefined, appendBatching);
  const keys = Array.from({ length: 100 }, (_, index) => `${prefix}-${index}`);
  for (const key of keys.filter((_, index) => index % 2 === 0))
    await store.append({
      streamId: newId(),
      events: [counted(1, key)],
      actor: 'tester',
      idempotencyRecord: { ...record(key), answer: { key } },
    });
  let statements = 0;
  const count = (): void => {
    statements += 1;
  };
  pool.on('acquire', count);
  const answers = await Promise.all(keys.map(async (key) => store.idempotencyKeys.find(record(key))));
  pool.off('acquire', count);
  return { keys, answers, statements };
};

// What a look-up finds is tested in `streams/event-store.int.spec.ts` and `idempotency-hashes.int.spec.ts`, in both modes.
describe('with-lookup-batching', () => {
  it('looks 100 keys up in two statements, and each caller gets the answer of its own key', async () => {
    const { keys, answers, statements } = await lookUp(true);
    expect(answers).toEqual(keys.map((key, index) => (index % 2 === 0 ? { replay: { key } } : undefined)));
    expect(statements).toBe(2);
  });

  it('can be disabled by configuration, so that each look-up has its own statement', async () => {
    const { keys, answers, statements } = await lookUp(false);
    expect(answers).toEqual(keys.map((key, index) => (index % 2 === 0 ? { replay: { key } } : undefined)));
    expect(statements).toBe(100);
  });
});
