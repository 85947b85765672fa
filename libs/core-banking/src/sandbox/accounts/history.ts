import type { Rendered } from '@xs2a/contracts/call';
import { addDays, startOfBankDay } from '@xs2a/domain/time/bank-calendar';
import type { Clock } from '@xs2a/runtime/clock';
import { type Pool, types } from 'pg';
import type { DeltaQuery, EntriesPage, EntriesRefusal } from '../../port/accounts.js';
import { transactionsObject, withEntryDetails } from '../../port/entry-text.js';
import { unvoidedPayments } from '../ledger/batch-entries.js';
import { detailsNow } from '../ledger/entry-details.js';
import type { KeyObject } from 'node:crypto';
import { entryIdOf } from '../ledger/ledger-ids.js';
import { readCursor, writeCursor, type PageCursor } from './page-cursor.js';

export type RenderedPage = Extract<EntriesPage, Rendered>;

export interface HistoryOptions {
  readonly pool: Pool;
  readonly clock: Clock;
  readonly timeZone: string;
  /** Seals cursors. */
  readonly cursorKey: KeyObject;
}

/** A page as one row, in the text that PostgreSQL sends: its texts are joined there, and pass here as they are. */
type PageRow = readonly [
  /** Booked entries, newest first: JSON without brackets, in base64, since bytes are dearer to read as characters. */
  booked: string | null,
  pending: string | null,
  /** Entries found, one more than the page holds when there are more. */
  found: string,
  newestId: string | null,
  newestAt: string | null,
  oldestId: string | null,
  oldestAt: string | null,
  /** Bytes of the entry too many; negative: it is a pending one. */
  tooMany: string | null,
];

const asText = { getTypeParser: () => (text: string | Buffer) => text };
const instantMs = (text: string): number =>
  (types.getTypeParser(types.builtins.TIMESTAMPTZ) as (text: string) => Date)(text).getTime();

/**
 * A booked entry counts by its booking date, a pending one by its value date. $3 and $4 are where the index scan begins,
 * $5 where it ends: one bound at each end, since a scan with two would begin at the looser one.
 */
const pageStatement = (direction: PageCursor['direction'], filter = ''): string => {
  const isOlder = direction === 'older';
  const [after, until, order] = isOlder ? ['<', '>=', 'DESC'] : ['>', '<', 'ASC'];
  const ordered = isOlder ? '' : 'ORDER BY pending_at DESC, transaction_id DESC';
  const [newest, oldest, tooMany] = isOlder
    ? ['1', 'least(found, $12 - 1)', '$12']
    : ['greatest(found - $12 + 2, 1)', 'found', '1'];
  return `SELECT encode(convert_to(booked, 'UTF8'), 'base64'), encode(convert_to(pending, 'UTF8'), 'base64'), found,
      ids[${newest}], times[${newest}], ids[${oldest}], times[${oldest}], CASE WHEN found = $12 THEN sizes[${tooMany}] END
    FROM (
      SELECT string_agg(rendered, ',' ${ordered}) FILTER (WHERE is_booked) AS booked,
        string_agg(rendered, ',' ${ordered}) FILTER (WHERE NOT is_booked) AS pending, count(*)::int AS found,
        array_agg(transaction_id ${ordered}) AS ids, array_agg(pending_at ${ordered}) AS times,
        array_agg(octet_length(rendered) * CASE WHEN is_booked THEN 1 ELSE -1 END ${ordered}) AS sizes
      FROM (
        SELECT transaction_id, pending_at, book_at <= $2 AS is_booked, ${detailsNow('book_at <= $2')} AS rendered
        FROM entry
        WHERE account_id = $1 AND (pending_at, transaction_id) ${after} ($3, $4::uuid) AND pending_at ${until} $5
          AND CASE WHEN book_at <= $2 THEN $6 AND book_at >= $7 AND book_at < $8
              ELSE $9 AND value_date >= $10::date AND value_date <= $11::date END ${filter}
        ORDER BY pending_at ${order}, transaction_id ${order} LIMIT $12::int
      ) AS entries
    ) AS page`;
};
const statements = { older: pageStatement('older'), newer: pageStatement('newer') };
/** SQL: a pending entry comes behind every booked one. */
const later = 'AND (book_at, transaction_id) > ($13, $14::uuid)';
const deltaStatements = { older: pageStatement('older', later), newer: pageStatement('newer', later) };

/** A place in the order in which entries are booked; a delta has what comes behind it. */
interface Booked {
  readonly entryId: string;
  readonly at: Date;
}

const newest: PageCursor = {
  direction: 'older',
  atMs: Date.parse('9999-12-31T00:00:00Z'),
  entryId: 'ffffffff-ffff-ffff-ffff-ffffffffffff',
};
const lowestId = '00000000-0000-0000-0000-000000000000';
/** No entry is older, and none is from tomorrow: dates beyond both (year 0000, 9999) need no calendar. */
const beginning = '1970-01-02';
const clamp = (date: string, today: string): string =>
  date < beginning ? addDays(beginning, -1) : date > today ? addDays(today, 1) : date;
const maxStarts = 1000;
const hourMs = 3_600_000;
const iso = (ms: number): string => new Date(ms).toISOString();

/** Bank days, first and last included, and where they begin and end: epoch milliseconds. */
interface Period {
  readonly first: string;
  readonly last: string;
  readonly from: number;
  readonly to: number;
}

/** An account's entries, read by key from an index, so that the cost of a page does not grow with the history. */
export class History {
  private readonly starts = new Map<string, number>();

  constructor(private readonly options: HistoryOptions) {}

  async page(query: DeltaQuery): Promise<RenderedPage | EntriesRefusal> {
    const { resourceId } = query;
    const period = this.periodOf(query);
    const cursor =
      query.cursor === undefined ? newest : readCursor(query.cursor, resourceId, this.options.cursorKey);
    if (cursor === undefined) return 'cursor-forged';
    const since = await this.sinceOf(query);
    if (since === 'reference-unknown') return since;
    const row = await this.read(query, period, cursor, since);
    return this.pageOf(row, query, cursor.direction);
  }

  private async read(
    query: DeltaQuery,
    period: Period,
    cursor: PageCursor,
    since: Booked | undefined,
  ): Promise<PageRow> {
    const { rows } = await this.options.pool.query<[...PageRow]>({
      rowMode: 'array',
      types: asText,
      ...(since === undefined
        ? { name: `history-page-${cursor.direction}`, text: statements[cursor.direction] }
        : { name: `history-delta-${cursor.direction}`, text: deltaStatements[cursor.direction] }),
      values: this.pageValues(query, period, cursor, since),
    });
    const [row] = rows;
    if (row === undefined) throw new Error('the page of an account is one row');
    return row;
  }

  private pageOf(
    row: PageRow,
    { resourceId, pageSize, bookingStatus, cursor }: DeltaQuery,
    direction: PageCursor['direction'],
  ): RenderedPage {
    const [, , found, newestId, newestAt, oldestId, oldestAt] = row;
    const isNewer = direction === 'newer';
    const more = Number(found) > pageSize;
    const hasOlder = isNewer || more;
    const hasNewer = isNewer ? more : cursor !== undefined;
    return {
      rendered: transactionsObject(bookingStatus, listsOf(row, direction)),
      nextCursor: hasOlder ? this.cursorAt(oldestId, oldestAt, 'older', resourceId) : undefined,
      previousCursor: hasNewer ? this.cursorAt(newestId, newestAt, 'newer', resourceId) : undefined,
    };
  }

  async entry(
    { resourceId }: { readonly resourceId: string },
    transactionId: string,
  ): Promise<Rendered | undefined> {
    const entryId = entryIdOf(transactionId);
    if (entryId === undefined) return undefined;
    const { rows } = await this.options.pool.query<{ rendered: string; payments: string | null }>({
      name: 'history-entry',
      text: `SELECT ${detailsNow('book_at <= $2')} AS rendered, (SELECT string_agg(b.details, ',' ORDER BY b.place)
          FROM ${unvoidedPayments} WHERE b.entry_id = entry.transaction_id) AS payments
        FROM entry WHERE account_id = $1 AND transaction_id = $3`,
      values: [resourceId, this.options.clock.now(), entryId],
    });
    if (rows[0] === undefined) return undefined;
    const { rendered, payments } = rows[0];
    return { rendered: Buffer.from(payments === null ? rendered : withEntryDetails(rendered, payments)) };
  }

  /** Finds the place behind which a delta report begins; undefined when the query asks for no delta. */
  private async sinceOf({
    resourceId,
    entryReferenceFrom,
    bookedSince,
  }: DeltaQuery): Promise<Booked | undefined | 'reference-unknown'> {
    if (entryReferenceFrom !== undefined)
      return (await this.booked(resourceId, entryReferenceFrom)) ?? 'reference-unknown';
    return bookedSince === undefined ? undefined : { entryId: lowestId, at: new Date(bookedSince) };
  }

  /** Finds a booked entry by its reference; undefined when the account has none, or it is not booked yet. */
  private async booked(resourceId: string, reference: string): Promise<Booked | undefined> {
    const entryId = entryIdOf(reference);
    if (entryId === undefined) return undefined;
    const { rows } = await this.options.pool.query<{ at: Date }>({
      name: 'history-reference',
      text: 'SELECT book_at AS at FROM entry WHERE account_id = $1 AND transaction_id = $2 AND book_at <= $3',
      values: [resourceId, entryId, this.options.clock.now()],
    });
    return rows[0] === undefined ? undefined : { entryId, at: rows[0].at };
  }

  private periodOf({ dateFrom, dateTo }: DeltaQuery): Period {
    const { clock, timeZone } = this.options;
    const today = clock.date(timeZone);
    const first = clamp(dateFrom, today);
    const last = clamp(dateTo, today);
    return { first, last, from: this.startOf(first), to: this.startOf(addDays(last, 1)) };
  }

  private pageValues(
    query: DeltaQuery,
    { first, last, from, to }: Period,
    cursor: PageCursor,
    since: Booked | undefined,
  ): unknown[] {
    const { clock } = this.options;
    const wantsBooked = query.bookingStatus !== 'pending';
    // An entry is booked at most an hour after it became pending.
    const earliest = Math.max(from, wantsBooked ? (since?.at.getTime() ?? 0) : clock.nowMs()) - hourMs;
    const isOlder = cursor.direction === 'older';
    const [nearest, end] = isOlder ? [to, earliest] : [earliest, to];
    const isInside = isOlder ? cursor.atMs < nearest : cursor.atMs >= nearest;
    const start = isInside ? cursor : { atMs: nearest, entryId: lowestId };
    return [
      query.resourceId,
      clock.now(),
      iso(start.atMs),
      start.entryId,
      iso(end),
      wantsBooked,
      iso(from),
      iso(to),
      query.bookingStatus !== 'booked',
      first,
      last,
      query.pageSize + 1,
      ...(since === undefined ? [] : [since.at.toISOString(), since.entryId]),
    ];
  }

  /** Epoch milliseconds; kept, since most callers ask for the same few days. */
  private startOf(date: string): number {
    const known = this.starts.get(date);
    if (known !== undefined) return known;
    if (this.starts.size >= maxStarts) this.starts.clear();
    const start = Date.parse(startOfBankDay(date, this.options.timeZone));
    this.starts.set(date, start);
    return start;
  }

  private cursorAt(
    entryId: string | null,
    pendingAt: string | null,
    direction: PageCursor['direction'],
    accountId: string,
  ): string | undefined {
    if (entryId === null || pendingAt === null) return undefined;
    const place = { direction, atMs: instantMs(pendingAt), entryId };
    return writeCursor(place, accountId, this.options.cursorKey);
  }
}

const bytesOf = (base64: string | null): Uint8Array => Buffer.from(base64 ?? '', 'base64');

/** The lists without the entry that only showed that there are more: the oldest, or read towards newer ones the newest. */
const listsOf = (
  [booked, pending, , , , , , tooMany]: PageRow,
  direction: PageCursor['direction'],
): { readonly booked: Uint8Array; readonly pending: Uint8Array } => {
  const size = Number(tooMany);
  const cut = (list: Uint8Array, bytes: number): Uint8Array => {
    if (bytes <= 0) return list;
    return direction === 'older'
      ? list.subarray(0, Math.max(0, list.length - bytes - 1))
      : list.subarray(bytes + 1);
  };
  return { booked: cut(bytesOf(booked), size), pending: cut(bytesOf(pending), -size) };
};
