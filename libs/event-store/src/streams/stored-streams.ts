import { lowestId } from '@xs2a/postgres/key-pages';
import type { Pool, PoolClient } from 'pg';
import { type EventRecord, type StoredEvent, storedEvent } from './stored-event.js';

/** A stream's events, ordered by version. Never empty. */
export type StoredStream = readonly [StoredEvent, ...StoredEvent[]];

const beforeAll = { streamId: lowestId, version: 0 };
const afterAll = 'ffffffff-ffff-ffff-ffff-ffffffffffff';
const maxVersion = 2_147_483_647;
const pageSize = 5000;

/**
 * Yields complete streams ordered by id, either all of them or those after one id and below another. Reads one
 * page of streams per statement. Memory use is bounded by the page (5,000 events) and the longest stream.
 */
export async function* storedStreams(
  session: Pool | PoolClient,
  behind?: string,
  below?: string,
): AsyncGenerator<StoredStream[]> {
  let after = behind === undefined ? beforeAll : { streamId: behind, version: maxVersion };
  let unfinished: StoredStream | undefined;
  for (;;) {
    const page = await readPage(session, after, below);
    const streams: StoredStream[] = unfinished === undefined ? [] : [unfinished];
    for (const event of page) {
      const current = streams.at(-1);
      if (current?.[0].streamId === event.streamId) streams[streams.length - 1] = [...current, event];
      else streams.push([event]);
    }
    const last = page.at(-1);
    if (last === undefined || page.length < pageSize) {
      if (streams.length > 0) yield streams;
      return;
    }
    unfinished = streams.pop();
    after = last;
    if (streams.length > 0) yield streams;
  }
}

const readPage = async (
  session: Pool | PoolClient,
  after: { readonly streamId: string; readonly version: number },
  below = afterAll,
): Promise<StoredEvent[]> => {
  const { rows } = await session.query<EventRecord>({
    name: 'stored-streams',
    text: `SELECT event_id, stream_id, version, type, schema_version, data, meta, occurred_at, prev_hash, hash
      FROM events WHERE (stream_id, version) > ($1, $2) AND stream_id < $3 ORDER BY stream_id, version LIMIT ${pageSize}`,
    values: [after.streamId, after.version, below],
  });
  return rows.map(storedEvent);
};
