import { custodyTables } from '../custody.tables.js';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '@xs2a/runtime/ids';
import type pg from 'pg';
import { idIn, monthNamed } from '../testing/sample-months.js';
import { counted, type SampleDatabase, startSampleDatabase } from '@xs2a/event-store/testing/sample-stream';
import { removeLostEvents } from './remove-archived.js';

const [march, april] = [monthNamed('2026-03'), monthNamed('2026-04')];
let database: SampleDatabase;
let owner: pg.Pool;
beforeAll(async () => {
  database = await startSampleDatabase({ more: custodyTables('payments') });
  owner = database.superuserPool('payments');
}, 60_000);
afterAll(async () => database.stop());

/**
 * Records that events were lost. `released` means that an operator has made a decision about those that block
 * their stream.
 */
const lose = async (streamId: string, { holds = false, released = false, count = 1 } = {}): Promise<void> => {
  await database.sql(
    `INSERT INTO payments.lost_event (event_id, stream_id, version, pos, type, schema_version, data, actor, occurred_at, holds,
       released_at, released_by, reason)
     SELECT gen_random_uuid(), $1, n, n, 'counted', 1, '{}', 'tester', now(), $2,
       CASE WHEN $3 THEN now() END, CASE WHEN $3 THEN 'operator' END, CASE WHEN $3 THEN 'none' END
     FROM generate_series(1, $4) n`,
    [streamId, holds, released, count],
  );
};
const left = async (): Promise<unknown[]> =>
  (await database.sql('SELECT DISTINCT stream_id FROM payments.lost_event ORDER BY stream_id')).map(
    ({ stream_id: id }) => id,
  );

describe('events lost by the database (docs/how-to/retention.md)', () => {
  it('are removed with the month of their stream, unless that stream still exists or the events still await a decision', async () => {
    const [waiting, there, young] = [idIn(march), idIn(march), idIn(april)];
    await database.store(database.pool()).append({ streamId: there, events: [counted(1)], actor: 'tester' });
    await lose(idIn(march), { count: 2500 });
    await lose(idIn(march), { holds: true, released: true });
    await lose(waiting, { holds: true });
    for (const streamId of [there, young, newId()]) await lose(streamId);
    await removeLostEvents(owner, march);
    const remaining = await left();
    expect(remaining).toHaveLength(4);
    expect(remaining).toEqual(expect.arrayContaining([waiting, there, young]));
  });
});
