import { listProjections } from '@xs2a/event-store/projections/builds';
import type { Pool } from 'pg';
import { columns, counted } from '../command-line/output.js';
import { xs2a } from '../command-line/own-name.js';

export interface EventQuery {
  readonly tpp?: string;
  /** Types of events, e.g. `signed`; absent: all types. */
  readonly types?: readonly string[];
  /** Epoch milliseconds of the first instant, and of the first one that does not count any more. */
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
  /** The newest that match, the newest last. */
  readonly events: readonly ListedEvent[];
  /** The newest event that the search did not read because it had read enough. Null: it read all that could match. */
  readonly stoppedAt: { readonly pos: number; readonly time: string } | null;
  /** Events of the log that the read model has not seen yet. */
  readonly behind: number;
}

/** So many events one question looks at: less than 0.1 s, measured among 250,000 (list.int.spec.ts). */
export const maxLookedAt = 100_000;
/** Positions follow the instants of events, but for what appends and the clocks of instances differ by. */
const disorderMs = 60_000;

interface Reached {
  readonly pos: number;
  readonly reached: boolean;
}

/**
 * The first position at which something is reached that stays reached, by halves. `at` answers for the first row from a
 * position on.
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

const firstSince = async (pool: Pool, last: number, instantMs: number): Promise<number> =>
  firstReached(last, async (pos) => {
    const { rows } = await pool.query<Reached>(
      `SELECT pos, occurred_at >= $2::timestamptz AS reached FROM payment_event_index
       WHERE pos >= $1 ORDER BY pos LIMIT 1`,
      [pos, new Date(instantMs).toISOString()],
    );
    return rows[0];
  });

/** The range of positions in which the events of a period are. */
const readPositions = async (
  pool: Pool,
  { fromMs, untilMs }: EventQuery,
): Promise<{ readonly first: number; readonly end: number }> => {
  const { rows } = await pool.query<{ last: number }>(
    'SELECT coalesce(max(pos), 0) AS last FROM payment_event_index',
  );
  const last = rows[0]?.last ?? 0;
  return {
    first: fromMs === undefined ? 1 : await firstSince(pool, last, fromMs - disorderMs),
    end: untilMs === undefined ? last + 1 : await firstSince(pool, last, untilMs + disorderMs),
  };
};

/** Backwards along (pos), or along (tpp_id, pos). $1 and $2: a range of positions; $3: a TPP. */
const walked = `SELECT pos, occurred_at, type, payment_id, tpp_id FROM payment_event_index
  WHERE pos >= $1 AND pos < $2 AND ($3::text IS NULL OR tpp_id = $3) ORDER BY pos DESC`;
/**
 * SQL of the matching events. $4: types; $5, $6: the period; $7: max number of events; $8: max number of rows that
 * are read.
 */
export const matching = `SELECT * FROM (${walked} LIMIT $8) AS walked
  WHERE ($4::text[] IS NULL OR type = ANY($4)) AND ($5::timestamptz IS NULL OR occurred_at >= $5)
    AND ($6::timestamptz IS NULL OR occurred_at < $6)
  ORDER BY pos DESC LIMIT $7`;

interface Row {
  readonly pos: number;
  readonly occurred_at: Date;
  readonly type: string;
  readonly payment_id: string;
  readonly tpp_id: string;
}
const toInstant = (ms: number | undefined): string | null =>
  ms === undefined ? null : new Date(ms).toISOString();

/** The newest events of payments that match, from the read model; `pool` reads along indexes. */
export const listEvents = async (
  pool: Pool,
  query: EventQuery,
  maxRows = maxLookedAt,
): Promise<EventList> => {
  const { tpp, types, fromMs, untilMs, limit } = query;
  // First: what the model learns meanwhile makes it say too much rather than too little.
  const builds = await listProjections(pool);
  const behind = builds.find(({ name, live }) => live && name === 'payment_event_index')?.behind ?? 0;
  const { first, end } = await readPositions(pool, query);
  const along = [first, end, tpp ?? null];
  const period = [toInstant(fromMs), toInstant(untilMs)];
  const { rows } = await pool.query<Row>(matching, [...along, types ?? null, ...period, limit, maxRows]);
  const beyond =
    rows.length === limit
      ? []
      : (await pool.query<Row>(`${walked} OFFSET $4 LIMIT 1`, [...along, maxRows])).rows;
  const [stopped] = beyond;
  return {
    events: rows.reverse().map((row) => ({
      pos: row.pos,
      time: row.occurred_at.toISOString(),
      type: row.type,
      paymentId: row.payment_id,
      tppId: row.tpp_id,
    })),
    stoppedAt: stopped === undefined ? null : { pos: stopped.pos, time: stopped.occurred_at.toISOString() },
    behind,
  };
};

/** For both read models. */
export const behindText = (behind: number): readonly string[] =>
  behind === 0 ? [] : [`The read model is ${counted(behind, 'event')} behind the log.`];

const untilAfter = (time: string): string => new Date(Date.parse(time) + 1).toISOString();

export const eventsText = (
  { events, stoppedAt, behind }: EventList,
  { tpp }: Pick<EventQuery, 'tpp'> = {},
): string =>
  [
    events.length > 0
      ? columns(
          ['position', 'time', 'event', 'payment', 'tpp'],
          events.map(({ pos, time, type, paymentId, tppId }) => [pos, time, type, paymentId, tppId]),
        )
      : `No event of a payment matches.${tpp === undefined ? '' : ` Which TPPs there are: ${xs2a('tpp list')}`}`,
    ...(stoppedAt === null
      ? []
      : [
          `Position ${stoppedAt.pos} and older ones were not searched. To go on there: --until ${untilAfter(stoppedAt.time)}`,
        ]),
    ...behindText(behind),
  ].join('\n');
