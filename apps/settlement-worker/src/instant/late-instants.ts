import type { CallClient } from '@xs2a/calls/client';
import { readDueInstants } from '@xs2a/contracts/instant/instant.contract';
import type { AnswerOf } from '@xs2a/contracts/call';
import type {
  closeLateInstant,
  LateInstant,
  LateInstantRef,
} from '@xs2a/contracts/instant/late-instants.contract';
import type { TransactionRef } from '@xs2a/contracts/payments.contract';
import type { MinorAmount } from '@xs2a/domain/payment/payment-events';
import type { Pool } from 'pg';

/** Milliseconds to wait for the amounts. The payments are listed without them if it takes longer. */
const amountsWithinMs = 800;

interface Row {
  readonly id: string;
  readonly partOfPayment: string | null;
  readonly number: number | null;
  readonly confirmedAt: Date;
}

/** Reads the instant payments that were confirmed after their rejection, newest first. */
export const readLateInstants = async (
  pool: Pool,
  callClient: Pick<CallClient, 'call'>,
  limit: number,
): Promise<readonly LateInstant[]> => {
  const { rows } = await pool.query<Row>(
    `SELECT payment_id AS id, part_of_payment AS "partOfPayment", part_number AS number, confirmed_at AS "confirmedAt"
     FROM instant_follow_up WHERE confirmed_at IS NOT NULL ORDER BY confirmed_at DESC, payment_id LIMIT $1`,
    [limit],
  );
  const amounts = await readAmounts(callClient, rows.map(toRef));
  return rows.map(({ id, partOfPayment, number, confirmedAt }) => ({
    paymentId: partOfPayment ?? id,
    number,
    confirmedAt: confirmedAt.toISOString(),
    amount: amounts.get(id),
  }));
};

/** Closes one: it is no longer listed. Its stream keeps the late confirmation. */
export const closeLate = async (
  pool: Pool,
  { paymentId, number }: LateInstantRef,
): Promise<AnswerOf<typeof closeLateInstant>> => {
  const { rowCount } = await pool.query(
    `DELETE FROM instant_follow_up WHERE confirmed_at IS NOT NULL
       AND coalesce(part_of_payment, payment_id) = $1 AND part_number IS NOT DISTINCT FROM $2`,
    [paymentId, number],
  );
  return { closed: rowCount === 1 };
};

/** Returns the amounts by booking id. Only the payments service knows them. */
const readAmounts = async (
  callClient: Pick<CallClient, 'call'>,
  only: readonly TransactionRef[],
): Promise<ReadonlyMap<string, MinorAmount>> => {
  if (only.length === 0) return new Map();
  const known = await callClient
    .call({ ...readDueInstants, timeoutMs: amountsWithinMs }, { limit: 0, only })
    .catch(() => ({ payments: [] }));
  return new Map(known.payments.map(({ paymentId, order }) => [paymentId, order.amount]));
};

const toRef = ({ id, partOfPayment, number }: Row): TransactionRef =>
  partOfPayment === null || number === null
    ? { paymentId: id }
    : { paymentId: id, partOf: { paymentId: partOfPayment, number } };
