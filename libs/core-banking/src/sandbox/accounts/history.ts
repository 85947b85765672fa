import type { TransactionDetails, TransactionEntry } from '@xs2a/contracts/accounts.contract';
import { lastInstantBefore } from '@xs2a/domain/switch-over/switch-over-phase';
import { addDays, startOfBankDay } from '@xs2a/domain/time/bank-calendar';
import type { Clock } from '@xs2a/runtime/clock';
import type { KeyObject } from 'node:crypto';
import type { Pool } from 'pg';
import type { DeltaQuery, EntriesPage, EntriesRefusal } from '../../port/accounts.js';
import { unvoidedPayments } from '../ledger/batch-entries.js';
import { inEuro, readEntry, readEntryDetail } from '../ledger/entry-details.js';
import { parseEntryId } from '../ledger/ledger-ids.js';
import { type PageCursor, readCursor, writeCursor } from './page-cursor.js';
import {
  isSwitching,
  parseSwitchOver,
  readSwitchOver,
  type SwitchOverSetting,
} from '../switch-over/switch-over-setting.js';
import { type PageRow, pageStatement, type Period, type Place, placeBefore } from './page-statement.js';
import { storedPage } from './stored-page.js';

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

  private readonly readEntry = (row: Parameters<typeof readEntry>[0]): TransactionEntry => {
    const levEnd = this.options.levEnd();
    const entry = readEntry(row);
    return levEnd === undefined ? entry : inEuro(entry, levEnd);
  };

  /** Returns one page, newest entries first. */
  async page(query: DeltaQuery): Promise<EntriesPage | EntriesRefusal> {
    const { clock, cursorKey } = this.options;
    const cursor =
      query.cursor === undefined ? undefined : readCursor(query.cursor, query.resourceId, cursorKey);
    if (query.cursor !== undefined && cursor === undefined) return 'cursor-forged';
    const nowMs = clock.nowMs();
    const row = await this.readRow(query, cursor, nowMs);
    if (row === undefined) return 'reference-unknown';
    const shownAtMs = this.shownAtMs(parseSwitchOver(row.switchOver), nowMs);
    const shown = shownAtMs === nowMs ? row : await this.readRow(query, cursor, shownAtMs);
    return shown === undefined ? 'reference-unknown' : this.toPage(query, cursor, shown);
  }

  /**
   * Reads a page of the history as of `nowMs` (epoch milliseconds). Returns undefined if a delta query names an entry reference
   * that the account does not have.
   */
  private async readRow(
    query: DeltaQuery,
    cursor: PageCursor | undefined,
    nowMs: number,
  ): Promise<PageRow | undefined> {
    const deltaFrom = await this.deltaFrom(query, nowMs);
    if (deltaFrom === undefined) return undefined;
    const period = this.findPeriod(query);
    const { rows } = await this.options.pool.query<PageRow>(
      pageStatement({ query, period, deltaFrom, cursor, nowMs }),
    );
    return rows[0];
  }

  private toPage({ resourceId }: DeltaQuery, cursor: PageCursor | undefined, row: PageRow): EntriesPage {
    const isNewer = cursor?.direction === 'newer';
    const begin = toPlace(row.beginAt, row.beginId);
    const end = toPlace(row.endAt, row.endId);
    const [newest, oldest] = isNewer ? [end, begin] : [begin, end];
    const hasOlder = isNewer || row.hasMore;
    const hasNewer = isNewer ? row.hasMore : cursor !== undefined;
    return storedPage(row, this.options.levEnd(), {
      nextCursor: hasOlder ? this.cursorAt(oldest, 'older', resourceId) : undefined,
      previousCursor: hasNewer ? this.cursorAt(newest, 'newer', resourceId) : undefined,
    });
  }

  /** Returns one entry of the account; a batch entry includes its payments. */
  async entry(
    { resourceId }: { readonly resourceId: string },
    transactionId: string,
  ): Promise<TransactionDetails | undefined> {
    const entryId = parseEntryId(transactionId);
    if (entryId === undefined) return undefined;
    const { pool, clock } = this.options;
    const shownAtMs = this.shownAtMs(await readSwitchOver(pool), clock.nowMs());
    const { rows } = await pool.query<{
      readonly isBooked: boolean;
      readonly details: string;
      readonly payments: readonly string[] | null;
    }>({
      name: 'history-entry',
      text: oneEntry,
      values: [resourceId, new Date(shownAtMs).toISOString(), entryId],
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
  private shownAtMs(switchOver: SwitchOverSetting | undefined, nowMs: number): number {
    if (this.options.levEnd() !== undefined) return nowMs;
    if (!isSwitching(switchOver, new Date(nowMs).toISOString())) return nowMs;
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
    place: Place | undefined,
    direction: PageCursor['direction'],
    accountId: string,
  ): string | undefined {
    return place && writeCursor({ direction, ...place }, accountId, this.options.cursorKey);
  }
}

const toPlace = (at: Date | null, entryId: string | null): Place | undefined =>
  at === null || entryId === null ? undefined : { atMs: at.getTime(), entryId };

const oneEntry = `
SELECT book_at <= $2 AS "isBooked", details,
  (SELECT array_agg(b.details ORDER BY b.place) FROM ${unvoidedPayments} WHERE b.entry_id = $3) AS payments
FROM entry
WHERE account_id = $1 AND transaction_id = $3`;
