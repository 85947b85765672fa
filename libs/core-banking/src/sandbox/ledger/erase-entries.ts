import { deriveBookingId, deriveDebtorEntryId } from '@xs2a/runtime/booking-ids';
import type { Pool } from 'pg';
import { deriveHoldId } from '../../port/booking-keys.js';
import { deriveCreditorEntryId, deriveFeeEntryId } from './ledger-ids.js';

/** Maximum number of occurrences of an order, or entries of a bulk payment, whose texts are searched for. */
const maxParts = 1000;

/**
 * Removes names, accounts and texts from the entries of payments, periodic orders and bulk payments. Amounts and
 * dates are kept. Applies only to the sandbox bank: a bank's own core system has its own books and erases data by
 * its own rules. Does nothing if the sandbox tables do not exist. May be repeated.
 */
export const eraseEntries = async (pool: Pool, paymentIds: readonly string[]): Promise<void> => {
  const { rows } = await pool.query<{ there: boolean }>("SELECT to_regclass('entry') IS NOT NULL AS there");
  if (rows[0]?.there !== true) return;
  for (const paymentId of paymentIds) {
    const parts = Array.from({ length: maxParts }, (_, index) =>
      deriveBookingId({ paymentId, number: index + 1 }),
    );
    const bookingIds = [paymentId, ...parts];
    const entryIds = [deriveDebtorEntryId, deriveCreditorEntryId, deriveFeeEntryId].flatMap((derive) =>
      bookingIds.map(derive),
    );
    await withoutTexts(pool, { table: 'entry', key: 'transaction_id', ids: entryIds });
    await withoutTexts(pool, { table: 'batch_payment', key: 'hold_id', ids: bookingIds.map(deriveHoldId) });
  }
};

const texts = [
  'creditorName',
  'creditorAccount',
  'debtorName',
  'debtorAccount',
  'remittanceInformationUnstructured',
  'endToEndId',
] as const;

const withoutTexts = async (
  pool: Pool,
  { table, key, ids }: { readonly table: string; readonly key: string; readonly ids: readonly string[] },
): Promise<void> => {
  const { rows } = await pool.query<{ id: string; details: string }>(
    `SELECT ${key} AS id, details FROM ${table} WHERE ${key} = ANY($1::uuid[])`,
    [ids],
  );
  const left = rows.map(({ details }) => {
    const members = Object.entries(JSON.parse(details) as Readonly<Record<string, unknown>>);
    return JSON.stringify(
      Object.fromEntries(members.filter(([name]) => !texts.some((text) => text === name))),
    );
  });
  await pool.query(
    `UPDATE ${table} t SET remittance = NULL, end_to_end_id = NULL, details = n.details
     FROM unnest($1::uuid[], $2::text[]) AS n (id, details) WHERE t.${key} = n.id`,
    [rows.map(({ id }) => id), left],
  );
};
