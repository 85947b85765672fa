import type { AnswerOf } from '@xs2a/contracts/call';
import type { trySettlementNow } from '@xs2a/contracts/settlement.contract';
import type { Pool } from 'pg';

/**
 * Ends the wait of a payment's failed transactions for their next attempt. It starts nothing itself: the active worker finds
 * them in its next pass, within a second. An attempt in progress is not repeated, and its failure begins a new wait.
 */
export const hurry = async (pool: Pool, paymentId: string): Promise<AnswerOf<typeof trySettlementNow>> => {
  const { rows } = await pool.query<AnswerOf<typeof trySettlementNow>>(
    `WITH hurried AS (
       UPDATE unfinished SET retry_at = now()
       WHERE coalesce(part_of_payment, payment_id) = $1 AND retry_at > now() RETURNING 1)
     SELECT (SELECT count(*) FROM hurried) AS hurried,
       (SELECT count(*) FROM unfinished WHERE coalesce(part_of_payment, payment_id) = $1) AS unfinished`,
    [paymentId],
  );
  return rows[0] ?? { hurried: 0, unfinished: 0 };
};
