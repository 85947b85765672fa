import { binaryArray } from '@xs2a/postgres/binary-array';
import { getDebit } from '@xs2a/domain/payment/pricing/price-order';
import type { ClientBase } from 'pg';
import { entryDetailText } from '../../rendering/entry-text.js';
import { bankTransactionCodes } from '../data/bank-transaction-codes.js';
import type { Entry } from './entry.js';
import { batchKey, type PlannedHold } from './hold-plan.js';
import { deriveTransferId } from './ledger-ids.js';
import { column, insertEntries } from './ledger-writes.js';

/*
 * Batch booking (contract 9): payments of one batch from one account are one entry in the debtor's history. Each payment has
 * its own transfers all the same; `batch_payment` says which entry shows its hold. The entry is rewritten when a payment
 * comes to it and when one is voided, always under the lock of the account. A booked entry takes no further payments: the
 * next one of the batch begins another entry.
 */

const batchRemittance = 'Масово плащане';

/** SQL: the payments `b` in batch entries, joined with their holds `h`, excluding voided ones. */
export const unvoidedPayments = `batch_payment b JOIN transfer h ON h.id = b.hold_id
  AND NOT EXISTS (SELECT FROM transfer v WHERE v.pending_id = h.id AND v.kind = 'void')`;

/** Finds the entries of these batches that have not been booked yet, by {@link batchKey}. */
export const openBatchEntries = async (
  client: ClientBase,
  batchIds: readonly (string | undefined)[],
  at: string,
): Promise<Map<string, string>> => {
  const asked = [...new Set(batchIds.filter((id) => id !== undefined))];
  if (asked.length === 0) return new Map();
  const { rows } = await client.query<{ entryId: string; accountId: string; batchId: string }>({
    name: 'ledger-open-batch-entries',
    text: `SELECT transaction_id AS "entryId", account_id AS "accountId", batch_id AS "batchId"
      FROM entry WHERE batch_id = ANY($1::uuid[]) AND book_at > $2`,
    values: [binaryArray('uuid', asked), at],
  });
  return new Map(rows.map(({ entryId, accountId, batchId }) => [batchKey(accountId, batchId), entryId]));
};

export type EntryTimes = Pick<Entry, 'valueDate' | 'pendingAt' | 'bookAt'>;

/**
 * Adds payments that have just been held to the entries of their batches. `times` apply to an entry that starts
 * now.
 */
export const addToBatchEntries = async (
  client: ClientBase,
  held: readonly PlannedHold[],
  times: EntryTimes,
  timeZone: string,
): Promise<void> => {
  const batched = held.filter(({ leg, batchId }) => leg === 'payment' && batchId !== undefined);
  if (batched.length === 0) return;
  await insertBatchPayments(client, batched);
  const begun = batched.map(({ entryId, batchId, debitAccount, order }) => ({
    ...times,
    entryId,
    batchId,
    accountId: debitAccount,
    currency: getDebit(order).currency,
  }));
  await writeBatchEntries(client, [...new Set(batched.map(({ entryId }) => entryId))], begun, timeZone);
};

/**
 * Removes payments that have just been voided from the entries of their batches. An entry with no remaining
 * payments is deleted.
 */
export const takeFromBatchEntries = async (
  client: ClientBase,
  paymentIds: readonly string[],
  timeZone: string,
): Promise<void> => {
  const { rows } = await client.query<{ entryId: string }>({
    name: 'ledger-batch-entries-of-holds',
    text: 'SELECT DISTINCT entry_id AS "entryId" FROM batch_payment WHERE hold_id = ANY($1::uuid[])',
    values: [
      binaryArray(
        'uuid',
        paymentIds.map((paymentId) => deriveTransferId('hold', 'payment', paymentId)),
      ),
    ],
  });
  const entryIds = rows.map(({ entryId }) => entryId);
  if (entryIds.length > 0) await writeBatchEntries(client, entryIds, [], timeZone);
};

const insertBatchPayments = async (client: ClientBase, batched: readonly PlannedHold[]): Promise<void> => {
  const rows = batched.map(({ paymentId, entryId, amount, order }) => {
    const { creditorName, creditorAccount, remittance, endToEndId } = order;
    const detail = { creditorName, creditorAccount, remittance, endToEndId };
    return {
      holdId: deriveTransferId('hold', 'payment', paymentId),
      entryId,
      remittance,
      endToEndId,
      details: entryDetailText({ ...detail, amount: { ...getDebit(order), minor: -amount } }),
    };
  });
  await client.query({
    name: 'ledger-insert-batch-payments',
    text: `INSERT INTO batch_payment (hold_id, entry_id, remittance, end_to_end_id, details)
      SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::text[])`,
    values: [
      column('uuid', rows, 'holdId'),
      column('uuid', rows, 'entryId'),
      column('text', rows, 'remittance'),
      column('text', rows, 'endToEndId'),
      column('text', rows, 'details'),
    ],
  });
};

/** The entry of a batch, without the members that are derived from its payments. */
type BatchEntry = EntryTimes & Pick<Entry, 'entryId' | 'accountId' | 'batchId' | 'currency'>;

/** Rewrites entries from their current payments. `begun` contains the entries that do not exist yet. */
const writeBatchEntries = async (
  client: ClientBase,
  entryIds: readonly string[],
  begun: readonly BatchEntry[],
  timeZone: string,
): Promise<void> => {
  const removed = await removeBatchEntries(client, entryIds);
  const batchEntries = new Map([...begun, ...removed].map((entry) => [entry.entryId, entry]));
  const { rows: sums } = await client.query<{ entryId: string; payments: number; minor: number }>({
    name: 'ledger-batch-sums',
    text: `SELECT b.entry_id AS "entryId", count(*)::int AS payments, sum(h.amount)::bigint AS minor
      FROM ${unvoidedPayments} WHERE b.entry_id = ANY($1::uuid[]) GROUP BY b.entry_id`,
    values: [binaryArray('uuid', entryIds)],
  });
  const written = sums.map(({ entryId, payments, minor }): Entry => {
    const entry = batchEntries.get(entryId);
    if (entry === undefined) throw new Error('a batch has payments but no entry');
    return {
      ...entry,
      amount: -minor,
      batchNumberOfTransactions: payments,
      remittance: batchRemittance,
      bankTransactionCode: bankTransactionCodes.transferOut,
    };
  });
  await insertEntries(client, written, timeZone);
};

const removeBatchEntries = async (client: ClientBase, entryIds: readonly string[]): Promise<BatchEntry[]> => {
  const { rows } = await client.query<BatchEntry & { readonly pendingAt: Date; readonly bookAt: Date }>({
    name: 'ledger-remove-batch-entries',
    text: `DELETE FROM entry e USING ledger_account l WHERE l.id = e.account_id AND e.transaction_id = ANY($1::uuid[])
      RETURNING e.transaction_id AS "entryId", e.account_id AS "accountId", e.batch_id AS "batchId", l.currency,
        e.value_date AS "valueDate", e.pending_at AS "pendingAt", e.book_at AS "bookAt"`,
    values: [binaryArray('uuid', entryIds)],
  });
  return rows.map((row) => ({
    ...row,
    pendingAt: row.pendingAt.toISOString(),
    bookAt: row.bookAt.toISOString(),
  }));
};
