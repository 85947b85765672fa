import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { PaymentEvent } from '@xs2a/domain/payment/payment-events';
import type { PaymentState } from '@xs2a/domain/payment/payment-state';
import { EventStore } from '@xs2a/event-store/streams/event-store';
import { type OldRelease, oldRelease } from '@xs2a/migrations/testing/old-release';
import { runMigrations } from '@xs2a/migrations/run-migrations';
import { createLogger } from '@xs2a/observability/logger';
import { Clock } from '@xs2a/runtime/clock';
import { testHashKeys } from '@xs2a/runtime/testing/test-master-keys';
import { newId } from '@xs2a/runtime/ids';
import { DataSource } from 'typeorm';
import { migrations, schema } from './index.js';

let old: OldRelease;
const migrate = async (upTo?: number): Promise<string[]> =>
  runMigrations({ url: old.ownerUrl, schema, migrations: migrations.slice(0, upTo) });
const rows = async (text: string, values?: unknown[]): Promise<object[]> =>
  (await old.owner.query<object>(text, values)).rows;
beforeAll(async () => {
  old = await oldRelease(schema);
}, 60_000);
afterAll(async () => old.close());

/** A UUIDv7 of that moment. */
const makeId = (iso: string): string => {
  const time = Date.parse(iso).toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}${newId().slice(13)}`;
};
const at = '2026-09-30T23:59:59.999Z';
const [september, october, noTime] = [makeId(at), makeId('2026-10-01T00:00:00.000Z'), crypto.randomUUID()];
const findPartition = async (streamId: string): Promise<object[]> =>
  rows('SELECT DISTINCT tableoid::regclass::text AS partition FROM events WHERE stream_id = $1', [streamId]);
const partitions = async (): Promise<object[]> =>
  rows(`SELECT relname AS name FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid
    WHERE inhparent = 'payments.events'::regclass ORDER BY relname`);
const store = (): EventStore<PaymentEvent, PaymentState> =>
  new EventStore<PaymentEvent, PaymentState>({
    pool: old.pool,
    resource: 'payments',
    stateVersion: 1,
    evolve: (state) => state ?? ({} as PaymentState),
    view: {
      table: 'payment_view',
      columns: { tpp_id: 'text', product: 'text', status: 'text' },
      row: () => ({ tpp_id: 'tpp', product: 'p', status: 'RCVD' }),
    },
    hashKeys: testHashKeys,
    clock: new Clock(true),
    logger: createLogger('test', 'silent'),
  });
const begin = async (streamId: string): Promise<void> => {
  const events = [{ type: 'initiated', data: {} } as unknown as PaymentEvent];
  expect(await store().append({ streamId, events, actor: 'tester' })).toBe('appended');
};

describe('events in a partition for each month (architecture, Event store)', () => {
  it('are carried over from one table, with positions, queue and the hashes that the next events name', async () => {
    await migrate(5);
    const ids = [september, october, noTime];
    for (const streamId of ids) {
      await old.storeEvents(
        streamId,
        [
          ['initiated', {}],
          ['accepted', {}],
        ],
        at,
      );
      await old.owner.query(
        `INSERT INTO payment_view (stream_id, version, state, tpp_id, product, status) VALUES ($1, 2, '{}', 'tpp', 'p', 'RCVD')`,
        [streamId],
      );
    }
    await old.owner.query(`UPDATE events SET hash = sha256(event_id::text::bytea);
      INSERT INTO log SELECT row_number() OVER (ORDER BY id), id FROM events WHERE id <= 4;
      INSERT INTO unsequenced SELECT id FROM events WHERE id > 4;`);
    const order = 'ORDER BY stream_id, version';
    const before = await rows(`SELECT event_id, stream_id, version, data::text, hash FROM events ${order}`);
    const positions = await rows(
      'SELECT pos, stream_id, version FROM log JOIN events USING (id) ORDER BY pos',
    );
    await migrate();
    const now = await rows(`SELECT event_id, stream_id, version, data::text, hash FROM events ${order}`);
    expect(now).toEqual(before);
    expect(await rows('SELECT pos, stream_id, version FROM log ORDER BY pos')).toEqual(positions);
    expect(await rows('SELECT stream_id, version FROM unsequenced ORDER BY id')).toEqual([
      { stream_id: noTime, version: 1 },
      { stream_id: noTime, version: 2 },
    ]);
    expect(await Promise.all(ids.map(findPartition))).toEqual([
      [{ partition: 'events_2026_09' }],
      [{ partition: 'events_2026_10' }],
      [{ partition: 'events_default' }],
    ]);
    expect(
      await rows(`SELECT FROM payment_view v WHERE last_hash <> (SELECT hash FROM events e
        WHERE e.stream_id = v.stream_id AND e.version = v.version)`),
    ).toEqual([]);
    const source = new DataSource({
      type: 'postgres',
      url: old.ownerUrl,
      schema,
      migrationsTableName: 'migration',
      migrations,
      extra: { options: `-c search_path=${schema}` },
    });
    await source.initialize();
    try {
      for (const name of migrations.map((one) => one.name).toReversed()) {
        await source.undoLastMigration({ transaction: 'each' });
        if (name.startsWith('EventsByMonth')) break;
      }
    } finally {
      await source.destroy();
    }
    expect(await rows(`SELECT event_id, stream_id, version, data::text, hash FROM events ${order}`)).toEqual(
      before,
    );
    expect(await rows('SELECT pos, stream_id, version FROM log JOIN events USING (id) ORDER BY pos')).toEqual(
      positions,
    );
    await migrate();
    expect(await rows(`SELECT event_id, stream_id, version, data::text, hash FROM events ${order}`)).toEqual(
      before,
    );
  }, 30_000);

  it('find their partition made ahead by every run of the migration job, also when no migration is pending', async () => {
    const made = await partitions();
    const [gone, other] = made.slice(-3) as { name: string }[];
    await old.owner.query(`DROP TABLE ${gone?.name}; DROP TABLE ${other?.name}`);
    expect(await migrate()).toEqual([]);
    expect(await partitions()).toEqual(made);
    // September, October, this month and those ahead of it, and the default one.
    expect(made.length).toBeGreaterThanOrEqual(2 + 1 + 3 + 1);
  });

  it('stay in the default partition when they came before their month was made; the job says so', async () => {
    const { name } = (await partitions()).at(-2) as { name: string };
    await old.owner.query(`DROP TABLE ${name}`);
    const [, year = '', month = ''] = /(\d+)_(\d+)$/.exec(name) ?? [];
    const streamId = makeId(`${year}-${month}-15T00:00:00.000Z`);
    await begin(streamId);
    const warned = jest.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
    try {
      await migrate();
      expect(warned.mock.calls.flat()).toEqual([
        `payments.${name} was not made: its events are in the default partition already, and stay there`,
      ]);
    } finally {
      warned.mockRestore();
    }
    expect(await findPartition(streamId)).toEqual([{ partition: 'events_default' }]);
  });

  it('cannot be reached or changed by the service past the table', async () => {
    for (const statement of [
      'SELECT FROM events_2026_09',
      'INSERT INTO events_2026_09 SELECT * FROM events',
      'DELETE FROM events_default',
      'ALTER TABLE events DETACH PARTITION events_2026_09',
      'CREATE TABLE more PARTITION OF events DEFAULT',
    ])
      await expect(old.pool.query(statement)).rejects.toMatchObject({ code: '42501' });
  });
});
