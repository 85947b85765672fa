import type { BenchWorld } from './bench-world.js';
import type { Customer } from './customers.js';

const accountsPerStatement = 200;

/**
 * SQL that inserts booked entries in the form in which the sandbox bank stores them
 * (libs/core-banking/src/sandbox/ledger/entry-details.ts).
 */
const insertEntries = `
INSERT INTO accounts.entry (transaction_id, account_id, transfer_id, amount, remittance, value_date, pending_at,
  book_at, details)
SELECT entry_id, account_id, gen_random_uuid(), 100 + n, 'Покупка ' || n, at::date, at, at,
  '{"transactionId":"' || told || '","entryReference":"' || told || '","bookingDate":"' || at::date
  || '","valueDate":"' || at::date || '","transactionAmount":{"currency":"BGN","amount":"' || ((100 + n) / 100.0)::numeric(9, 2)
  || '"},"debtorName":"Магазин Изток ООД","debtorAccount":{"iban":"BG18RZBB91550123456789"},'
  || '"remittanceInformationUnstructured":"Покупка ' || n || '","bankTransactionCode":"PMNT-RCDT-DMCT"}'
FROM generate_series(1, $2::int) AS n,
  (SELECT id AS account_id FROM unnest($1::uuid[]) AS id
    WHERE NOT EXISTS (SELECT FROM accounts.entry WHERE account_id = id AND remittance = 'Покупка 1')) AS empty,
  LATERAL (SELECT now() - interval '80 days' * (1 - n / $2::float) AS at, gen_random_uuid() AS entry_id,
    n AS one, account_id AS other) AS made,
  LATERAL (SELECT replace(entry_id::text, '-', '') AS told) AS ids`;

/**
 * Adds history to each account that has none, oldest entry first over the last 80 days, so that the entries of an
 * account are as far apart on disk as if they had been booked day by day. The entries have no transfers, because
 * reads do not need them.
 */
export const fillHistories = async (
  { database }: BenchWorld,
  accounts: readonly Customer[],
  entriesEach: number,
): Promise<void> => {
  for (let from = 0; from < accounts.length; from += accountsPerStatement) {
    const ids = accounts.slice(from, from + accountsPerStatement).map(({ resourceId }) => resourceId);
    await database.query(insertEntries, [ids, entriesEach]);
  }
  await database.query('ANALYZE accounts.entry');
};
