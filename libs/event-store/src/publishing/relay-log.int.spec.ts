import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '@xs2a/runtime/ids';
import type { PoolClient } from 'pg';
import { RelayLog } from './relay-log.js';
import { counted, type SampleDatabase, startSampleDatabase } from '../testing/sample-stream.js';

let database: SampleDatabase;
let session: PoolClient;
let log: RelayLog;
beforeAll(async () => {
  database = await startSampleDatabase();
  session = await database.pool('relay').connect();
  log = await RelayLog.open(session);
}, 60_000);
afterAll(async () => {
  session.release();
  await database.stop();
});

const append = async (streams: number, perStream = 1): Promise<void> => {
  const events = Array.from({ length: perStream }, () => counted(1));
  const changes = Array.from({ length: streams }, () => ({ streamId: newId(), events, actor: 'tester' }));
  const store = database.store(database.pool());
  await Promise.all(changes.map(async (change) => store.append(change)));
};
/** The number of the queue's index entries read so far. */
const entriesRead = async (): Promise<number> => {
  await session.query('SELECT pg_stat_force_next_flush()');
  const [row] = await database.sql(
    "SELECT idx_tup_read::int AS entries FROM pg_stat_user_indexes WHERE indexrelname = 'unsequenced_pkey'",
  );
  return Number(row?.['entries']);
};
const sequenceAll = async (): Promise<{ readonly stream_id: string; readonly version: number }[]> => {
  const all = [];
  for (;;) {
    const events = await log.sequence(await log.head());
    if (events.length === 0) return all;
    all.push(...events);
  }
};

describe('the queue of events without a position (architecture, Event store 2)', () => {
  it('is scanned only from the first id at which events can still appear, even while an old snapshot is open', async () => {
    const dump = await database.pool('dump').connect();
    // The services' transaction timeout does not apply to an operator's dump.
    await dump.query('SET transaction_timeout = 0');
    await dump.query('BEGIN ISOLATION LEVEL REPEATABLE READ');
    await dump.query('SELECT count(*) FROM unsequenced');
    try {
      for (let round = 0; round < 20; round += 1) {
        await append(100, 10);
        expect(await sequenceAll()).toHaveLength(1000);
      }
      const [dead] = await database.sql('SELECT count(*)::int AS moved FROM payments.log');
      expect(dead).toEqual({ moved: 20_000 });
      const before = await entriesRead();
      await append(1);
      expect(await log.sequence(await log.head())).toHaveLength(1);
      // At most the last two batches, each read twice: once to find its last event and once to dequeue it.
      expect((await entriesRead()) - before).toBeLessThan(2500);
    } finally {
      await dump.query('ROLLBACK');
      dump.release();
    }
  }, 60_000);

  it('skips no event that was assigned a low id in a transaction that is still open, and keeps the order within each stream', async () => {
    const [late, other] = [newId(), newId()];
    const open = await database.superuserPool('payments').connect();
    await open.query('BEGIN');
    await open.query(
      `WITH stored AS (
         INSERT INTO events SELECT $1, n, gen_random_uuid(), 'counted', 1, '{}', '{"actor":"a"}', now(), '', ''
         FROM generate_series(1, 2) AS n RETURNING stream_id, version)
       INSERT INTO unsequenced (stream_id, version) SELECT stream_id, version FROM stored ORDER BY version`,
      [late],
    );
    const versions: string[] = [];
    for (let round = 0; round < 5; round += 1) {
      await append(700);
      versions.push(...(await sequenceAll()).map(({ stream_id }) => stream_id));
    }
    expect(versions).toHaveLength(3500);
    await open.query('COMMIT');
    open.release();
    await database.store(database.pool()).append({ streamId: other, events: [counted(1)], actor: 'tester' });
    const moved = (await sequenceAll()).map(({ stream_id, version }) => [stream_id, version]);
    expect(moved).toEqual([
      [late, 1],
      [late, 2],
      [other, 1],
    ]);
  }, 60_000);
});
