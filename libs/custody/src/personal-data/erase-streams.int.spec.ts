import { custodyTables } from '../custody.tables.js';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Clock } from '@xs2a/runtime/clock';
import { newId } from '@xs2a/runtime/ids';
import { testMasterKeys } from '@xs2a/runtime/testing/test-master-keys';
import type { Pool } from 'pg';
import { inlineViewDifferences } from '@xs2a/event-store/projections/inline-view-rebuild';
import type { EventStore } from '@xs2a/event-store/streams/event-store';
import { firstBrokenVersion } from '@xs2a/event-store/streams/hash-chain';
import {
  beginNamed,
  type Named,
  type NamedState,
  personsStore,
  personsView,
} from '../testing/sample-persons.js';
import { type SampleDatabase, startSampleDatabase } from '@xs2a/event-store/testing/sample-stream';
import { requestErasure, dueToErase, listRequests, recordRequest, retainedStreams } from './erasures.js';
import { eraseStreams, type ErasureOptions, readErasureStatuses } from './erase-streams.js';
import { findArchivedStreams, readTagger } from './person-tags.js';

let database: SampleDatabase;
let store: EventStore<Named, NamedState>;
let owner: Pool;

beforeAll(async () => {
  database = await startSampleDatabase({ more: custodyTables('payments') });
  store = personsStore(database.pool(), new Clock(false, () => nowMs));
  owner = database.superuserPool('payments');
});
afterAll(async () => database.stop());

const year = 2026;
/** The time at which every stream is stored, and at which it is erased unless a test sets another time. */
const nowMs = Date.parse(`${year}-06-15T12:00:00Z`);
const erasing = (more: Partial<ErasureOptions> = {}): ErasureOptions => ({
  resource: { views: [personsView], personalRows: [] },
  nowMs,
  retainedYears: 5,
  timeZone: 'UTC',
  ...more,
});
const despite = erasing({ despiteRetention: true });
const tables = [
  "idempotency_key WHERE answer->>'paymentId'",
  'sample_view WHERE stream_id::text',
  'stream_key WHERE wrapped IS NOT NULL AND stream_id::text',
];
/** Counts the stream's remaining rows: idempotency keys, view rows and usable keys. */
const left = async (streamId: string): Promise<number[]> =>
  Promise.all(
    tables.map(async (rows) =>
      Number((await database.sql(`SELECT count(*) FROM payments.${rows} = $1`, [streamId]))[0]?.['count']),
    ),
  );
const ask = async (streamIds: string[], despiteRetention = false): Promise<number> => {
  const request = await recordRequest(owner, {
    at: new Date(nowMs),
    operator: 'tester',
    act: 'erase',
    asked: ['1'],
    streams: streamIds.length,
    reason: 'test',
    despiteRetention,
  });
  await requestErasure(owner, streamIds, request);
  return request;
};

/** Returns the streams due at the start of the year, read one stream at a time. */
const due = async (): Promise<string[]> => {
  const streamIds: string[] = [];
  for await (const page of dueToErase(owner, { today: `${year}-01-01`, limit: 1 })) streamIds.push(...page);
  return streamIds;
};

describe('a stream to be erased', () => {
  it('is kept until it has ended', async () => {
    const open = await beginNamed(store, 'maria', 1);
    expect(await eraseStreams(owner, [open], despite)).toEqual([{ streamId: open, status: 'open' }]);
    expect(await left(open)).toEqual([1, 1, 1]);
  });

  it('is kept until the last day of its retention is over, unless the request overrides retention', async () => {
    const ended = await beginNamed(store, 'maria');
    const last = `${year + 5}-12-31`;
    const at = (text: string): ErasureOptions => erasing({ nowMs: Date.parse(text) });
    expect(await eraseStreams(owner, [ended], at(`${last}T23:59:59Z`))).toEqual([
      { streamId: ended, status: 'retained', until: last },
    ]);
    expect(await left(ended)).toEqual([1, 1, 1]);
    const [later] = await readErasureStatuses(owner, [ended], at(`${year + 6}-01-01T00:00:00Z`));
    expect(later?.status).toBe('erasable');
    expect(await left(ended)).toEqual([1, 1, 1]);
    await ask([ended], true);
    expect((await eraseStreams(owner, [ended], erasing()))[0]?.status).toBe('erasable');
    expect(await left(ended)).toEqual([0, 0, 0]);
  });

  it('is unknown once erased, so that a second attempt does not find it, but its events and their hash chain remain', async () => {
    const [ended, other] = [await beginNamed(store, 'maria'), await beginNamed(store, 'ivan')];
    await eraseStreams(owner, [ended], despite);
    expect(await store.load(ended)).toBeUndefined();
    expect(firstBrokenVersion(await store.history(ended))).toBeUndefined();
    expect(await eraseStreams(owner, [ended], despite)).toEqual([{ streamId: ended, status: 'erased' }]);
    expect(await left(other)).toEqual([1, 1, 1]);
    expect(await inlineViewDifferences(owner, store)).toEqual([]);
  });

  it('is not erased if it started before encryption was introduced or does not exist', async () => {
    const plain = newId();
    await beginNamed(store, 'maria', 10, plain);
    await database.sql(`UPDATE payments.events SET data = '{"by":10,"note":"maria"}' WHERE stream_id = $1`, [
      plain,
    ]);
    const nothing = newId();
    expect(await eraseStreams(owner, [plain, nothing], despite)).toEqual([
      { streamId: plain, status: 'plain' },
      { streamId: nothing, status: 'unknown' },
    ]);
    expect(await left(plain)).toEqual([1, 1, 1]);
    await database.sql('DELETE FROM payments.events WHERE stream_id = $1', [plain]);
    await database.sql('DELETE FROM payments.sample_view WHERE stream_id = $1', [plain]);
  });

  it('receives no more events: concurrent appends come before the erasure or find no stream', async () => {
    const streams = await Promise.all(Array.from({ length: 40 }, async () => beginNamed(store, 'maria')));
    const change = (): { events: Named[] } => ({
      events: [{ type: 'named', data: { by: 1, note: 'maria' } }],
    });
    await Promise.all([
      ...streams.map(async (streamId) => store.many.change([streamId], change, { actor: 'tester' })),
      eraseStreams(owner, streams.slice(0, 20), despite),
      eraseStreams(owner, streams.toReversed(), despite),
    ]);
    for (const streamId of streams) {
      const rows = (await left(streamId)).slice(1);
      expect(rows).toEqual([0, 0]);
    }
    expect(await inlineViewDifferences(owner, store)).toEqual([]);
  }, 30_000);
});

describe('the request log', () => {
  it('refers to the streams of a request until they are erased, and counts the remaining ones', async () => {
    const [open, ended] = [await beginNamed(store, 'maria', 1), await beginNamed(store, 'maria')];
    const request = await ask([open, ended], true);
    const linked = async (): Promise<readonly string[]> => {
      const { rows } = await owner.query<{ stream_id: string }>(
        'SELECT stream_id FROM stream_key WHERE erasure = $1 OR (stream_id = ANY($2::uuid[]) AND tags IS NOT NULL)',
        [request, [open, ended]],
      );
      return rows.map(({ stream_id }) => stream_id);
    };
    expect(await due()).toEqual([open, ended].toSorted());
    await eraseStreams(owner, [open, ended], erasing());
    expect(await due()).toEqual([open]);
    expect((await listRequests(owner, 1))[0]).toMatchObject({ id: request, streams: 2, waiting: 1 });
    expect(await linked()).toEqual([open]);
    await store.change(open, () => ({ events: [{ type: 'named', data: { by: 9, note: 'maria' } }] }), {
      actor: 'tester',
    });
    await eraseStreams(owner, [open], erasing());
    expect((await listRequests(owner, 1))[0]).toMatchObject({ streams: 2, waiting: 0 });
    expect(await linked()).toEqual([]);
  });

  it('cannot be changed', async () => {
    await expect(owner.query('DELETE FROM privacy_log')).rejects.toThrow('never changed');
    await expect(owner.query("UPDATE privacy_log SET reason = ''")).rejects.toThrow('never changed');
  });
});

describe('an archived stream', () => {
  it('is found by the tags of its persons, and is erased once its retention has ended', async () => {
    const tagger = await readTagger(owner, testMasterKeys);
    const maria = { psuIds: ['maria'], signers: ['maria'], ibans: ['BG80'] };
    const tags = tagger.ofStored(maria);
    expect(await (await readTagger(owner, testMasterKeys)).ofStored({ ...maria, ibans: [] })).toEqual(
      tags.slice(0, 1),
    );
    const archived = await beginNamed(store, 'maria');
    await database.sql('DELETE FROM payments.sample_view WHERE stream_id = $1', [archived]);
    await database.sql('DELETE FROM payments.events WHERE stream_id = $1', [archived]);
    await owner.query('UPDATE stream_key SET retained_until = $2, tags = $3::bigint[] WHERE stream_id = $1', [
      archived,
      '2020-12-31',
      tags,
    ]);
    expect(await findArchivedStreams(owner, tags.slice(1))).toEqual([
      { streamId: archived, isShared: false },
    ]);
    const ivan = tagger.ofAsked({ psuIds: ['ivan'], ibans: [] });
    expect(await findArchivedStreams(owner, ivan)).toEqual([]);
    // A TPP named Ivan as the PSU, but Ivan did not sign.
    const named = tagger.ofStored({ psuIds: ['ivan'], signers: [], ibans: [] });
    await owner.query('UPDATE stream_key SET tags = tags || $2::bigint[] WHERE stream_id = $1', [
      archived,
      named,
    ]);
    const asked = tagger.ofAsked({ psuIds: ['maria'], ibans: ['BG80'] });
    expect(await findArchivedStreams(owner, asked)).toEqual([{ streamId: archived, isShared: false }]);
    expect(await findArchivedStreams(owner, ivan)).toEqual([{ streamId: archived, isShared: true }]);
    await owner.query('UPDATE stream_key SET tags = tags || $2::bigint[] WHERE stream_id = $1', [
      archived,
      tagger.ofStored({ psuIds: ['ivan'], signers: ['ivan'], ibans: [] }),
    ]);
    for (const one of [ivan, asked])
      expect(await findArchivedStreams(owner, one)).toEqual([{ streamId: archived, isShared: true }]);
    expect(await retainedStreams(owner)).toEqual([{ retainedUntil: '2020-12-31', streams: 1 }]);
    await eraseStreams(owner, [archived], erasing());
    expect(await left(archived)).toEqual([1, 0, 0]);
    expect(await retainedStreams(owner)).toEqual([]);
    expect(await findArchivedStreams(owner, tags)).toEqual([]);
  });
});
