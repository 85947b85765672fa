import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '@xs2a/runtime/ids';
import { counted, type SampleDatabase, startSampleDatabase } from '../testing/sample-stream.js';

let database: SampleDatabase;
beforeAll(async () => {
  database = await startSampleDatabase();
}, 60_000);
afterAll(async () => database.stop());

/** Returns the highest number of events that one statement stored. */
const maxEvents = async (appendBatching: boolean, note: string): Promise<unknown> => {
  const store = database.store(database.pool(), undefined, undefined, appendBatching);
  await Promise.all(
    Array.from({ length: 100 }, async () =>
      store.append({ streamId: newId(), events: [counted(1, note)], actor: 'tester' }),
    ),
  );
  const [statement] = await database.sql(
    `SELECT count(*)::int AS events FROM payments.events WHERE data ->> 'note' = $1
     GROUP BY xmin ORDER BY count(*) DESC LIMIT 1`,
    [note],
  );
  return statement?.['events'];
};

// The guarantees that apply to both modes are tested in `streams/event-store.int.spec.ts`.
describe('with-append-batching', () => {
  it('stores concurrent appends in two statements of equal size', async () => {
    expect(await maxEvents(true, 'together')).toBe(50);
  });

  it('can be disabled by configuration, so that each append has its own statement', async () => {
    expect(await maxEvents(false, 'alone')).toBe(1);
  });

  it.each([true, false])(
    'reports the types of exactly the events that were stored: %s',
    async (appendBatching) => {
      const store = database.store(database.pool(), undefined, undefined, appendBatching);
      const seen: string[] = [];
      const unsubscribe = store.onAppended((types) => seen.push(...types));
      const begin = async (streamId: string) =>
        store.append({ streamId, events: [counted(1), counted(2)], actor: 'tester' });
      const [begun, other] = [newId(), newId()];
      expect(await begin(begun)).toBe('appended');
      // The first of these builds on a stream that has events by now.
      expect(await Promise.all([begin(begun), begin(other)])).toEqual(['conflict', 'appended']);
      unsubscribe();
      await begin(newId());
      expect(seen).toEqual(Array.from({ length: 4 }, () => 'counted'));
    },
  );
});
