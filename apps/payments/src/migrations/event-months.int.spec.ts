import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { runMigrations } from '@xs2a/migrations/run-migrations';
import { type FreshDatabase, freshDatabase } from '@xs2a/migrations/testing/fresh-database';
import { newId } from '@xs2a/runtime/ids';
import { migrations, schema } from './index.js';

let database: FreshDatabase;
const migrate = async (): Promise<string[]> => runMigrations({ url: database.ownerUrl, schema, migrations });
beforeAll(async () => {
  database = await freshDatabase(schema);
  await migrate();
}, 60_000);
afterAll(async () => database.close());

/** A UUIDv7 of that month (YYYY_MM). */
const idOf = (month: string): string => {
  const time = Date.parse(`${month.replace('_', '-')}-15T00:00:00.000Z`)
    .toString(16)
    .padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}${newId().slice(13)}`;
};
/** The months that have a partition, in order. */
const months = async (): Promise<string[]> => {
  const { rows } = await database.owner.query<{ name: string }>(
    `SELECT relname AS name FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid
     WHERE inhparent = 'payments.events'::regclass ORDER BY relname`,
  );
  return rows.map(({ name }) => name.replace('events_', '')).filter((name) => name !== 'default');
};
/** Appends an event with the rights of the service, and returns the partition that it is in. */
const partitionOf = async (streamId: string): Promise<string | undefined> => {
  const { rows } = await database.pool.query<{ partition: string }>(
    `INSERT INTO events (stream_id, version, event_id, type, schema_version, data, meta, occurred_at, prev_hash, hash)
     VALUES ($1, 1, gen_random_uuid(), 'initiated', 1, '{}', '{}', now(), '', '') RETURNING tableoid::regclass::text AS partition`,
    [streamId],
  );
  return rows[0]?.partition;
};

describe('events in a partition for each month (architecture, Event store)', () => {
  it('are in the partition of the month in which their stream began; ids without a time are in the default one', async () => {
    const [present = '', next = ''] = await months();
    expect(await partitionOf(idOf(present))).toBe(`events_${present}`);
    expect(await partitionOf(idOf(next))).toBe(`events_${next}`);
    expect(await partitionOf(crypto.randomUUID())).toBe('events_default');
  });

  it('have their partitions created in advance by every run of the migration job, even if no migration is pending', async () => {
    const made = await months();
    // This month and six more.
    expect(made).toHaveLength(7);
    await database.owner.query(
      made
        .slice(-2)
        .map((month) => `DROP TABLE events_${month}`)
        .join(';'),
    );
    expect(await migrate()).toEqual([]);
    expect(await months()).toEqual(made);
  });

  it('stay in the default partition if they were stored before the partition for their month existed, and the job warns about it', async () => {
    const last = (await months()).at(-1) ?? '';
    await database.owner.query(`DROP TABLE events_${last}`);
    expect(await partitionOf(idOf(last))).toBe('events_default');
    const warned = jest.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
    try {
      await migrate();
      // The session of the job before may still be ending.
      const warnings = warned.mock.calls.flat().filter((text) => !String(text).startsWith('another job'));
      expect(warnings).toEqual([
        `payments.events_${last} was not made: its events are in the default partition already, and stay there`,
      ]);
    } finally {
      warned.mockRestore();
    }
  });

  it('can be read or changed by the service only through the partitioned table', async () => {
    const [present = ''] = await months();
    for (const statement of [
      `SELECT FROM events_${present}`,
      `INSERT INTO events_${present} SELECT * FROM events`,
      'DELETE FROM events_default',
      `ALTER TABLE events DETACH PARTITION events_${present}`,
      'CREATE TABLE more PARTITION OF events DEFAULT',
    ])
      await expect(database.pool.query(statement)).rejects.toMatchObject({ code: '42501' });
  });
});
