import type { DuePlace } from '@xs2a/contracts/payments.contract';
import type { PaymentState } from '@xs2a/domain/payment/payment-state';
import { type DuePayment, duePayment } from '@xs2a/domain/payment/settlement-due';
import type { Pool } from 'pg';

/** Bytes of payments in an answer: an answer is one NATS message, which may have a megabyte at most. */
const maxBytes = 600_000;
const maxPayments = 1000;
const beginning: DuePlace = { dueAt: '-infinity', paymentId: '00000000-0000-0000-0000-000000000000' };

interface DuePage {
  readonly payments: readonly DuePayment[];
  readonly next?: DuePlace;
}

/** The payments that are due at `now` (ISO instant) behind a place, in order, as many as one answer carries. */
export const readDuePage = async (
  pool: Pool,
  now: string,
  { after = beginning, limit }: { readonly after?: DuePlace; readonly limit: number },
): Promise<DuePage> => {
  const maxRows = Math.min(limit, maxPayments);
  const { rows } = await pool.query<{ paymentId: string; dueAt: string; state: PaymentState }>({
    name: 'payments-due',
    text: `SELECT stream_id AS "paymentId", due_at::text AS "dueAt", state FROM payment_view
      WHERE due_at <= $1 AND (due_at, stream_id) > ($2, $3) ORDER BY due_at, stream_id LIMIT $4`,
    values: [now, after.dueAt, after.paymentId, maxRows],
  });
  const payments: DuePayment[] = [];
  let bytes = 0;
  for (const [index, { paymentId, dueAt, state }] of rows.entries()) {
    // The payment's state decides, the column only finds it.
    const payment = duePayment(state);
    if (payment !== undefined && payment.dueAt <= now) payments.push(payment);
    bytes += payment === undefined ? 0 : Buffer.byteLength(JSON.stringify(payment));
    const more = index + 1 < rows.length || rows.length === maxRows;
    if (more && (bytes > maxBytes || index + 1 === rows.length)) {
      return { payments, next: { dueAt, paymentId } };
    }
  }
  return { payments };
};
