import { toClearingAccount } from '@xs2a/core-banking/sandbox/ledger/ledger-ids';
import type { Pool } from 'pg';
import { customers } from './customers.js';

/** The opening balance in minor units: ten million on each account. */
const opening = 1_000_000_000;

/**
 * Adds the {@link customers} directly to the sandbox bank's tables, because POST /sandbox/psus would cost one
 * argon2id hash each. None of them signs in. The opening balances are recorded as transfers from other banks.
 */
export const openAccounts = async (database: Pool, currency: string): Promise<void> => {
  await database.query(
    `WITH customer AS (SELECT * FROM unnest($1::text[], $2::text[], $3::uuid[]) AS c (psu_id, iban, id)),
      person AS (INSERT INTO accounts.psu (psu_id, name, password_hash) SELECT psu_id, 'Мария Петрова', '-' FROM customer),
      book AS (INSERT INTO accounts.ledger_account (id, currency, customer, credits_posted)
        SELECT id, $6, true, $4 FROM customer),
      opened AS (INSERT INTO accounts.transfer (id, kind, debit_account, credit_account, amount, at)
        SELECT gen_random_uuid(), 'direct', $5, id, $4, now() FROM customer)
    INSERT INTO accounts.account (id, iban, type, product, status, main, psu_id)
      SELECT id, iban, 'CACC', 'Current account', 'enabled', true, psu_id FROM customer`,
    [
      customers.map(({ psuId }) => psuId),
      customers.map(({ iban }) => iban),
      customers.map(({ resourceId }) => resourceId),
      opening,
      toClearingAccount('incoming', currency),
      currency,
    ],
  );
  await database.query('ANALYZE accounts.psu, accounts.account, accounts.ledger_account');
};
