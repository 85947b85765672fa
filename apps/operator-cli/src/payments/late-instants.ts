import { formatAmount } from '@xs2a/domain/money/money';
import type { MinorAmount } from '@xs2a/domain/payment/payment-events';
import { defineCommand } from '../command-line/define-command.js';
import { option, wholeNumber } from '../command-line/options.js';
import { table } from '../command-line/output.js';

export interface LateInstants {
  readonly total: number;
  /** Newest first, up to the limit. */
  readonly payments: readonly {
    /** The payment, or the bulk payment to which it belongs. */
    readonly paymentId: string;
    /** The number of the entry, from 1; null for a single payment. */
    readonly number: number | null;
    /** In real time. */
    readonly confirmedAt: string;
    /** In major units with its currency; null for an archived payment. */
    readonly amount: string | null;
  }[];
}

interface Row {
  readonly payment_id: string;
  readonly number: number | null;
  readonly confirmed_at: Date;
  readonly amount: MinorAmount | null;
  readonly total: number;
}

const lateInstants = `SELECT coalesce(part_of_payment, payment_id) AS payment_id, part_number AS number, confirmed_at,
    coalesce(state->'order', state->'orders'->(part_number - 1))->'amount' AS amount, count(*) OVER () AS total
  FROM settlement.instant_follow_up
  LEFT JOIN payments.payment_view ON stream_id = coalesce(part_of_payment, payment_id)
  WHERE confirmed_at IS NOT NULL ORDER BY confirmed_at DESC, payment_id LIMIT $1`;

export const showLate = defineCommand({
  name: 'late',
  help: 'instant payments that were confirmed after their rejection. docs/runbooks/instant-answered-late.md',
  options: { limit: option('<count>', 'at most this many payments', wholeNumber).or(50) },
  run: async ({ connections, options: { limit } }): Promise<LateInstants> => {
    const { rows } = await connections.pool('settlement').query<Row>(lateInstants, [limit]);
    return {
      total: rows[0]?.total ?? 0,
      payments: rows.map(({ payment_id: paymentId, number, confirmed_at, amount }) => ({
        paymentId,
        number,
        confirmedAt: confirmed_at.toISOString(),
        amount: amount && `${formatAmount(amount)} ${amount.currency}`,
      })),
    };
  },
  text: ({ total, payments }) => {
    const sum = `${total} confirmed after rejection`;
    if (total === 0) return sum;
    const listed = table(payments, {
      payment: ({ paymentId, number }) => (number === null ? paymentId : `${paymentId} #${number}`),
      confirmed: ({ confirmedAt }) => confirmedAt,
      amount: ({ amount }) => amount,
    });
    return `${sum}\n${listed}`;
  },
});
