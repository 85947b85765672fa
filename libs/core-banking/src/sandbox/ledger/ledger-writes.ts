import { toBankDate } from '@xs2a/domain/time/bank-calendar';
import { binaryArray, type ElementType } from '@xs2a/postgres/binary-array';
import type { ClientBase } from 'pg';
import { renderDetails } from './entry-details.js';
import type { Entry } from './entry.js';
import type { Leg } from './ledger-ids.js';

/**
 * A movement between two ledger accounts, which is never changed after it is written. The amount is in minor units
 * and greater than zero.
 */
export interface Transfer {
  readonly id: string;
  readonly kind: 'hold' | 'post' | 'void' | 'direct';
  /** The id of the payment that is held, posted or voided. */
  readonly paymentId?: string;
  /** The leg of the payment. Absent for the leg `payment`. */
  readonly leg?: Leg;
  /** The hold that a post or void completes. */
  readonly pendingId?: string;
  readonly debitAccount: string;
  readonly creditAccount: string;
  readonly amount: number;
  /** ISO instant. */
  readonly at: string;
}

/** Builds a PostgreSQL array for a column from one member of every row. */
export const column = <Row>(type: ElementType, rows: readonly Row[], name: keyof Row): Buffer =>
  binaryArray(
    type,
    rows.map((row) => row[name]),
  );

export const insertTransfers = async (client: ClientBase, transfers: readonly Transfer[]): Promise<void> => {
  if (transfers.length === 0) return;
  await client.query({
    name: 'ledger-insert-transfers',
    text: `INSERT INTO transfer (id, kind, payment_id, pending_id, debit_account, credit_account, amount, at, leg)
      SELECT * FROM unnest($1::uuid[], $2::text[], $3::uuid[], $4::uuid[], $5::uuid[], $6::uuid[], $7::bigint[], $8::timestamptz[], $9::text[])`,
    values: [
      column('uuid', transfers, 'id'),
      column('text', transfers, 'kind'),
      column('uuid', transfers, 'paymentId'),
      column('uuid', transfers, 'pendingId'),
      column('uuid', transfers, 'debitAccount'),
      column('uuid', transfers, 'creditAccount'),
      column('bigint', transfers, 'amount'),
      column('timestamptz', transfers, 'at'),
      binaryArray(
        'text',
        transfers.map(({ leg = 'payment' }) => leg),
      ),
    ],
  });
};

/** Inserts entries. Booking dates are in the bank's time zone. */
export const insertEntries = async (
  client: ClientBase,
  entries: readonly Entry[],
  timeZone: string,
): Promise<void> => {
  if (entries.length === 0) return;
  await client.query({
    name: 'ledger-insert-entries',
    text: `INSERT INTO entry (transaction_id, account_id, transfer_id, amount, remittance, end_to_end_id, value_date,
        pending_at, book_at, batch_id, details)
      SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::bigint[], $5::text[], $6::text[], $7::date[],
        $8::timestamptz[], $9::timestamptz[], $10::uuid[], $11::text[])`,
    values: [
      column('uuid', entries, 'entryId'),
      column('uuid', entries, 'accountId'),
      column('uuid', entries, 'transferId'),
      column('bigint', entries, 'amount'),
      column('text', entries, 'remittance'),
      column('text', entries, 'endToEndId'),
      column('date', entries, 'valueDate'),
      column('timestamptz', entries, 'pendingAt'),
      column('timestamptz', entries, 'bookAt'),
      column('uuid', entries, 'batchId'),
      binaryArray('text', renderDetails(entries, timeZone)),
    ],
  });
};

/** Books pending entries at an ISO instant; the booking date is in the bank's time zone. */
export const bookEntriesAt = async (
  client: ClientBase,
  entryIds: readonly string[],
  at: string,
  timeZone: string,
): Promise<void> => {
  const { rows } = await client.query<{ entryId: string; details: string }>({
    name: 'ledger-read-details',
    text: 'SELECT transaction_id AS "entryId", details FROM entry WHERE transaction_id = ANY($1::uuid[])',
    values: [entryIds],
  });
  const bookingDate = toBankDate(at, timeZone);
  const booked = rows.map(({ entryId, details }) => ({
    entryId,
    details: JSON.stringify({ ...(JSON.parse(details) as object), bookingDate }),
  }));
  await client.query({
    name: 'ledger-book-entries',
    text: `UPDATE entry e SET book_at = $3, details = b.details
      FROM unnest($1::uuid[], $2::text[]) AS b (entry_id, details) WHERE e.transaction_id = b.entry_id`,
    values: [column('uuid', booked, 'entryId'), column('text', booked, 'details'), at],
  });
};

/** The changes to the four counters of one account, in minor units. */
interface Movement {
  readonly account: string;
  debitsPending: number;
  debitsPosted: number;
  creditsPending: number;
  creditsPosted: number;
}

const listMovements = (transfers: readonly Transfer[]): Movement[] => {
  const movements = new Map<string, Movement>();
  const of = (account: string): Movement => {
    const known = movements.get(account);
    if (known !== undefined) return known;
    const made = { account, debitsPending: 0, debitsPosted: 0, creditsPending: 0, creditsPosted: 0 };
    movements.set(account, made);
    return made;
  };
  for (const { kind, debitAccount, creditAccount, amount } of transfers) {
    const pending = { hold: amount, post: -amount, void: -amount, direct: 0 }[kind];
    const posted = { hold: 0, post: amount, void: 0, direct: amount }[kind];
    of(debitAccount).debitsPending += pending;
    of(debitAccount).debitsPosted += posted;
    of(creditAccount).creditsPending += pending;
    of(creditAccount).creditsPosted += posted;
  }
  return [...movements.values()];
};

/** Updates the counters of the customer accounts in the transfers. The caller must have locked these accounts. */
export const moveCounters = async (client: ClientBase, transfers: readonly Transfer[]): Promise<void> => {
  const movements = listMovements(transfers);
  if (movements.length === 0) return;
  await client.query({
    name: 'ledger-move-counters',
    text: `UPDATE ledger_account l SET
        debits_pending = l.debits_pending + m.debits_pending, debits_posted = l.debits_posted + m.debits_posted,
        credits_pending = l.credits_pending + m.credits_pending, credits_posted = l.credits_posted + m.credits_posted
      FROM unnest($1::uuid[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[])
        AS m (id, debits_pending, debits_posted, credits_pending, credits_posted)
      WHERE l.id = m.id AND l.customer`,
    values: [
      column('uuid', movements, 'account'),
      column('bigint', movements, 'debitsPending'),
      column('bigint', movements, 'debitsPosted'),
      column('bigint', movements, 'creditsPending'),
      column('bigint', movements, 'creditsPosted'),
    ],
  });
};
