import type { Pool } from 'pg';
import { quotedName } from '@xs2a/event-store/streams/quoted-name';
import type { ViewEnding } from '../custody-resource.js';
import type { Month } from '@xs2a/event-store/months/months';

/** Events per page. A stream with more events is not archived. */
const pageSize = 10_000;
/** The number of status view rows that one statement counts. */
const rowsAtOnce = 10_000;

/** Counts of the month's streams that can be archived now, and of those that stay in the table. */
export interface MonthStreams {
  /** The number of streams that have ended. The next field is the number of their events. */
  readonly streams: number;
  readonly events: number;
  /** The first position of these events. The next field is the last one. */
  readonly firstPos: number;
  readonly lastPos: number;
  /** The number of other streams, whose events stay in the table. */
  readonly carried: number;
}

interface Row {
  readonly stream_id: string;
  readonly version: number;
  readonly last_at: Date;
  readonly logged: number;
  readonly first_pos: number | null;
  readonly last_pos: number | null;
  readonly events: number;
  readonly waits: boolean;
  readonly is_erased: boolean;
  readonly views: readonly (Readonly<Record<string, unknown>> | null)[];
}

/** Limits for archiving: a stream's last event is before this time and not after this position. */
export interface Settled {
  readonly before: Date;
  readonly upTo: number;
}

/** Thrown if events and status view differ: nothing is archived. The message is for an operator. */
export class DamagedMonth extends Error {
  override readonly name = 'DamagedMonth';
}

/**
 * Reads all streams of a month. A stream has ended if its row in the status view shows this, its last event is
 * within both limits, every event has a position, and no lost event of the stream awaits a decision. Calls `carry`
 * with the other streams, a page at a time. Throws {@link DamagedMonth}.
 */
export const readMonthStreams = async (
  pool: Pool,
  month: Month,
  endings: readonly ViewEnding[],
  settled: Settled,
  carry: (streamIds: readonly string[]) => Promise<void> = async () => undefined,
): Promise<MonthStreams> => {
  const found = { streams: 0, events: 0, firstPos: Infinity, lastPos: 0, carried: 0 };
  let erased = 0;
  const text = pageText(endings);
  for (let after = month.from; ;) {
    const { rows } = await pool.query<Row>({ text, values: [after, month.to] });
    const isLastPage = rows.reduce((sum, { events }) => sum + events, 0) < pageSize;
    // The last stream on the page may continue on the next page.
    const whole = isLastPage ? rows : rows.slice(0, -1);
    const carried: string[] = [];
    const [only] = rows;
    erased += whole.filter(isErased).length;
    // The stream does not fit on one page.
    if (whole.length === 0 && only !== undefined) carried.push(only.stream_id);
    for (const row of whole) {
      if (!isEnded(row, endings, settled)) {
        carried.push(row.stream_id);
        continue;
      }
      found.streams += 1;
      found.events += row.version;
      found.firstPos = Math.min(found.firstPos, row.first_pos ?? Infinity);
      found.lastPos = Math.max(found.lastPos, row.last_pos ?? 0);
    }
    if (carried.length > 0) await carry(carried);
    found.carried += carried.length;
    const last = whole.at(-1) ?? only;
    if (isLastPage || last === undefined) break;
    after = last.stream_id;
  }
  await mustBeInView(pool, month, endings, found.streams + found.carried, erased);
  return found;
};

/** True for an erased stream. It has no row in the status view. It has ended, because only ended streams are erased. */
const isErased = ({ is_erased, views }: Row): boolean => is_erased && views.every((view) => view === null);

const isEnded = (row: Row, endings: readonly ViewEnding[], { before, upTo }: Settled): boolean => {
  const shown = endings.flatMap((ending, index) => {
    const view = row.views[index];
    return view === null || view === undefined ? [] : [{ view, ended: ending.isEnded(view) }];
  });
  const [one] = shown;
  const isShown = shown.length === 1 && one?.view['version'] === row.version;
  if ((!isShown && !isErased(row)) || row.events !== row.version)
    throw new DamagedMonth(`the events of stream ${row.stream_id} do not match its status view`);
  const isSettled = row.logged === row.version && row.last_at < before && (row.last_pos ?? Infinity) <= upTo;
  return (one?.ended ?? true) && isSettled && !row.waits;
};

/** Throws if the view has more streams: one that lost all its events still has a row there. */
const mustBeInView = async (
  pool: Pool,
  month: Month,
  endings: readonly ViewEnding[],
  streams: number,
  erased: number,
): Promise<void> => {
  let shown = 0;
  for (const { table } of endings)
    shown += await countRows(pool, month, { table, columns: 'stream_id', where: 'true' });
  if (shown === streams - erased) return;
  // Further streams may have been erased after their page was read.
  const erasedNow = await countRows(pool, month, {
    table: 'stream_key',
    columns: 'stream_id, erased_at',
    where: 'erased_at IS NOT NULL AND EXISTS (SELECT FROM events e WHERE e.stream_id = page.stream_id)',
  });
  if (shown !== streams - erasedNow)
    throw new DamagedMonth(
      `${month.name} has events of ${streams} streams, but its status view shows ${shown}`,
    );
};

/** Counts the rows of a month that satisfy a condition, a page at a time. `columns` are those that it reads. */
const countRows = async (
  pool: Pool,
  { from, to }: Month,
  { table, columns, where }: { readonly table: string; readonly columns: string; readonly where: string },
): Promise<number> => {
  let counted = 0;
  for (let after: string | null = from; after !== null;) {
    const { rows }: { rows: { counted: number; last: string | null }[] } = await pool.query(
      `WITH page AS MATERIALIZED (
         SELECT ${columns} FROM ${quotedName(table)} WHERE stream_id > $1 AND stream_id < $2 ORDER BY stream_id LIMIT ${rowsAtOnce}
       ) SELECT count(*) FILTER (WHERE ${where}) AS counted, (SELECT stream_id FROM page ORDER BY stream_id DESC LIMIT 1) AS last
       FROM page`,
      [after, to],
    );
    counted += rows[0]?.counted ?? 0;
    after = rows[0]?.last ?? null;
  }
  return counted;
};

const pageText = (endings: readonly ViewEnding[]): string => {
  const views = endings.map(({ table, columns }) => {
    const members = ['version', ...columns].map((name) => `'${name}', v.${quotedName(name)}`).join(', ');
    return `(SELECT json_build_object(${members}) FROM ${quotedName(table)} v WHERE v.stream_id = s.stream_id)`;
  });
  // OFFSET 0 forces a key lookup for each position. Without it, PostgreSQL might read the whole log for each
  // page.
  return `WITH page AS MATERIALIZED (
      SELECT stream_id, version, occurred_at FROM events
      WHERE stream_id > $1 AND stream_id < $2 ORDER BY stream_id, version LIMIT ${pageSize}
    ), s AS MATERIALIZED (
      SELECT e.stream_id, max(e.version) AS version, count(*) AS events, max(e.occurred_at) AS last_at, count(l.pos) AS logged,
        min(l.pos) AS first_pos, max(l.pos) AS last_pos
      FROM page e LEFT JOIN LATERAL (
        SELECT pos FROM log WHERE log.stream_id = e.stream_id AND log.version = e.version OFFSET 0
      ) l ON true
      GROUP BY e.stream_id
    )
    SELECT s.*, EXISTS (SELECT FROM lost_event l WHERE l.stream_id = s.stream_id AND l.holds AND l.released_at IS NULL) AS waits,
      EXISTS (SELECT FROM stream_key k WHERE k.stream_id = s.stream_id AND k.erased_at IS NOT NULL) AS is_erased,
      json_build_array(${views.join(', ')}) AS views
    FROM s ORDER BY s.stream_id`;
};
