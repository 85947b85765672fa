import { keyPages, lowestId } from '@xs2a/postgres/key-pages';
import { inTransaction } from '@xs2a/postgres/transaction';
import type { Pool } from 'pg';
import { lockKeys } from './lock-keys.js';

/** A logged request to erase, export or search personal data. The log entry does not name the person. */
export interface PrivacyRequest {
  readonly at: Date;
  readonly operator: string;
  /** `erase`, `export` or `search`. */
  readonly act: string;
  /** Tags of the requested PSU-IDs, IBANs or streams (person-tags.ts). */
  readonly asked: readonly string[];
  /** The number of streams found; of a search, the number searched. */
  readonly streams: number;
  readonly reason: string;
  readonly despiteRetention?: boolean;
}

/** Adds a request to the log and returns the id of its row. */
export const recordRequest = async (
  pool: Pool,
  { at, operator, act, asked, streams, reason, despiteRetention = false }: PrivacyRequest,
): Promise<number> => {
  const { rows } = await pool.query<{ id: number }>(
    `INSERT INTO privacy_log (at, operator, act, asked, streams, reason, despite_retention)
     VALUES ($1, $2, $3, $4::bigint[], $5, $6, $7) RETURNING id`,
    [at, operator, act, asked, streams, reason, despiteRetention],
  );
  const [row] = rows;
  if (row === undefined) throw new Error('the request was not recorded');
  return row.id;
};

const marksAtOnce = 1000;

/** Marks a request's streams for erasure as soon as it is permitted. Returns how many of them have a key. */
export const requestErasure = async (
  pool: Pool,
  streamIds: readonly string[],
  request: number,
): Promise<number> => {
  let marked = 0;
  for (let first = 0; first < streamIds.length; first += marksAtOnce) {
    const some = streamIds.slice(first, first + marksAtOnce);
    marked += await inTransaction(pool, async (client) => {
      await lockKeys(client, some);
      const { rowCount } = await client.query(
        'UPDATE stream_key SET erasure = $2 WHERE stream_id = ANY($1::uuid[]) AND wrapped IS NOT NULL',
        [some, request],
      );
      return rowCount ?? 0;
    });
  }
  return marked;
};

/**
 * Yields the streams whose requested erasure has not been done yet, then those whose retention ended before a day
 * (ISO date), in pages. Each page is an index scan, however many streams there are.
 */
export async function* dueToErase(
  pool: Pool,
  { today, limit }: { readonly today: string; readonly limit: number },
): AsyncGenerator<readonly string[]> {
  const asked = keyPages({ stream_id: lowestId }, async (after) =>
    pool.query<{ stream_id: string }>(
      `SELECT stream_id FROM stream_key WHERE erasure IS NOT NULL AND wrapped IS NOT NULL AND stream_id > $1
       ORDER BY stream_id LIMIT $2`,
      [after.stream_id, limit],
    ),
  );
  for await (const page of asked) yield page.map(({ stream_id }) => stream_id);
  const first: PastRetention = { day: '-infinity', stream_id: lowestId };
  const past = keyPages(first, async ({ day, stream_id }) =>
    pool.query<PastRetention>(pastRetentionSql, [day, stream_id, today, limit]),
  );
  for await (const page of past) {
    const streamIds = page.flatMap(({ stream_id, is_asked }) => (is_asked === true ? [] : [stream_id]));
    if (streamIds.length > 0) yield streamIds;
  }
}

interface PastRetention {
  /** ISO date. */
  readonly day: string;
  readonly stream_id: string;
  readonly is_asked?: boolean;
}

/** `$1` and `$2` are the day and id of the previous stream; `$3` is the current day. */
export const pastRetentionSql = `SELECT retained_until::text AS day, stream_id, erasure IS NOT NULL AS is_asked FROM stream_key
  WHERE (retained_until, stream_id) > ($1::date, $2::uuid) AND retained_until < $3::date AND wrapped IS NOT NULL
  ORDER BY retained_until, stream_id LIMIT $4`;

/** The number of streams to be erased when their retention ends, by the last day on which they are kept. */
export interface RetainedStreams {
  /** ISO date. */
  readonly retainedUntil: string;
  readonly streams: number;
}

/** Counts the archived streams that still have a key, by the last day of their retention, earliest first. */
export const retainedStreams = async (pool: Pool): Promise<RetainedStreams[]> => {
  const days: RetainedStreams[] = [];
  for (let after = '-infinity'; ;) {
    const { rows } = await pool.query<{ day: string | null }>(
      `SELECT (SELECT retained_until FROM stream_key WHERE retained_until > $1::date AND wrapped IS NOT NULL
         ORDER BY retained_until LIMIT 1)::text AS day`,
      [after],
    );
    const day = rows[0]?.day ?? undefined;
    if (day === undefined) return days;
    days.push({ retainedUntil: day, streams: await countRetained(pool, day) });
    after = day;
  }
};

const countedAtOnce = 100_000;

/** Counts the streams of a day in pages, because a year may have billions of streams. */
const countRetained = async (pool: Pool, day: string): Promise<number> => {
  let streams = 0;
  for (let after = lowestId; ;) {
    const { rows } = await pool.query<{ rows: number; last: string | null }>(
      `WITH page AS MATERIALIZED (
         SELECT stream_id FROM stream_key WHERE retained_until = $1::date AND wrapped IS NOT NULL AND stream_id > $2
         ORDER BY stream_id LIMIT ${countedAtOnce}
       ) SELECT count(*) AS rows, (SELECT stream_id FROM page ORDER BY stream_id DESC LIMIT 1) AS last FROM page`,
      [day, after],
    );
    const [page] = rows;
    streams += page?.rows ?? 0;
    if (page === undefined || page.last === null || page.rows < countedAtOnce) return streams;
    after = page.last;
  }
};

/** A request, and the work that remains to be done for it. */
export interface LoggedRequest extends PrivacyRequest {
  readonly id: number;
  /** The number of the request's streams that have not been erased yet. */
  readonly waiting: number;
}

/** Returns the requests in the log, newest first. */
export const listRequests = async (pool: Pool, limit: number): Promise<LoggedRequest[]> => {
  const { rows } = await pool.query<LoggedRequest>(
    `SELECT id, at, operator, act, asked::text[] AS asked, streams, reason, despite_retention AS "despiteRetention",
       (SELECT count(*) FROM stream_key k WHERE k.erasure = l.id) AS waiting
     FROM privacy_log l ORDER BY id DESC LIMIT $1`,
    [limit],
  );
  return rows;
};
