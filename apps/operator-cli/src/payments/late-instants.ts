import { lateInstantId, parseLateInstantId } from '@xs2a/console/actions/late-instant-id';
import { closedLate } from '@xs2a/console/actions/settlement-outcomes';
import { closeLateInstant } from '@xs2a/contracts/instant/late-instants.contract';
import { formatAmount } from '@xs2a/domain/money/money';
import type { MinorAmount } from '@xs2a/domain/payment/payment-events';
import { recorded } from '../actions/recorded.js';
import { askSettlement } from '../ask-service.js';
import { defineCommand } from '../command-line/define-command.js';
import { argument, option, wholeNumber } from '../command-line/options.js';
import { table } from '../command-line/output.js';
import { Refusal } from '../command-line/refusal.js';
import { recordOptions } from '../privacy/person-options.js';

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

const showLate = defineCommand({
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
      payment: lateInstantId,
      confirmed: ({ confirmedAt }) => confirmedAt,
      amount: ({ amount }) => amount,
    });
    return `${sum}\n${listed}`;
  },
});

const closeLate = defineCommand({
  name: 'close',
  help: 'takes one off the list, once it is returned or booked as a loss; it stays RJCT',
  options: { payment: argument('id as listed: ID, or ID#3 for entry 3 of a bulk payment'), ...recordOptions },
  run: async ({ connections, options: { payment, reason, operator } }) => {
    const ref = parseLateInstantId(payment);
    if (ref === undefined) throw new Refusal(`${payment} is not an id such as ID or ID#3.`, 2);
    const action = { act: 'close-late-instant', target: lateInstantId(ref), reason, operator } as const;
    return recorded(connections, action, async () => {
      const { isDone, sentence } = closedLate(await askSettlement(connections, closeLateInstant, ref));
      if (!isDone) throw new Refusal(sentence);
      return { result: { outcome: sentence }, outcome: sentence };
    });
  },
  text: ({ outcome }) => `✓ ${outcome}`,
});

/** The list, and the command that takes a payment off it. */
export const late = showLate.addCommand(closeLate);
