import { withClient } from './with-client.js';
import type { Sandbox } from '@xs2a/sandbox/sandbox';

/**
 * Adds history to an account, oldest first over the last 80 days, straight into the table: entries of one deposit each
 * without the ledger's transfers, which reading does not look at.
 */
export const fillHistory = async (sandbox: Sandbox, iban: string, entries: number): Promise<void> =>
  withClient(sandbox.databaseUrl('postgres'), async (client) => {
    await client.query(
      `INSERT INTO accounts.entry (transaction_id, account_id, transfer_id, amount, remittance, value_date, pending_at,
          book_at, details)
        SELECT entry_id, id, gen_random_uuid(), 100 + n, 'Покупка ' || n, at::date, at, at,
          '{"transactionId":"' || told || '","entryReference":"' || told || '","bookingDate":"' || at::date
          || '","valueDate":"' || at::date || '","transactionAmount":{"currency":"BGN","amount":"' || ((100 + n) / 100.0)::numeric(9, 2)
          || '"},"debtorName":"Магазин Изток ООД","debtorAccount":{"iban":"BG18RZBB91550123456789"},'
          || '"remittanceInformationUnstructured":"Покупка ' || n || '","bankTransactionCode":"PMNT-RCDT-DMCT"}'
        FROM accounts.account, generate_series(1, $2::int) AS n,
          LATERAL (SELECT now() - interval '80 days' * (1 - n / $2::float) AS at, gen_random_uuid() AS entry_id, n AS one) AS made,
          LATERAL (SELECT replace(entry_id::text, '-', '') AS told) AS ids
        WHERE iban = $1`,
      [iban, entries],
    );
    // As with every booking: pages that were read of the account before are told no more.
    await client.query(
      'UPDATE accounts.ledger_account SET customer = customer WHERE id = (SELECT id FROM accounts.account WHERE iban = $1)',
      [iban],
    );
    await client.query('ANALYZE accounts.entry');
  });

/** Copies of an authorised consent as the status view has them; answers their ids. */
export const copyConsent = async (
  sandbox: Sandbox,
  consentId: string,
  copies: number,
): Promise<readonly string[]> =>
  withClient(sandbox.databaseUrl('postgres'), async (client) => {
    const { rows } = await client.query<{ stream_id: string }>(
      `INSERT INTO consents.consent_view (stream_id, version, last_hash, state, tpp_id, holder, status, recurring, due_at)
        SELECT id, version, last_hash, state::jsonb || jsonb_build_object('consentId', id), tpp_id, holder || '-' || n, status, recurring, due_at
        FROM consents.consent_view, generate_series(1, $2::int) AS n, LATERAL (SELECT gen_random_uuid() AS id, n AS one) AS made
        WHERE stream_id = $1
        RETURNING stream_id`,
      [consentId, copies],
    );
    await client.query('ANALYZE consents.consent_view');
    return rows.map((row) => row.stream_id);
  });
