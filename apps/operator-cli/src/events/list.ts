import { logHead } from '@xs2a/event-store/recovery/log-gaps';
import { resources } from '@xs2a/resources/resources';
import type { Pool } from 'pg';
import { defineCommand } from '../command-line/define-command.js';
import { oneRow } from '../connections.js';
import { beginMs, endMs, readMoment } from '../command-line/moments.js';
import { countUpTo, option, severalOf } from '../command-line/options.js';
import { table } from '../command-line/output.js';
import { xs2a } from '../command-line/own-name.js';
import { Refusal } from '../command-line/refusal.js';
import { readTimeZone } from './read-models.js';

export interface EventQuery {
  readonly tpp?: string;
  /** The event types, e.g. `signed`; if absent, all types. */
  readonly types?: readonly string[];
  /** The first instant of the period in epoch milliseconds; `toMs` is its exclusive end. */
  readonly fromMs?: number;
  readonly untilMs?: number;
  readonly limit: number;
}

interface ListedEvent {
  readonly pos: number;
  readonly time: string;
  readonly type: string;
  readonly paymentId: string;
  readonly tppId: string;
}

export interface EventList {
  /** The newest matching events, in ascending order. */
  readonly events: readonly ListedEvent[];
  /**
   * The newest event that the search did not read because it had reached its limit; null if it has read everything
   * that could match.
   */
  readonly stoppedAt: { readonly pos: number; readonly time: string } | null;
}

/** The maximum number of positions that one search reads, page by page; ADR 10 states how long that takes. */
const maxLookedAt = 1_000_000;
const pageSize = 20_000;
/**
 * Positions follow the order of event times, except for delays between appends and differences between the clocks
 * of instances; this is the maximum deviation in milliseconds.
 */
const disorderMs = 60_000;

interface Reached {
  readonly pos: number;
  readonly reached: boolean;
}

/**
 * Finds by binary search the first position from which a condition holds for all later positions. `at` evaluates
 * the condition on the first row at or after a position.
 */
export const firstReached = async (
  last: number,
  at: (pos: number) => Promise<Reached | undefined>,
): Promise<number> => {
  let low = 1;
  let high = last + 1;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const row = await at(middle);
    if (row === undefined || row.reached) high = middle;
    else low = row.pos + 1;
  }
  return low;
};

/**
 * SQL that selects the event at a position of `l`. The `OFFSET 0` that follows it makes PostgreSQL look up each
 * position by primary key.
 */
const eventAt = `SELECT type, occurred_at FROM events WHERE stream_id = l.stream_id AND version = l.version`;

const firstSince = async (pool: Pool, last: number, instantMs: number): Promise<number> =>
  firstReached(last, async (pos) => {
    const { rows } = await pool.query<Reached>(
      `SELECT l.pos, e.occurred_at >= $2::timestamptz AS reached
       FROM log l CROSS JOIN LATERAL (${eventAt} OFFSET 0) e WHERE l.pos >= $1 ORDER BY l.pos LIMIT 1`,
      [pos, new Date(instantMs).toISOString()],
    );
    return rows[0];
  });

/** Returns the range of positions that contains the events of a period. */
const readPositions = async (
  pool: Pool,
  { fromMs, untilMs }: EventQuery,
): Promise<{ readonly first: number; readonly end: number }> => {
  const last = await logHead(pool);
  return {
    first: fromMs === undefined ? 1 : await firstSince(pool, last, fromMs - disorderMs),
    end: untilMs === undefined ? last + 1 : await firstSince(pool, last, untilMs + disorderMs),
  };
};

/**
 * SQL that selects the matching events in a range of positions, in descending order. For each position, it reads
 * the TPP from the status views and then the event. $1, $2: the range; $3: a TPP; $4: types; $5, $6: the period;
 * $7: maximum number of events.
 */
export const matching = `SELECT l.pos, e.occurred_at, e.type, l.stream_id AS payment_id, t.tpp_id FROM log l
  CROSS JOIN LATERAL (
    SELECT * FROM (
      ${resources.payments.views
        .map(({ table: view }) => `SELECT tpp_id FROM ${view} WHERE stream_id = l.stream_id`)
        .join(' UNION ALL ')}
    ) AS views WHERE $3::text IS NULL OR tpp_id = $3 OFFSET 0
  ) t
  CROSS JOIN LATERAL (${eventAt}
    AND ($4::text[] IS NULL OR type = ANY($4)) AND ($5::timestamptz IS NULL OR occurred_at >= $5)
    AND ($6::timestamptz IS NULL OR occurred_at < $6) OFFSET 0
  ) e
  WHERE l.pos >= $1 AND l.pos < $2 ORDER BY l.pos DESC LIMIT $7`;

interface Row {
  readonly pos: number;
  readonly occurred_at: Date;
  readonly type: string;
  readonly payment_id: string;
  readonly tpp_id: string;
}
const toInstant = (ms: number | undefined): string | null =>
  ms === undefined ? null : new Date(ms).toISOString();

interface Page {
  readonly begin: number;
  readonly size: number;
}

/** Returns the page of positions that ends before `end`. The log has gaps where events were archived or lost. */
const pageBefore = async (pool: Pool, first: number, end: number, size: number): Promise<Page> =>
  oneRow(
    pool,
    `SELECT coalesce(min(pos), $1) AS begin, count(*) AS size
     FROM (SELECT pos FROM log WHERE pos >= $1 AND pos < $2 ORDER BY pos DESC LIMIT $3) AS page`,
    [first, end, size],
  );

const newestBefore = async (pool: Pool, first: number, end: number): Promise<EventList['stoppedAt']> => {
  const { rows } = await pool.query<Pick<Row, 'pos' | 'occurred_at'>>(
    `SELECT l.pos, e.occurred_at FROM log l CROSS JOIN LATERAL (${eventAt} OFFSET 0) e
     WHERE l.pos >= $1 AND l.pos < $2 ORDER BY l.pos DESC LIMIT 1`,
    [first, end],
  );
  const [row] = rows;
  return row === undefined ? null : { pos: row.pos, time: row.occurred_at.toISOString() };
};

/**
 * Returns the newest matching events of payments and baskets, found by searching the log backwards. `pool` must
 * prefer index scans.
 */
export const listEvents = async (
  pool: Pool,
  query: EventQuery,
  maxPositions = maxLookedAt,
): Promise<EventList> => {
  const { tpp, types, fromMs, untilMs, limit } = query;
  const { first, end } = await readPositions(pool, query);
  const wanted = [tpp ?? null, types ?? null, toInstant(fromMs), toInstant(untilMs)];
  const found: Row[] = [];
  let reached = end;
  for (let left = maxPositions; left > 0 && reached > first && found.length < limit;) {
    const { begin, size } = await pageBefore(pool, first, reached, Math.min(pageSize, left));
    const { rows } = await pool.query<Row>(matching, [begin, reached, ...wanted, limit - found.length]);
    found.push(...rows);
    reached = size === 0 ? first : begin;
    left -= size;
  }
  return {
    events: found.reverse().map((row) => ({
      pos: row.pos,
      time: row.occurred_at.toISOString(),
      type: row.type,
      paymentId: row.payment_id,
      tppId: row.tpp_id,
    })),
    stoppedAt: found.length === limit ? null : await newestBefore(pool, first, reached),
  };
};

const untilAfter = (time: string): string => new Date(Date.parse(time) + 1).toISOString();

export const eventsText = ({ events, stoppedAt }: EventList, { tpp }: Pick<EventQuery, 'tpp'> = {}): string =>
  [
    table(
      events,
      {
        position: ({ pos }) => pos,
        time: ({ time }) => time,
        event: ({ type }) => type,
        payment: ({ paymentId }) => paymentId,
        tpp: ({ tppId }) => tppId,
      },
      `No event of a payment matches.${tpp === undefined ? '' : ` To list the TPPs: ${xs2a('tpp list')}`}`,
    ),
    ...(stoppedAt === null
      ? []
      : [
          `Position ${stoppedAt.pos} and earlier ones were not searched. To continue there: --until ${untilAfter(stoppedAt.time)}`,
        ]),
  ].join('\n');

export const searchEvents = defineCommand({
  name: 'list',
  help: 'events of payments by TPP, type and time, newest last',
  options: {
    tpp: option('<client-id>', 'only of payments of this TPP'),
    type: severalOf('<type>', 'only events of these types', Object.keys(resources.payments.types)),
    since: option(
      '<time>',
      'a duration before now (30min, 2h, 7d), a day of the bank, or an ISO instant',
      readMoment,
    ),
    until: option('<time>', 'the same forms; a day is inclusive, an instant is exclusive', readMoment),
    limit: option('<count>', 'only the newest N', countUpTo(10_000)).or(50),
  },
  run: async ({ connections, options: { tpp, type: types, since, until, limit } }) => {
    const relative = [since, until].some((moment) => moment !== undefined && 'agoMs' in moment);
    const wall = { nowMs: relative ? await connections.nowMs() : 0, timeZone: readTimeZone(connections) };
    const fromMs = since && beginMs(since, wall);
    const untilMs = until && endMs(until, wall);
    if (fromMs !== undefined && untilMs !== undefined && fromMs >= untilMs)
      throw new Refusal('--since must be before --until.', 2);
    return listEvents(connections.reader('payments'), { tpp, types, fromMs, untilMs, limit });
  },
  text: eventsText,
});
