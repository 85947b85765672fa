import type { DuePlace } from '@xs2a/contracts/payments.contract';
import type { PaymentState } from '@xs2a/domain/payment/payment-state';
import {
  type DuePayment,
  type DueTransaction,
  dueTransactions,
  nextOccurrenceDueAt,
} from '@xs2a/domain/payment/settlement-due';
import type { Profile } from '@xs2a/domain/profile/profile';
import { bookingIdOf } from '@xs2a/runtime/booking-ids';
import type { Pool } from 'pg';

/** Bytes of payments in an answer: an answer is one NATS message, which may have two megabytes at most. */
const maxBytes = 600_000;
const maxRows = 1000;
/** A bulk payment's state may have half a megabyte: so many are read at a time. */
const maxBulks = 4;
const beginning: DuePlace = { dueAt: '-infinity', paymentId: '00000000-0000-0000-0000-000000000000' };

interface DuePage {
  readonly payments: readonly DuePayment[];
  readonly next?: DuePlace;
}

/**
 * The transactions that are due at `now` (ISO instant) behind a place, in order, as many as one answer carries: all those of a
 * bulk payment or none.
 */
export const readDuePage = async (
  { pool, profile }: { readonly pool: Pool; readonly profile: Profile },
  now: string,
  { after = beginning, limit }: { readonly after?: DuePlace; readonly limit: number },
): Promise<DuePage> => {
  const wanted = Math.min(limit, maxRows);
  const { rows } = await pool.query<{ paymentId: string; dueAt: string; state: PaymentState }>({
    name: 'payments-due',
    text: `SELECT stream_id AS "paymentId", due_at::text AS "dueAt", state FROM (
        SELECT stream_id, due_at, state,
          count(*) FILTER (WHERE service = 'bulk-payments') OVER (ORDER BY due_at, stream_id) AS bulks
        FROM payment_view WHERE due_at <= $1 AND (due_at, stream_id) > ($2, $3)
        ORDER BY due_at, stream_id LIMIT $4) AS page
      WHERE bulks <= ${maxBulks} ORDER BY due_at, stream_id`,
    values: [now, after.dueAt, after.paymentId, wanted],
  });
  const bulks = rows.filter(({ state }) => state.service === 'bulk-payments').length;
  const mayBeMore = rows.length === wanted || bulks === maxBulks;
  const payments: DuePayment[] = [];
  let bytes = 0;
  for (const [index, { paymentId, dueAt, state }] of rows.entries()) {
    // The payment's state decides, the column only finds it.
    const due = dueTransactions(state, profile).filter((transaction) => transaction.dueAt <= now);
    const followedAt = due.length === 0 ? undefined : nextOccurrenceDueAt(state, profile);
    payments.push(...due.map((transaction) => bookedPayment({ paymentId, followedAt }, transaction)));
    bytes += due.length === 0 ? 0 : Buffer.byteLength(JSON.stringify(due));
    const more = index + 1 < rows.length || mayBeMore;
    if (more && (bytes > maxBytes || index + 1 === rows.length)) {
      return { payments, next: { dueAt, paymentId } };
    }
  }
  return { payments };
};

/** The transaction with the id under which it is booked. */
const bookedPayment = (
  { paymentId, followedAt }: { readonly paymentId: string; readonly followedAt?: string },
  { number, ...due }: DueTransaction,
): DuePayment => {
  if (number === undefined) return { ...due, paymentId };
  const partOf = { paymentId, number };
  const booked = { ...due, paymentId: bookingIdOf(partOf), partOf };
  return followedAt === undefined ? booked : { ...booked, followedAt };
};
