import type { TransactionEntry } from '@xs2a/contracts/accounts.contract';
import { addDays, startOfBankDay } from '@xs2a/domain/time/bank-calendar';
import type { Clock } from '@xs2a/runtime/clock';
import { type Pool, types } from 'pg';
import type { EntriesPage, EntriesQuery } from '../port/accounts.js';
import type { KeyObject } from 'node:crypto';
import { entryIdOf, transactionIdOf } from './ledger-ids.js';
import { readCursor, writeCursor, type PageCursor } from './page-cursor.js';

export interface HistoryOptions {
  readonly pool: Pool;
  readonly clock: Clock;
  readonly timeZone: string;
  /** Seals cursors. */
  readonly cursorKey: KeyObject;
}

/** In the order of {@link columns}, each as the text that PostgreSQL sends: most of it goes on as text. */
type Row = readonly [
  id: string,
  amount: string,
  name: string | null,
  account: string | null,
  remittance: string | null,
  endToEndId: string | null,
  code: string | null,
  valueDate: string,
  pendingAt: string,
  /** ISO date; null while pending. */
  bookingDate: string | null,
];

const columns = `transaction_id, amount, counterparty_name, counterparty_account, remittance, end_to_end_id,
  bank_transaction_code, value_date, pending_at, CASE WHEN book_at <= $2 THEN (book_at AT TIME ZONE $3)::date END`;
const asText = { getTypeParser: () => (text: string | Buffer) => text };
const instantMs = (text: string): number =>
  (types.getTypeParser(types.builtins.TIMESTAMPTZ) as (text: string) => Date)(text).getTime();

/**
 * A booked entry counts by its booking date, a pending one by its value date. $4 and $5 are where the index scan begins,
 * $6 where it ends: one bound at each end, since a scan with two would begin at the looser one.
 */
const pageStatement = (direction: PageCursor['direction']): string => {
  const [after, until, order] = direction === 'older' ? ['<', '>=', 'DESC'] : ['>', '<', 'ASC'];
  return `SELECT ${columns} FROM entry
    WHERE account_id = $1 AND (pending_at, transaction_id) ${after} ($4, $5::uuid) AND pending_at ${until} $6
      AND CASE WHEN book_at <= $2 THEN $10 AND book_at >= $7 AND book_at < $8
          ELSE $11 AND value_date >= $9::date AND value_date <= $12::date END
    ORDER BY pending_at ${order}, transaction_id ${order} LIMIT $13`;
};
const statements = { older: pageStatement('older'), newer: pageStatement('newer') };

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
const mostStarts = 1000;
const hourMs = 3_600_000;
const iso = (ms: number): string => new Date(ms).toISOString();

/** An account's entries, read by key from an index, so that the cost of a page does not grow with the history. */
export class History {
  private readonly starts = new Map<string, number>();

  constructor(private readonly options: HistoryOptions) {}

  async page(query: EntriesQuery): Promise<EntriesPage | 'cursor-forged'> {
    const { resourceId, pageSize } = query;
    const cursor =
      query.cursor === undefined ? newest : readCursor(query.cursor, resourceId, this.options.cursorKey);
    if (cursor === undefined) return 'cursor-forged';
    const { rows } = await this.options.pool.query<[...Row]>({
      rowMode: 'array',
      types: asText,
      name: `history-page-${cursor.direction}`,
      text: statements[cursor.direction],
      values: this.pageValues(query, cursor),
    });
    const more = rows.length > pageSize;
    const page = rows.slice(0, pageSize);
    if (cursor.direction === 'newer') page.reverse();
    const hasOlder = cursor.direction === 'newer' || more;
    const hasNewer = cursor.direction === 'newer' ? more : query.cursor !== undefined;
    const entries = page.map((row) => entryOf(row, query.currency));
    return {
      booked: entries.filter((entry) => entry.bookingDate !== undefined),
      pending: entries.filter((entry) => entry.bookingDate === undefined),
      nextCursor: hasOlder ? this.cursorAt(page.at(-1), 'older', resourceId) : undefined,
      previousCursor: hasNewer ? this.cursorAt(page[0], 'newer', resourceId) : undefined,
    };
  }

  async entry(
    account: { readonly resourceId: string; readonly currency: string },
    transactionId: string,
  ): Promise<TransactionEntry | undefined> {
    const entryId = entryIdOf(transactionId);
    if (entryId === undefined) return undefined;
    const { rows } = await this.options.pool.query<[...Row]>({
      rowMode: 'array',
      types: asText,
      name: 'history-entry',
      text: `SELECT ${columns} FROM entry WHERE account_id = $1 AND transaction_id = $4`,
      values: [account.resourceId, this.options.clock.now(), this.options.timeZone, entryId],
    });
    return rows[0] === undefined ? undefined : entryOf(rows[0], account.currency);
  }

  private pageValues(query: EntriesQuery, cursor: PageCursor): unknown[] {
    const { clock, timeZone } = this.options;
    const today = clock.date(timeZone);
    const first = clamp(query.dateFrom, today);
    const last = clamp(query.dateTo, today);
    const from = this.startOf(first);
    const to = this.startOf(addDays(last, 1));
    const wantsBooked = query.bookingStatus !== 'pending';
    // An entry is booked at most an hour after it became pending.
    const earliest = wantsBooked ? from - hourMs : Math.max(from, clock.nowMs()) - hourMs;
    const isOlder = cursor.direction === 'older';
    const [nearest, end] = isOlder ? [to, earliest] : [earliest, to];
    const isInside = isOlder ? cursor.atMs < nearest : cursor.atMs >= nearest;
    const start = isInside ? cursor : { atMs: nearest, entryId: lowestId };
    return [
      query.resourceId,
      clock.now(),
      timeZone,
      iso(start.atMs),
      start.entryId,
      iso(end),
      iso(from),
      iso(to),
      first,
      wantsBooked,
      query.bookingStatus !== 'booked',
      last,
      query.pageSize + 1,
    ];
  }

  /** Epoch milliseconds; kept, since most callers ask for the same few days. */
  private startOf(date: string): number {
    const known = this.starts.get(date);
    if (known !== undefined) return known;
    if (this.starts.size >= mostStarts) this.starts.clear();
    const start = Date.parse(startOfBankDay(date, this.options.timeZone));
    this.starts.set(date, start);
    return start;
  }

  private cursorAt(
    row: Row | undefined,
    direction: PageCursor['direction'],
    accountId: string,
  ): string | undefined {
    if (row === undefined) return undefined;
    const [entryId, , , , , , , , pendingAt] = row;
    const place = { direction, atMs: instantMs(pendingAt), entryId };
    return writeCursor(place, accountId, this.options.cursorKey);
  }
}

/** The other side is the creditor of a debit and the debtor of a credit. */
const entryOf = (row: Row, currency: string): TransactionEntry => {
  const [id, amount, name, account, remittance, endToEndId, code, valueDate, , bookingDate] = row;
  const transactionId = transactionIdOf(id);
  const minor = Number(amount);
  const isDebit = minor < 0;
  return {
    transactionId,
    entryReference: bookingDate === null ? undefined : transactionId,
    endToEndId: endToEndId ?? undefined,
    bookingDate: bookingDate ?? undefined,
    valueDate,
    amount: { minor, currency },
    creditorName: isDebit ? (name ?? undefined) : undefined,
    creditorAccount: isDebit ? (account ?? undefined) : undefined,
    debtorName: isDebit ? undefined : (name ?? undefined),
    debtorAccount: isDebit ? undefined : (account ?? undefined),
    remittance: remittance ?? undefined,
    bankTransactionCode: code ?? undefined,
  };
};
