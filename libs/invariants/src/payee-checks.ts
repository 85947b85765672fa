import { findViolations, inPage, paymentEvents, type Schemas } from './paged.js';

/**
 * Invariant 6 for a bank that has payees verified before the signature: from its first verification on, no payment was signed
 * whose payees had not been verified. Cross-border payments have no verification. Not for a bank that turned the
 * verification off for some time, because the events do not show when.
 */
export const payeeViolations = async (schemas: Schemas): Promise<string[]> => {
  const { rows } = await schemas
    .of('payments')
    .query<{ first: Date | null }>(
      `SELECT min(occurred_at) AS first FROM payments.events WHERE type = 'payee-verified'`,
    );
  const first = rows[0]?.first?.toISOString();
  if (first === undefined) return [];
  return findViolations(
    schemas,
    paymentEvents,
    `SELECT 'payment ' || e.stream_id || ' was signed before its payees were verified' AS violation
     FROM payments.events e JOIN payments.payment_view v USING (stream_id)
     WHERE ${inPage('e.stream_id')} AND e.type = 'signed' AND e.occurred_at >= '${first}'
       AND v.product <> 'cross-border-credit-transfer' AND NOT EXISTS (
         SELECT FROM payments.events p
         WHERE p.stream_id = e.stream_id AND p.type = 'payee-verified' AND p.version < e.version)`,
  );
};
