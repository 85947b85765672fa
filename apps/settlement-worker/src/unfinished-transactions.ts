import type { UnfinishedTransaction, UnfinishedTransactions } from '@xs2a/contracts/settlement.contract';
import type { Pool } from 'pg';

interface Row extends Omit<UnfinishedTransaction, 'startedAt' | 'retryAt'> {
  readonly startedAt: Date;
  readonly retryAt: Date | null;
}

/**
 * Reads the unfinished transactions, of all instances, and counts the events that could not be handled and the instant
 * payments that were confirmed after their rejection.
 */
export const readUnfinished = async (
  pool: Pool,
  { limit, paymentId }: { readonly limit: number; readonly paymentId?: string },
): Promise<UnfinishedTransactions> => {
  const [counted, listed] = await Promise.all([
    pool.query<Omit<UnfinishedTransactions, 'transactions'>>(
      `SELECT count(*) AS started, count(*) FILTER (WHERE attempts > 0) AS failing,
         (SELECT count(*) FROM dead_letter) AS "deadLetters",
         (SELECT count(*) FROM instant_follow_up WHERE confirmed_at IS NOT NULL) AS "confirmedLate"
       FROM unfinished`,
    ),
    pool.query<Row>(
      `SELECT coalesce(part_of_payment, payment_id) AS "paymentId", part_number AS number, attempts AS failures,
         begun_at AS "startedAt", retry_at AS "retryAt", last_failure AS reason
       FROM unfinished WHERE $2::uuid IS NULL OR coalesce(part_of_payment, payment_id) = $2
       ORDER BY attempts > 0 DESC, begun_at, payment_id LIMIT $1`,
      [limit, paymentId],
    ),
  ]);
  const transactions = listed.rows.map(({ startedAt, retryAt, ...row }) => ({
    ...row,
    startedAt: startedAt.toISOString(),
    retryAt: retryAt?.toISOString() ?? null,
  }));
  const { started = 0, failing = 0, deadLetters = 0, confirmedLate = 0 } = counted.rows[0] ?? {};
  return { started, failing, deadLetters, confirmedLate, transactions };
};
