import { instantProduct } from '@xs2a/domain/payment/instant/instant-payments';
import { findViolations, inPage, paymentEvents, type Schemas } from './paged.js';

/** SQL condition: the void of the rejected payment with this booking id was not confirmed yet, and the worker repeats it. */
export const isVoidedLater = (id: string): string =>
  `EXISTS (SELECT FROM settlement.instant_follow_up f WHERE f.payment_id = ${id} AND f.confirmed_at IS NULL)`;

/**
 * SQL that reads a page of events and returns the steps of each instant payment, and of each entry of a bulk payment of
 * them. Excludes archived payments.
 */
const instants = `
  WITH instant AS (
    SELECT stream_id, (e.data->>'number')::int AS number,
      count(*) FILTER (WHERE e.type IN ('settled', 'transaction-settled')) AS settled,
      count(*) FILTER (WHERE e.type IN ('instant-rejected', 'transaction-rejected')) AS rejected,
      count(*) FILTER (WHERE e.type IN ('instant-answered', 'transaction-answered')) AS answers,
      count(*) FILTER (WHERE e.type = 'instant-answered-late') AS late,
      count(*) FILTER (WHERE e.type = 'entry-booked') AS booked,
      min(e.data->'answer'->>'outcome') AS outcome,
      min(e.data->>'holdId') AS hold_id, min(e.data->>'transactionId') AS entry_id,
      CASE WHEN e.data->>'number' IS NULL THEN 'instant payment ' ELSE 'entry ' || (e.data->>'number') || ' of instant bulk payment ' END
        || stream_id AS name
    FROM payments.events e JOIN payments.payment_view v USING (stream_id)
    WHERE ${inPage('stream_id')} AND v.product = '${instantProduct}'
      AND (e.data->>'number' IS NOT NULL) = (v.service = 'bulk-payments')
    GROUP BY stream_id, e.data->>'number')`;

/**
 * Invariant 2 for instant payments: the payee’s bank decides once, the payment ends as it decided, and never both ways. A
 * confirmation after the rejection is recorded once and changes nothing. The entry is booked with the settlement.
 */
export const instantOutcomeViolations = async (schemas: Schemas): Promise<string[]> =>
  findViolations(
    schemas,
    paymentEvents,
    `${instants} SELECT name || ' has ' || answers || ' × answered (' || coalesce(outcome, 'none') || '), ' || settled
       || ' × settled, ' || rejected || ' × rejected, ' || late || ' × answered late, ' || booked || ' × booked' AS violation
     FROM instant WHERE answers > 1 OR settled + rejected > 1 OR late > 1 OR (number IS NULL AND booked <> settled)
       OR (settled = 1 AND outcome IS DISTINCT FROM 'settled') OR (rejected = 1 AND outcome IS NOT DISTINCT FROM 'settled')
       OR (late = 1 AND outcome IS DISTINCT FROM 'rejected')`,
  );

/**
 * Invariant 2 for instant payments, as the sandbox bank’s ledger shows it: the debtor’s entry is booked at the moment of the
 * posting, and gone after a rejection.
 */
export const instantEntryViolations = async (schemas: Schemas): Promise<string[]> =>
  findViolations(
    schemas,
    paymentEvents,
    `${instants} SELECT name || ' is ' || CASE WHEN settled = 1 THEN 'settled' ELSE 'rejected' END || ', and its entry '
       || CASE WHEN entry.book_at IS NULL THEN 'does not exist' WHEN settled = 1 THEN 'is booked later' ELSE 'still exists' END AS violation
     FROM instant LEFT JOIN accounts.entry entry ON entry.transaction_id = entry_id::uuid
       LEFT JOIN accounts.transfer hold ON hold.id = hold_id::uuid
       LEFT JOIN accounts.transfer post ON post.pending_id = hold.id AND post.kind = 'post'
     WHERE (settled = 1 AND (entry.book_at <= post.at) IS NOT TRUE)
       OR (rejected = 1 AND entry.book_at IS NOT NULL AND NOT ${isVoidedLater('hold.payment_id')})`,
  );
