import type { TransactionDetails, TransactionEntry } from '@xs2a/contracts/accounts.contract';
import { lastInstantBefore } from '@xs2a/domain/switch-over/switch-over-phase';
import { addDays, startOfBankDay } from '@xs2a/domain/time/bank-calendar';
import type { Clock } from '@xs2a/runtime/clock';
import type { KeyObject } from 'node:crypto';
import type { Pool } from 'pg';
import type { DeltaQuery, EntriesPage, EntriesRefusal } from '../../port/accounts.js';
import { unvoidedPayments } from '../ledger/batch-entries.js';
import { readEntry, readEntryDetail, readEntryInEuro } from '../ledger/entry-details.js';
import { parseEntryId } from '../ledger/ledger-ids.js';
import { type PageCursor, readCursor, writeCursor } from './page-cursor.js';
import { isSwitching, readSwitchOver } from '../switch-over/switch-over-setting.js';
import { type EntryRow, pageStatement, type Period, type Place, placeBefore } from './page-statement.js';

export interface HistoryOptions {
  readonly pool: Pool;
  readonly clock: Clock;
  readonly timeZone: string;
  /** Returns the ISO date on which the lev ended; undefined at a bank in leva, until it switches to euro. */
  readonly levEnd: () => string | undefined;
  /** The key with which cursors are sealed. */
  readonly cursorKey: KeyObject;
}

/** A lower limit for dates: no entry is older than this day. */
const firstDayOfAll = '1970-01-02';
const beforeAll = placeBefore(0);
const maxStartsOfDays = 1000;

/**
 * Reads the entries of an account with an index scan, so that a page takes the same time regardless of the length
 * of the history.
 */
export class History {
  private readonly startsOfDays = new Map<string, number>();

  constructor(private readonly options: HistoryOptions) {}

  private readonly readEntry = (row: Pick<EntryRow, 'details' | 'isBooked'>): TransactionEntry => {
    const levEnd = this.options.levEnd();
    return levEnd === undefined ? readEntry(row) : readEntryInEuro(row, levEnd);
  };

  /** Returns one page, newest entries first. */
  async page(query: DeltaQuery): Promise<EntriesPage | EntriesRefusal> {
    const { pool, cursorKey } = this.options;
    const { resourceId, pageSize } = query;
    const cursor = query.cursor === undefined ? undefined : readCursor(query.cursor, resourceId, cursorKey);
    if (query.cursor !== undefined && cursor === undefined) return 'cursor-forged';
    const nowMs = await this.shownAtMs();
    const deltaFrom = await this.deltaFrom(query, nowMs);
    if (deltaFrom === undefined) return 'reference-unknown';
    const { rows } = await pool.query<EntryRow>(
      pageStatement({ query, period: this.findPeriod(query), deltaFrom, cursor, nowMs }),
    );
    const hasMore = rows.length > pageSize;
    const isNewer = cursor?.direction === 'newer';
    const inPage = isNewer ? rows.slice(0, pageSize).toReversed() : rows.slice(0, pageSize);
    const hasOlder = isNewer || hasMore;
    const hasNewer = isNewer ? hasMore : cursor !== undefined;
    return {
      booked: inPage.filter(({ isBooked }) => isBooked).map(this.readEntry),
      pending: inPage.filter(({ isBooked }) => !isBooked).map(this.readEntry),
      nextCursor: hasOlder ? this.cursorAt(inPage.at(-1), 'older', resourceId) : undefined,
      previousCursor: hasNewer ? this.cursorAt(inPage[0], 'newer', resourceId) : undefined,
    };
  }

  /** Returns one entry of the account; a batch entry includes its payments. */
  async entry(
    { resourceId }: { readonly resourceId: string },
    transactionId: string,
  ): Promise<TransactionDetails | undefined> {
    const entryId = parseEntryId(transactionId);
    if (entryId === undefined) return undefined;
    const { rows } = await this.options.pool.query<
      Pick<EntryRow, 'isBooked' | 'details'> & { readonly payments: readonly string[] | null }
    >({
      name: 'history-entry',
      text: oneEntry,
      values: [resourceId, new Date(await this.shownAtMs()).toISOString(), entryId],
    });
    const [row] = rows;
    if (row === undefined) return undefined;
    const entry = this.readEntry(row);
    return row.payments === null ? entry : { ...entry, entryDetails: row.payments.map(readEntryDetail) };
  }

  /**
   * The time as of which entries are shown, in epoch milliseconds: now. While the bank switches to euro, it is before
   * what is booked in leva on the last day, so that each entry has its final place when it is first shown as booked.
   */
  private async shownAtMs(): Promise<number> {
    const { pool, clock, levEnd } = this.options;
    if (levEnd() !== undefined) return clock.nowMs();
    const switchOver = await readSwitchOver(pool);
    if (!isSwitching(switchOver, clock.now())) return clock.nowMs();
    return Date.parse(lastInstantBefore(switchOver.at)) - 1;
  }

  /**
   * The position after which a delta report starts. Undefined if the reference is not that of a booked entry of
   * the account.
   */
  private async deltaFrom(
    { resourceId, entryReferenceFrom, bookedSince }: DeltaQuery,
    nowMs: number,
  ): Promise<Place | undefined> {
    if (bookedSince !== undefined) return placeBefore(Date.parse(bookedSince));
    if (entryReferenceFrom === undefined) return beforeAll;
    const entryId = parseEntryId(entryReferenceFrom);
    if (entryId === undefined) return undefined;
    const { rows } = await this.options.pool.query<{ readonly bookAt: Date }>({
      name: 'history-reference',
      text: 'SELECT book_at AS "bookAt" FROM entry WHERE account_id = $1 AND transaction_id = $2 AND book_at <= $3',
      values: [resourceId, entryId, new Date(nowMs).toISOString()],
    });
    return rows[0] && { atMs: rows[0].bookAt.getTime(), entryId };
  }

  /** The requested days, limited to the range from the earliest possible entry to tomorrow. */
  private findPeriod({ dateFrom, dateTo }: DeltaQuery): Period {
    const today = this.options.clock.date(this.options.timeZone);
    const [dayBeforeAll, tomorrow] = [addDays(firstDayOfAll, -1), addDays(today, 1)];
    const limited = (day: string): string =>
      day < firstDayOfAll ? dayBeforeAll : day > today ? tomorrow : day;
    const [firstDay, lastDay] = [limited(dateFrom), limited(dateTo)];
    const [fromMs, untilMs] = [this.findStart(firstDay), this.findStart(addDays(lastDay, 1))];
    return { firstDay, lastDay, fromMs, untilMs };
  }

  /** The start of a day in epoch milliseconds. Cached, because most queries request the same few days. */
  private findStart(day: string): number {
    const known = this.startsOfDays.get(day);
    if (known !== undefined) return known;
    if (this.startsOfDays.size >= maxStartsOfDays) this.startsOfDays.clear();
    const startMs = Date.parse(startOfBankDay(day, this.options.timeZone));
    this.startsOfDays.set(day, startMs);
    return startMs;
  }

  private cursorAt(
    row: EntryRow | undefined,
    direction: PageCursor['direction'],
    accountId: string,
  ): string | undefined {
    if (row === undefined) return undefined;
    const cursor = { direction, atMs: row.pendingAt.getTime(), entryId: row.entryId };
    return writeCursor(cursor, accountId, this.options.cursorKey);
  }
}

const oneEntry = `
SELECT book_at <= $2 AS "isBooked", details,
  (SELECT array_agg(b.details ORDER BY b.place) FROM ${unvoidedPayments} WHERE b.entry_id = $3) AS payments
FROM entry
WHERE account_id = $1 AND transaction_id = $3`;
