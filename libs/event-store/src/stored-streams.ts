import type { Pool, PoolClient } from 'pg';
import { type EventRecord, type StoredEvent, storedEvent } from './stored-event.js';

/** A stream's events in order of version; never empty. */
export type StoredStream = readonly [StoredEvent, ...StoredEvent[]];

const highestVersion = 2_147_483_647;
const beforeAll = '00000000-0000-0000-0000-000000000000';

/**
 * Every stream, whole, in order of its id: a page of streams at a time, each page read in one statement. Memory is
 * bounded by the page (default 5,000 events) and the longest stream.
 */
export async function* storedStreams(
  session: Pool | PoolClient,
  {
    pageSize = 5000,
    after: start = beforeAll,
  }: { readonly pageSize?: number; /** A stream id: those behind it. */ readonly after?: string } = {},
): AsyncGenerator<StoredStream[]> {
  let after: { readonly streamId: string; readonly version: number } = {
    streamId: start,
    version: start === beforeAll ? 0 : highestVersion,
  };
  let unfinished: StoredStream | undefined;
  for (;;) {
    const page = await readPage(session, after, pageSize);
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
  pageSize: number,
): Promise<StoredEvent[]> => {
  const { rows } = await session.query<EventRecord>({
    name: 'stored-streams',
    text: `SELECT event_id, stream_id, version, type, schema_version, data, meta, occurred_at, prev_hash, hash
      FROM events WHERE (stream_id, version) > ($1, $2) ORDER BY stream_id, version LIMIT $3`,
    values: [after.streamId, after.version, pageSize],
  });
  return rows.map(storedEvent);
};
