import type { Pool } from 'pg';

/** Each statement answers one row for each violation, with a text in `violation`. Run against one snapshot. */
const checks: readonly string[] = [
  // Debits = credits per currency, pending and posted: the customers' counters against what stands on clearing.
  `WITH outside AS (
     SELECT l.currency,
       sum(CASE WHEN l.id = t.debit_account THEN s.pending * t.amount ELSE 0 END) AS debits_pending,
       sum(CASE WHEN l.id = t.debit_account THEN s.posted * t.amount ELSE 0 END) AS debits_posted,
       sum(CASE WHEN l.id = t.credit_account THEN s.pending * t.amount ELSE 0 END) AS credits_pending,
       sum(CASE WHEN l.id = t.credit_account THEN s.posted * t.amount ELSE 0 END) AS credits_posted
     FROM transfer t JOIN (VALUES ('hold', 1, 0), ('post', -1, 1), ('void', -1, 0), ('direct', 0, 1)) AS s (kind, pending, posted) USING (kind)
     JOIN ledger_account l ON l.id IN (t.debit_account, t.credit_account) AND NOT l.customer
     GROUP BY l.currency),
   inside AS (
     SELECT currency, sum(debits_pending) AS debits_pending, sum(debits_posted) AS debits_posted,
       sum(credits_pending) AS credits_pending, sum(credits_posted) AS credits_posted
     FROM ledger_account WHERE customer GROUP BY currency)
   SELECT 'debits and credits differ in ' || coalesce(i.currency, o.currency) AS violation
   FROM inside i FULL JOIN outside o ON o.currency = i.currency
   WHERE coalesce(i.debits_pending, 0) + coalesce(o.debits_pending, 0) <> coalesce(i.credits_pending, 0) + coalesce(o.credits_pending, 0)
      OR coalesce(i.debits_posted, 0) + coalesce(o.debits_posted, 0) <> coalesce(i.credits_posted, 0) + coalesce(o.credits_posted, 0)`,
  // Counters = sums of transfers; clearing accounts keep none.
  `WITH moved AS (
     SELECT a.id,
       sum(CASE WHEN a.debit THEN s.pending * a.amount ELSE 0 END) AS debits_pending,
       sum(CASE WHEN a.debit THEN s.posted * a.amount ELSE 0 END) AS debits_posted,
       sum(CASE WHEN a.debit THEN 0 ELSE s.pending * a.amount END) AS credits_pending,
       sum(CASE WHEN a.debit THEN 0 ELSE s.posted * a.amount END) AS credits_posted
     FROM (SELECT debit_account AS id, kind, amount, true AS debit FROM transfer
           UNION ALL SELECT credit_account, kind, amount, false FROM transfer) a
     JOIN (VALUES ('hold', 1, 0), ('post', -1, 1), ('void', -1, 0), ('direct', 0, 1)) AS s (kind, pending, posted) USING (kind)
     GROUP BY a.id)
   SELECT 'counters of account ' || l.id || ' are not the sums of its transfers' AS violation
   FROM ledger_account l LEFT JOIN moved m ON m.id = l.id
   WHERE (l.debits_pending, l.debits_posted, l.credits_pending, l.credits_posted) IS DISTINCT FROM
     (CASE WHEN l.customer THEN coalesce(m.debits_pending, 0) ELSE 0 END, CASE WHEN l.customer THEN coalesce(m.debits_posted, 0) ELSE 0 END,
      CASE WHEN l.customer THEN coalesce(m.credits_pending, 0) ELSE 0 END, CASE WHEN l.customer THEN coalesce(m.credits_posted, 0) ELSE 0 END)`,
  `SELECT 'transfer ' || t.id || ' names an account that does not exist, or two currencies' AS violation
   FROM transfer t LEFT JOIN ledger_account d ON d.id = t.debit_account LEFT JOIN ledger_account c ON c.id = t.credit_account
   WHERE d.currency IS NULL OR c.currency IS NULL OR d.currency <> c.currency`,
  `SELECT 'account ' || id || ' is overdrawn beyond its limit' AS violation
   FROM ledger_account WHERE debits_posted + debits_pending > credits_posted + credit_limit`,
  `SELECT 'payment ' || payment_id || ' has ' || count(*) || ' transfers of kind ' || min(kind) || ' for its ' || leg AS violation
   FROM transfer WHERE payment_id IS NOT NULL
   GROUP BY payment_id, leg, CASE WHEN kind = 'hold' THEN 'hold' ELSE 'completion' END HAVING count(*) > 1`,
  `SELECT 'transfer ' || t.id || ' does not complete its hold' AS violation
   FROM transfer t LEFT JOIN transfer h ON h.id = t.pending_id AND h.kind = 'hold'
   WHERE t.kind IN ('post', 'void') AND (t.payment_id, t.leg, t.amount, t.debit_account, t.credit_account)
     IS DISTINCT FROM (h.payment_id, h.leg, h.amount, h.debit_account, h.credit_account)`,
  `SELECT 'the legs of payment ' || h.payment_id || ' did not end together' AS violation
   FROM transfer h LEFT JOIN transfer c ON c.pending_id = h.id WHERE h.kind = 'hold'
   GROUP BY h.payment_id HAVING count(DISTINCT coalesce(c.kind, 'open')) > 1`,
  // The history tells the same as the ledger: an entry for each live hold, none for a voided one.
  `SELECT 'the debtor entry of hold ' || h.id || ' is missing, twice there or of another amount' AS violation
   FROM transfer h LEFT JOIN entry e ON e.transfer_id = h.id
   WHERE h.kind = 'hold' AND h.leg <> 'exchange'
     AND NOT EXISTS (SELECT FROM transfer v WHERE v.pending_id = h.id AND v.kind = 'void')
   GROUP BY h.id, h.amount, h.debit_account
   HAVING count(*) FILTER (WHERE e.amount = -h.amount AND e.account_id = h.debit_account) <> 1`,
  `SELECT 'entry ' || e.transaction_id || ' belongs to no transfer in force' AS violation
   FROM entry e LEFT JOIN transfer t ON t.id = e.transfer_id
   WHERE t.id IS NULL OR abs(e.amount) <> t.amount OR EXISTS (SELECT FROM transfer v WHERE v.pending_id = t.id AND v.kind = 'void')`,
];

/**
 * Everything that must hold of the ledger at any moment, checked in one snapshot; answers a sentence for each
 * violation, so an empty list is good. Reads the whole ledger: for tests and operators, not for requests.
 */
export const ledgerViolations = async (pool: Pool): Promise<string[]> => {
  const client = await pool.connect();
  try {
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    await client.query("SET LOCAL statement_timeout = '60s'");
    const found: string[] = [];
    for (const check of checks) {
      const { rows } = await client.query<{ violation: string }>(`${check} LIMIT 20`);
      found.push(...rows.map((row) => row.violation));
    }
    return found;
  } finally {
    await client.query('ROLLBACK').catch(() => undefined);
    client.release();
  }
};
