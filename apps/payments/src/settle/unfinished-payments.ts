import type { UnfinishedPayments } from '@xs2a/contracts/payments.contract';
import type { Pool } from 'pg';
import { dueState } from './due-state.js';

/** The most urgent payments that are counted, of those that wait for a signature and of those that are due. */
const maxCounted = 10_000;

/**
 * $1: the bank's current time; $2: the limit. Both parts read in the order of an index and stop at the limit, so
 * their cost depends neither on the number of payments nor on the number that are due later.
 */
export const unfinishedPayments = `
  SELECT status, state, count(*) AS payments, extract(epoch FROM $1::timestamptz - min(since))::float8 AS seconds
  FROM (
    (SELECT status, 'unsigned' AS state, unsigned_until AS since FROM payment_view
      WHERE unsigned_until IS NOT NULL ORDER BY unsigned_until LIMIT $2)
    UNION ALL
    (SELECT status, ${dueState('due_at', '$1::timestamptz')}, due_at FROM payment_view
      WHERE due_at <= $1::timestamptz ORDER BY due_at, stream_id LIMIT $2)
  ) AS one GROUP BY status, state`;

/** Counts the unfinished payments that are not due later. */
export const countUnfinished = async (pool: Pool, now: string): Promise<UnfinishedPayments[]> => {
  const { rows } = await pool.query<UnfinishedPayments>({
    name: 'payments-unfinished',
    text: unfinishedPayments,
    values: [now, maxCounted],
  });
  return rows;
};
