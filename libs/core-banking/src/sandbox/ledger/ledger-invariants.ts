import type { Pool } from 'pg';
import { unvoidedPayments } from './batch-entries.js';
import { toClearingAccount } from './ledger-ids.js';

/**
 * The SQL condition that divides rows by a key into `$2` slices and selects slice `$1`. Every row is in exactly
 * one slice, and rows with the same key are in the same slice.
 */
const inSlice = (key: string): string => `abs(uuid_hash(${key}) % $2::int) = $1::int`;

/** SQL for the currency that an account had at the time of a transfer: before its conversion, the lev. */
const currencyAt = (account: string, transfer: string): string =>
  `CASE WHEN ${transfer}.at < ${account}.converted_at THEN 'BGN' ELSE ${account}.currency END`;

/**
 * Each statement returns one row per violation in its slice, with a text in `violation`. The first two statements
 * imply that debits equal credits: every transfer is between two accounts of one currency, and every counter is
 * the sum of its transfers.
 */
const checks: readonly string[] = [
  // The counters of an account must be the sums of its transfers, since its conversion if it was converted; clearing
  // accounts have no counters.
  `WITH moved AS (
     SELECT a.id,
       sum(CASE WHEN a.debit THEN s.pending * a.amount ELSE 0 END) AS debits_pending,
       sum(CASE WHEN a.debit THEN s.posted * a.amount ELSE 0 END) AS debits_posted,
       sum(CASE WHEN a.debit THEN 0 ELSE s.pending * a.amount END) AS credits_pending,
       sum(CASE WHEN a.debit THEN 0 ELSE s.posted * a.amount END) AS credits_posted
     FROM (SELECT debit_account AS id, kind, amount, true AS debit, at FROM transfer
           UNION ALL SELECT credit_account, kind, amount, false, at FROM transfer) a
     JOIN (VALUES ('hold', 1, 0), ('post', -1, 1), ('void', -1, 0), ('direct', 0, 1)) AS s (kind, pending, posted) USING (kind)
     JOIN ledger_account c ON c.id = a.id AND (a.at < c.converted_at) IS NOT TRUE
     WHERE ${inSlice('a.id')}
     GROUP BY a.id)
   SELECT 'counters of account ' || l.id || ' are not the sums of its transfers' AS violation
   FROM ledger_account l LEFT JOIN moved m ON m.id = l.id
   WHERE ${inSlice('l.id')} AND (l.debits_pending, l.debits_posted, l.credits_pending, l.credits_posted) IS DISTINCT FROM
     (CASE WHEN l.customer THEN coalesce(m.debits_pending, 0) ELSE 0 END, CASE WHEN l.customer THEN coalesce(m.debits_posted, 0) ELSE 0 END,
      CASE WHEN l.customer THEN coalesce(m.credits_pending, 0) ELSE 0 END, CASE WHEN l.customer THEN coalesce(m.credits_posted, 0) ELSE 0 END)`,
  `SELECT 'transfer ' || t.id || ' names an account that does not exist, or two currencies' AS violation
   FROM transfer t LEFT JOIN ledger_account d ON d.id = t.debit_account LEFT JOIN ledger_account c ON c.id = t.credit_account
   WHERE ${inSlice('t.id')} AND (d.currency IS NULL OR c.currency IS NULL OR ${currencyAt('d', 't')} <> ${currencyAt('c', 't')})`,
  // The leva of a converted account are all converted, at the fixed rate (contract E6.6).
  `SELECT 'account ' || l.id || ' still has leva' AS violation
   FROM ledger_account l JOIN (
     SELECT a.id, sum(a.amount * s.balance) AS balance, sum(a.amount * s.pending) AS pending
     FROM (SELECT debit_account AS id, kind, -amount AS amount, at FROM transfer
           UNION ALL SELECT credit_account, kind, amount, at FROM transfer) a
     JOIN (VALUES ('hold', 0, 1), ('post', 1, -1), ('void', 0, -1), ('direct', 1, 0)) AS s (kind, balance, pending) USING (kind)
     JOIN ledger_account c ON c.id = a.id AND c.customer AND a.at < c.converted_at
     WHERE ${inSlice('a.id')} GROUP BY a.id) lev ON lev.id = l.id
   WHERE lev.balance <> 0 OR lev.pending <> 0`,
  `SELECT 'account ' || id || ' was not converted at the fixed rate' AS violation
   FROM (SELECT a.id, sum(a.amount) FILTER (WHERE clearing = $3) AS lev, sum(a.amount) FILTER (WHERE clearing = $4) AS euro
     FROM (SELECT credit_account AS id, debit_account AS clearing, amount FROM transfer WHERE debit_account IN ($3, $4)
           UNION ALL SELECT debit_account, credit_account, -amount FROM transfer WHERE credit_account IN ($3, $4)) a
     JOIN ledger_account c ON c.id = a.id AND c.customer
     WHERE ${inSlice('a.id')} GROUP BY a.id) converted
   WHERE round(-lev * 100000 / 195583) IS DISTINCT FROM euro`,
  `SELECT 'account ' || id || ' is overdrawn beyond its limit' AS violation
   FROM ledger_account WHERE ${inSlice('id')} AND debits_posted + debits_pending > credits_posted + credit_limit`,
  `SELECT 'payment ' || payment_id || ' has ' || count(*) || ' transfers of kind ' || min(kind) || ' for its ' || leg AS violation
   FROM transfer WHERE payment_id IS NOT NULL AND ${inSlice('payment_id')}
   GROUP BY payment_id, leg, CASE WHEN kind = 'hold' THEN 'hold' ELSE 'completion' END HAVING count(*) > 1`,
  `SELECT 'transfer ' || t.id || ' does not complete its hold' AS violation
   FROM transfer t LEFT JOIN transfer h ON h.id = t.pending_id AND h.kind = 'hold'
   WHERE t.kind IN ('post', 'void') AND ${inSlice('t.id')} AND (t.payment_id, t.leg, t.amount, t.debit_account, t.credit_account)
     IS DISTINCT FROM (h.payment_id, h.leg, h.amount, h.debit_account, h.credit_account)`,
  `SELECT 'the legs of payment ' || h.payment_id || ' did not end together' AS violation
   FROM transfer h LEFT JOIN transfer c ON c.pending_id = h.id WHERE h.kind = 'hold' AND ${inSlice('h.payment_id')}
   GROUP BY h.payment_id HAVING count(DISTINCT coalesce(c.kind, 'open')) > 1`,
  // The history must match the ledger: one entry for each hold that is not voided, none for a voided one, and
  // one for all holds of a batch.
  `SELECT 'the debtor entry of hold ' || h.id || ' is missing, twice there or of another amount' AS violation
   FROM transfer h LEFT JOIN entry e ON e.transfer_id = h.id
   WHERE h.kind = 'hold' AND h.leg <> 'exchange' AND ${inSlice('h.id')}
     AND NOT EXISTS (SELECT FROM transfer v WHERE v.pending_id = h.id AND v.kind = 'void')
     AND NOT EXISTS (SELECT FROM batch_payment b WHERE b.hold_id = h.id)
   GROUP BY h.id, h.amount, h.debit_account
   HAVING count(*) FILTER (WHERE e.amount = -h.amount AND e.account_id = h.debit_account) <> 1`,
  `SELECT 'entry ' || e.transaction_id || ' belongs to no transfer in force' AS violation
   FROM entry e LEFT JOIN transfer t ON t.id = e.transfer_id
   WHERE e.batch_id IS NULL AND ${inSlice('e.transfer_id')} AND (t.id IS NULL OR abs(e.amount) <> t.amount
     OR EXISTS (SELECT FROM transfer v WHERE v.pending_id = t.id AND v.kind = 'void'))`,
  `SELECT 'batch entry ' || coalesce(b.entry_id, e.transaction_id) || ' is not the sum of its payments' AS violation
   FROM (SELECT b.entry_id, count(*) AS payments, sum(h.amount) AS amount, array_agg(DISTINCT h.debit_account) AS accounts
     FROM ${unvoidedPayments} WHERE ${inSlice('b.entry_id')} GROUP BY b.entry_id) b
   FULL JOIN (SELECT transaction_id, account_id, amount, (details::json->>'batchNumberOfTransactions')::int AS payments
     FROM entry WHERE batch_id IS NOT NULL AND ${inSlice('transaction_id')}) e ON e.transaction_id = b.entry_id
   WHERE (e.amount, e.payments, ARRAY[e.account_id]) IS DISTINCT FROM (-b.amount, b.payments, b.accounts)`,
  `SELECT 'payment ' || b.hold_id || ' of batch entry ' || b.entry_id || ' has no hold' AS violation
   FROM batch_payment b LEFT JOIN transfer h ON h.id = b.hold_id AND h.kind = 'hold' AND h.leg = 'payment'
   WHERE ${inSlice('b.hold_id')} AND h.id IS NULL`,
];

/** `$3` and `$4`: the bank's accounts through which leva were converted. */
const conversion = ['BGN', 'EUR'].map((currency) => toClearingAccount('conversion', currency));

/**
 * A slice of this size has about 150,000 transfers, so that checking it takes far less time than the pool's
 * timeout.
 */
const sliceBytes = 20_000_000;

/**
 * Checks all invariants of the ledger and returns a sentence for each violation. It can run while payments are
 * booked, because each statement sees one snapshot and compares only data in its slice. It reads the whole ledger,
 * and a large one many times, so it is meant for tests and operators, not for requests.
 */
export const ledgerViolations = async (pool: Pool, bytesInSlice = sliceBytes): Promise<string[]> => {
  const { rows: sizes } = await pool.query<{ bytes: number }>("SELECT pg_relation_size('transfer') AS bytes");
  const slices = 1 + Math.floor((sizes[0]?.bytes ?? 0) / bytesInSlice);
  const found: string[] = [];
  for (const check of checks) {
    for (let slice = 0; slice < slices; slice += 1) {
      const values = [slice, slices, ...(check.includes('$3') ? conversion : [])];
      const { rows } = await pool.query<{ violation: string }>(`${check} LIMIT 20`, values);
      found.push(...rows.map((row) => row.violation));
    }
  }
  return found;
};
