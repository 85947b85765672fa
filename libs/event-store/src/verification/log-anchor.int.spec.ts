import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '@xs2a/runtime/ids';
import type { PoolClient } from 'pg';
import { chainLog, logStart } from './log-anchor.js';
import { sequenceAll } from '../testing/sequence-all.js';
import { counted, type SampleDatabase, startSampleDatabase } from '../testing/sample-stream.js';

let database: SampleDatabase;
let session: PoolClient;
beforeAll(async () => {
  database = await startSampleDatabase();
  session = await database.pool('anchors').connect();
}, 60_000);
afterAll(async () => {
  session.release();
  await database.stop();
});

/** Returns the number of full scans of an event table, by this session and others. */
const wholeReads = async (): Promise<number> => {
  await session.query('SELECT pg_stat_force_next_flush()');
  const [row] = await database.sql(
    "SELECT sum(seq_scan)::int AS reads FROM pg_stat_user_tables WHERE relname LIKE 'events%'",
  );
  return Number(row?.['reads']);
};

describe('anchors of the log', () => {
  it('are computed by key look-ups, never by reading all events', async () => {
    const changes = Array.from({ length: 500 }, () => ({
      streamId: newId(),
      events: Array.from({ length: 6 }, () => counted(1)),
      actor: 'tester',
    }));
    const store = database.store(database.pool());
    await Promise.all(changes.map(async (change) => store.append(change)));
    await sequenceAll(database.pool('relay'));
    await database.sql('ANALYZE payments.events, payments.log');
    const before = await wholeReads();
    let anchors = 0;
    for await (const page of chainLog(session, logStart, 3000)) anchors += page.length;
    expect(anchors).toBe(3000);
    expect(await wholeReads()).toBe(before);
  });
});
