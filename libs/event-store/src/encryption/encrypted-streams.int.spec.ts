import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventType } from '@xs2a/events/event-types';
import { eventTypesOf, fieldsOf } from '@xs2a/events/field-tables';
import { Clock } from '@xs2a/runtime/clock';
import { newId } from '@xs2a/runtime/ids';
import { parseMasterKeys } from '@xs2a/runtime/master-keys';
import { testHashKeys, testMasterKeys } from '@xs2a/runtime/testing/test-master-keys';
import { createCipheriv } from 'node:crypto';
import type { Pool } from 'pg';
import { inlineViewDifferences, rebuildInlineView } from '../projections/inline-view-rebuild.js';
import { EventStore, type EventStoreOptions } from '../streams/event-store.js';
import { firstBrokenVersion } from '../streams/hash-chain.js';
import type { StateRow } from '../streams/view-state.js';
import { streamKeyOf } from './stream-keys.js';
import {
  type SampleDatabase,
  silent,
  startSampleDatabase,
  sampleRefusals,
} from '../testing/sample-stream.js';

interface Named {
  readonly type: 'named';
  readonly data: { readonly by: number; readonly note: string };
}
interface State {
  readonly total: number;
  readonly note: string;
}

const eventTypes = eventTypesOf<Named>({
  named: { meaning: 'A name was given.', fields: { by: 'plain', note: 'personal' } },
});
const ofState = fieldsOf<State>({ total: 'plain', note: 'personal' });
const canary = 'CANARY-Пенка';

let database: SampleDatabase;
let pool: Pool;
let store: EventStore<Named, State>;

const makeStore = (
  changes: Partial<EventStoreOptions<Named, State, string>> = {},
): EventStore<Named, State> =>
  new EventStore<Named, State>({
    pool,
    refusals: sampleRefusals,
    evolve: (state, { data }) => ({ total: (state?.total ?? 0) + data.by, note: data.note }),
    stateVersion: 1,
    view: {
      table: 'sample_view',
      columns: { total: 'bigint', note: 'text' },
      personalColumns: ['note'],
      row: ({ total, note }) => ({ total, note }),
    },
    eventTypes,
    personalData: { masterKeys: testMasterKeys, ofState },
    hashKeys: testHashKeys,
    clock: new Clock(true),
    logger: silent,
    ...changes,
  });

const named = (by: number, note = canary): Named => ({ type: 'named', data: { by, note } });
const begin = async (): Promise<string> => {
  const streamId = newId();
  expect(await store.append({ streamId, events: [named(1), named(2)], actor: 'tester' })).toBe('appended');
  return streamId;
};
const keyRow = async (streamId: string): Promise<Record<string, unknown>> => {
  const [row] = await database.sql('SELECT * FROM payments.stream_key WHERE stream_id = $1', [streamId]);
  if (row === undefined) throw new Error(`${streamId} has no key`);
  return row;
};
const eraseAll = async (streamIds: readonly string[]): Promise<void> => {
  for (const table of ['sample_view', 'events', 'log', 'unsequenced'])
    await database.sql(`DELETE FROM payments.${table} WHERE stream_id = ANY($1::uuid[])`, [streamIds]);
};
const forget = async (streamId: string): Promise<void> => {
  await database.sql('DELETE FROM payments.sample_view WHERE stream_id = $1', [streamId]);
  await database.sql(
    'UPDATE payments.stream_key SET wrapped = NULL, master_key = NULL WHERE stream_id = $1',
    [streamId],
  );
};

beforeAll(async () => {
  database = await startSampleDatabase();
  pool = database.pool();
  store = makeStore();
});
afterAll(async () => database.stop());

describe('a stream with personal data (docs/how-to/erasure.md)', () => {
  it('is stored encrypted, is hashed in its stored form, and is read back unchanged', async () => {
    const streamId = await begin();
    expect(await store.load(streamId)).toMatchObject({ state: { total: 3, note: canary }, version: 2 });
    const history = await store.history(streamId);
    expect(history.map(({ data }) => data)).toEqual([
      { by: 1, personal: expect.any(String) },
      { by: 2, personal: expect.any(String) },
    ]);
    expect(firstBrokenVersion(history)).toBeUndefined();
    const [row] = await database.sql('SELECT state::text FROM payments.sample_view WHERE stream_id = $1', [
      streamId,
    ]);
    expect(JSON.stringify([row, history])).not.toContain(canary);
  });

  it('has one key, with which its later events are encrypted too', async () => {
    const streamId = await begin();
    await store.change(streamId, () => ({ events: [named(3)] }), { actor: 'tester' });
    expect(await store.load(streamId)).toMatchObject({ state: { total: 6, note: canary } });
    expect(
      await database.sql('SELECT master_key, length(wrapped) FROM payments.stream_key WHERE stream_id = $1', [
        streamId,
      ]),
    ).toEqual([{ master_key: 'test', length: 40 }]);
  });

  it('gets its key with its first encrypted event if it started before encryption was introduced', async () => {
    const before = makeStore({
      personalData: undefined,
      eventTypes: { named: eventType('A name was given.') },
    });
    const streamId = newId();
    await before.append({ streamId, events: [named(1, 'plain')], actor: 'tester' });
    expect(await store.load(streamId)).toMatchObject({ state: { note: 'plain' } });
    await store.change(streamId, () => ({ events: [named(2)] }), { actor: 'tester' });
    expect(await store.load(streamId)).toMatchObject({ state: { total: 3, note: canary } });
    expect(await store.history(streamId)).toMatchObject([{ data: { note: 'plain' } }, { data: { by: 2 } }]);
  });

  it('keeps the key of the first append if two appends start the stream at once', async () => {
    const streamId = newId();
    const outcomes = await Promise.all(
      Array.from({ length: 6 }, async (_, by) =>
        makeStore().append({ streamId, events: [named(by)], actor: 'tester' }),
      ),
    );
    expect(outcomes.filter((outcome) => outcome === 'appended')).toHaveLength(1);
    expect(await store.load(streamId)).toMatchObject({ state: { note: canary } });
  });

  it('is folded again from its events if its state was stored by another release', async () => {
    const streamId = await begin();
    const next = makeStore({ stateVersion: 2 });
    expect(await next.load(streamId)).toMatchObject({ state: { total: 3, note: canary } });
  });

  it('cannot be read while its master key is missing, but does not block other streams', async () => {
    const other = parseMasterKeys(`other:${Buffer.alloc(32, 9).toString('base64')}`);
    if (other === undefined) throw new Error('no master keys');
    const streamId = await begin();
    const blind = makeStore({ personalData: { masterKeys: other, ofState } });
    await expect(blind.load(streamId)).rejects.toMatchObject({ refusal: 'not-now' });
    const results = await blind.many.change([streamId], () => ({ events: [named(1)] }), { actor: 'tester' });
    expect(results.get(streamId)).toMatchObject({ refused: 'not-now' });
  });

  it('does not prevent other streams from being read or changed if its key was wrapped by a different master key', async () => {
    const [foreign, own] = [await begin(), await begin()];
    const next = makeStore({ stateVersion: 2 });
    await database.sql(
      'ALTER TABLE payments.sample_view ADD COLUMN IF NOT EXISTS wanted boolean DEFAULT true',
    );
    await database.sql(
      `INSERT INTO payments.log (pos, stream_id, version) SELECT coalesce((SELECT max(pos) FROM payments.log), 0)
         + row_number() OVER (ORDER BY stream_id, version), stream_id, version FROM payments.events WHERE stream_id = ANY($1::uuid[])`,
      [[foreign, own]],
    );
    const other = parseMasterKeys(`other:${Buffer.alloc(32, 9).toString('base64')}`);
    await database.sql('UPDATE payments.stream_key SET wrapped = $2 WHERE stream_id = $1', [
      foreign,
      other?.wrap(Buffer.alloc(32, 7)),
    ]);
    const { changes, unread } = await store.many.readChanges(
      { after: 0, column: 'wanted' },
      ({ pos, streamId }) => [{ pos, streamId }],
    );
    expect(changes.map(({ streamId }) => streamId)).toEqual([own, own]);
    expect(unread.map(({ streamId }) => streamId)).toEqual([foreign]);
    const { rows } = await pool.query<StateRow>(
      `SELECT stream_id, version, state, ${streamKeyOf('v')} AS stream_key FROM sample_view v
       WHERE stream_id = ANY($1::uuid[]) ORDER BY stream_id`,
      [[foreign, own]],
    );
    for (const reader of [store, next])
      expect(await reader.many.readReadableStates(rows)).toEqual([undefined, { total: 3, note: canary }]);
    await database.sql('DELETE FROM payments.stream_key WHERE stream_id = $1', [foreign]);
    expect(await inlineViewDifferences(pool, store)).toEqual([{ streamId: foreign, columns: ['key'] }]);
    await eraseAll([foreign]);
  });

  it('does not reappear if it is erased while its view is being rewritten', async () => {
    const streamId = await begin();
    await database.sql("UPDATE payments.sample_view SET note = 'changed' WHERE stream_id = $1", [streamId]);
    const client = await database.superuserPool('payments').connect();
    await client.query('BEGIN');
    await client.query('SELECT FROM sample_view WHERE stream_id = $1 FOR UPDATE', [streamId]);
    // The rebuild has read the stream with its key, and now waits for the row.
    const rebuilding = rebuildInlineView(pool, store);
    for (let waits = 0; waits === 0;)
      waits = (
        await database.sql(
          "SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%FOR UPDATE'",
        )
      ).length;
    await client.query('DELETE FROM sample_view WHERE stream_id = $1', [streamId]);
    await client.query('UPDATE stream_key SET wrapped = NULL, master_key = NULL WHERE stream_id = $1', [
      streamId,
    ]);
    await client.query('COMMIT');
    client.release();
    await rebuilding;
    expect(await database.sql('SELECT FROM payments.sample_view WHERE stream_id = $1', [streamId])).toEqual(
      [],
    );
    expect(await store.load(streamId)).toBeUndefined();
  });

  it('matches its view when compared with or without its key, and a view that differs is found and rewritten', async () => {
    await begin();
    const keyless = { folding: { ...store.folding, personalData: undefined } };
    expect(await inlineViewDifferences(pool, store)).toEqual([]);
    expect(await inlineViewDifferences(pool, keyless)).toEqual([]);
    await database.sql("UPDATE payments.sample_view SET note = 'changed', total = 99");
    expect((await inlineViewDifferences(pool, keyless))[0]?.columns).toEqual(['total']);
    expect((await inlineViewDifferences(pool, store))[0]?.columns).toEqual(['total', 'note']);
    await expect(rebuildInlineView(pool, keyless)).rejects.toThrow('master keys');
    await rebuildInlineView(pool, store);
    expect(await inlineViewDifferences(pool, store)).toEqual([]);
  });

  it('matches its view even if the same data were compressed to different bytes, but not if the data were changed', async () => {
    const streamId = await begin();
    const key = testMasterKeys.unwrap((await keyRow(streamId))['wrapped'] as Buffer);
    const storeState = async (text: string): Promise<void> => {
      const nonce = Buffer.alloc(12, 5);
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(`state ${streamId}`));
      const parts = [nonce, cipher.update(Buffer.from(`\0${text}`)), cipher.final(), cipher.getAuthTag()];
      await database.sql(
        `UPDATE payments.sample_view SET state = jsonb_set(state::jsonb, '{personal}', to_jsonb($2::text)) WHERE stream_id = $1`,
        [streamId, Buffer.concat(parts).toString('base64')],
      );
    };
    await storeState(JSON.stringify({ note: canary }));
    expect(await store.load(streamId)).toMatchObject({ state: { note: canary } });
    expect(await inlineViewDifferences(pool, store)).toEqual([]);
    await storeState(JSON.stringify({ note: 'another' }));
    expect(await inlineViewDifferences(pool, store)).toEqual([{ streamId, columns: ['state'] }]);
    await rebuildInlineView(pool, store);
    expect(await store.load(streamId)).toMatchObject({ state: { note: canary } });
  });

  it('is unknown once its key is erased: comparing and rebuilding skip it, and its hash chain stays valid', async () => {
    const [streamId, other] = [await begin(), await begin()];
    await forget(streamId);
    expect(await store.load(streamId)).toBeUndefined();
    expect(await inlineViewDifferences(pool, store)).toEqual([]);
    expect(await rebuildInlineView(pool, store)).toMatchObject({ left: [] });
    expect(await store.load(streamId)).toBeUndefined();
    expect(firstBrokenVersion(await store.history(streamId))).toBeUndefined();
    expect(await store.load(other)).toMatchObject({ state: { note: canary } });
  });
});

describe('a store of events with personal data', () => {
  it('does not start without master keys', () => {
    expect(() => makeStore({ personalData: undefined })).toThrow('needs master keys');
  });
});
