import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { eventType, NewerEvent, notYetWritten } from '@xs2a/events/event-types';
import { newId } from '@xs2a/runtime/ids';
import type { Pool } from 'pg';
import type { EventStore } from '../streams/event-store.js';
import { foldStored, inlineViewDifferences, rebuildInlineView } from './inline-view-rebuild.js';
import {
  counted,
  type SampleDatabase,
  type SampleEvent,
  type SampleState,
  startSampleDatabase,
} from '../testing/sample-stream.js';

let database: SampleDatabase;
let pool: Pool;
let store: EventStore<SampleEvent, SampleState>;
let ids: string[] = [];
const sql = async (text: string, values?: unknown[]) => database.sql(text, values);

beforeAll(async () => {
  database = await startSampleDatabase();
  pool = database.pool();
  store = database.store(pool);
}, 60_000);
beforeEach(async () => {
  await sql('TRUNCATE payments.events, payments.log, payments.unsequenced, payments.sample_view');
  ids = Array.from({ length: 1500 }, () => newId()).sort();
  const events = [counted(1, 'first'), counted(2), counted(3, 'last'), counted(4, 'very last')];
  await Promise.all(ids.map(async (streamId) => store.append({ streamId, events, actor: 'tester' })));
});
afterAll(async () => database.stop());

const damage = async (): Promise<void> => {
  await sql('UPDATE payments.sample_view SET total = 0 WHERE stream_id = $1', [ids[0]]);
  await sql(`UPDATE payments.sample_view SET state = '{"total": 1}', note = NULL WHERE stream_id = $1`, [
    ids[700],
  ]);
  await sql('DELETE FROM payments.sample_view WHERE stream_id = $1', [ids[1499]]);
};

describe('refolding the status view from all events (quality, invariant 5)', () => {
  it('produces the same view as the appends did, across several pages', async () => {
    expect(await inlineViewDifferences(pool, store)).toEqual([]);
  });

  it('shows every row that differs, and the columns in which it differs', async () => {
    await damage();
    await sql(
      `INSERT INTO payments.sample_view VALUES ('00000000-0000-4000-8000-000000000000', 1, '', '{}', 0)`,
    );
    expect(await inlineViewDifferences(pool, store)).toEqual([
      { streamId: ids[0], columns: ['total'] },
      { streamId: ids[700], columns: ['state', 'note'] },
      { streamId: ids[1499], columns: ['row'] },
      { streamId: '00000000-0000-4000-8000-000000000000', columns: ['row'] },
    ]);
  });

  it('reports a stream that cannot be folded, and continues', async () => {
    const strict = {
      folding: {
        ...store.folding,
        evolve: (state: SampleState | undefined, event: SampleEvent, at: string) => {
          if (event.type === 'counted' && event.data.by === 99) throw new Error('cannot happen');
          return store.folding.evolve(state, event, at);
        },
      },
    };
    await sql(`UPDATE payments.events SET data = '{"by": 99}' WHERE stream_id = $1 AND version = 2`, [
      ids[3],
    ]);
    expect(await inlineViewDifferences(pool, strict)).toEqual([{ streamId: ids[3], columns: ['events'] }]);
  });

  it('repairs only the rows that differ', async () => {
    await damage();
    expect(await rebuildInlineView(pool, store)).toEqual({ written: 3, left: [] });
    expect(await inlineViewDifferences(pool, store)).toEqual([]);
    expect(await rebuildInlineView(pool, store)).toEqual({ written: 0, left: [] });
  });

  it('reports but keeps a row without events, because it may be all that is left of a payment', async () => {
    await damage();
    await sql(
      `INSERT INTO payments.sample_view VALUES ('00000000-0000-4000-8000-000000000000', 1, '', '{}', 0)`,
    );
    const left = [{ streamId: '00000000-0000-4000-8000-000000000000', columns: ['row'] }];
    expect(await rebuildInlineView(pool, store)).toEqual({ written: 3, left });
    expect(await inlineViewDifferences(pool, store)).toEqual(left);
  });

  it('stops between two pages when aborted', async () => {
    await damage();
    const stopping = new AbortController();
    const onProgress = (): void => stopping.abort();
    await expect(
      rebuildInlineView(pool, store, { onProgress, signal: stopping.signal }),
    ).rejects.toMatchObject({
      name: 'AbortError',
    });
    // A page contains 5,000 events.
    expect((await inlineViewDifferences(pool, store)).map(({ streamId }) => streamId)).toEqual([ids[1499]]);
  });

  it('does not overwrite a row that an append has inserted in place of a missing one', async () => {
    const [id] = ids;
    await sql('DELETE FROM payments.sample_view WHERE stream_id = $1', [id]);
    const appending = await database.superuserPool('payments').connect();
    await appending.query('BEGIN');
    await appending.query(
      `INSERT INTO events (event_id, stream_id, version, type, schema_version, data, meta, occurred_at, prev_hash, hash)
       SELECT gen_random_uuid(), stream_id, 5, type, schema_version, data, meta, occurred_at, hash, hash
       FROM events WHERE stream_id = $1 AND version = 4`,
      [id],
    );
    await appending.query(
      `INSERT INTO sample_view SELECT stream_id, version, hash, '{"total":14,"note":"very last"}', 14, 'very last'
       FROM events WHERE stream_id = $1 AND version = 5`,
      [id],
    );
    const rebuilt = rebuildInlineView(pool, store);
    try {
      let waits = false;
      while (!waits) {
        const [found] = await sql(
          "SELECT count(*)::int AS waits FROM pg_stat_activity WHERE wait_event_type = 'Lock'",
        );
        waits = found?.['waits'] === 1;
      }
    } finally {
      await appending.query('COMMIT');
      appending.release();
    }
    await rebuilt;
    expect(await inlineViewDifferences(pool, store)).toEqual([]);
  }, 20_000);

  it('stays correct while events are appended', async () => {
    await sql('UPDATE payments.sample_view SET total = 0');
    const appends = (async () => {
      for (let round = 0; round < 3; round += 1) {
        await store.many.change(ids.slice(0, 300), () => ({ events: [counted(1)] }), { actor: 'tester' });
      }
    })();
    await Promise.all([rebuildInlineView(pool, store), appends]);
    expect(await inlineViewDifferences(pool, store)).toEqual([]);
  }, 20_000);

  it('reads events of an older version in the current shape, and writes the newest version', async () => {
    const eventTypes = {
      counted: eventType('It was counted up.', (data) => ({
        ...(data as object),
        note: 'was not known then',
      })),
      emptied: eventType('It begins from zero.'),
    };
    const newer = database.store(pool, undefined, eventTypes);
    const [id = ''] = ids;
    expect(foldStored(newer, await store.history(id))).toEqual({ total: 10, note: 'was not known then' });
    await newer.change(id, () => ({ events: [counted(1, 'known')] }), { actor: 'tester' });
    const history = await store.history(id);
    expect(history.map(({ schemaVersion }) => schemaVersion)).toEqual([1, 1, 1, 1, 2]);
    expect(foldStored(newer, history)).toEqual({ total: 11, note: 'known' });
  });

  it('reads a new version of an event type before that version is written, and still writes the previous one', async () => {
    const counting = eventType('It was counted up.', (data) => ({ ...(data as object), note: 'upcast' }));
    const emptied = eventType('It begins from zero.');
    const using = database.store(pool, undefined, { counted: counting, emptied });
    const expanding = database.store(pool, undefined, { counted: notYetWritten(counting), emptied });
    const old = database.store(pool, undefined, { counted: eventType('It was counted up.'), emptied });
    const streamId = newId();
    await old.append({ streamId, events: [counted(1)], actor: 'tester' });
    for (const release of [expanding, using, expanding])
      await release.change(streamId, () => ({ events: [counted(1, 'own')] }), { actor: 'tester' });
    const history = await old.history(streamId);
    expect(history.map(({ schemaVersion }) => schemaVersion)).toEqual([1, 1, 2, 1]);
    expect(foldStored(expanding, history.slice(0, 3))).toEqual({ total: 3, note: 'own' });
    expect(foldStored(using, history)).toEqual({ total: 4, note: 'upcast' });
    expect(() => foldStored(old, history)).toThrow(NewerEvent);
  });
});
