import type { PaymentOrder } from '@xs2a/domain/payment/payment-events';
import { dueState } from '@xs2a/payments/read-models';
import { formatAmount } from '@xs2a/domain/money/money';
import type { Connections } from '../connections.js';
import { durationText } from '@xs2a/doctor/durations';
import { defineCommand } from '../command-line/define-command.js';
import { option, wholeNumber } from '../command-line/options.js';
import { table } from '../command-line/output.js';

/**
 * `later`: not due yet; `due`: to be done now; `overdue`: due for more than a minute; `failing`: failed, to be
 * retried.
 */
const queueStates = ['later', 'due', 'overdue', 'failing'] as const;
type QueueState = (typeof queueStates)[number];
/** `release`: settlement had started before the payment was cancelled or refused, so any hold must be released. */
type QueueKind = 'settle' | 'book' | 'release';

interface QueueEntry {
  readonly paymentId: string;
  /**
   * The number of the periodic order's occurrence or of the bulk payment's entry, counted from 1; null for a
   * single payment, or for all open entries of a bulk payment.
   */
  readonly number: number | null;
  readonly kind: QueueKind;
  readonly state: QueueState;
  readonly dueAt: string;
  /** Milliseconds until it is due by the bank's clock; negative if overdue. */
  readonly dueInMs: number;
  /** The amount in major units with its currency; null unless the entry is to be settled. */
  readonly amount: string | null;
  readonly attempts: number;
  /** Real time of the next attempt. */
  readonly retryAt: string | null;
  readonly reason: string | null;
}

export interface Queue {
  readonly counts: Readonly<Record<QueueState, number>>;
  /** The number of overdue or failing occurrences of periodic orders. */
  readonly lateOccurrences: number;
  /** The queue entries, most urgent first (failing, overdue, due, later), up to the requested number. */
  readonly entries: readonly QueueEntry[];
}

/** A row of {@link settlementEntries}. */
export interface SettlementRow {
  readonly payment_id: string;
  readonly number: number | null;
  readonly kind: QueueKind;
  readonly due_at: Date;
  readonly payment_order: PaymentOrder | null;
  readonly attempts: number;
  readonly retry_at: Date | null;
  readonly last_failure: string | null;
}

/**
 * SQL for everything that is due or in progress: due payments from the payments service, joined with those that
 * the worker has started. Occurrences and entries carry the id of their order or bulk payment.
 */
export const settlementEntries = `SELECT coalesce(stream_id, part_of_payment, payment_id) AS payment_id,
    coalesce(part_number, (coalesce(state->'started', state->'planned')->>'number')::int) AS number,
    CASE WHEN stream_id IS NULL THEN 'release' WHEN status = 'ACSC' THEN 'book' ELSE 'settle' END AS kind,
    coalesce(due_at, begun_at) AS due_at,
    CASE WHEN status <> 'ACSC' THEN coalesce(state->'order', state->'orders'->(part_number - 1)) END AS payment_order,
    state->>'service' IS NOT DISTINCT FROM 'periodic-payments' AS is_occurrence,
    coalesce(attempts, 0) AS attempts, retry_at, last_failure
  FROM (SELECT * FROM payments.payment_view WHERE due_at IS NOT NULL) AS payment
  FULL JOIN settlement.unfinished ON coalesce(part_of_payment, payment_id) = stream_id`;

/** $1: the bank's current time. */
const stateColumn = `CASE WHEN attempts > 0 THEN 'failing' ELSE ${dueState('due_at', '$1::timestamptz')} END`;

export const settlementQueue = async (
  connections: Connections,
  limit: number,
  only: readonly QueueState[] = queueStates,
): Promise<Queue> => {
  const pool = connections.pool('settlement');
  const nowMs = await connections.nowMs();
  const now = new Date(nowMs).toISOString();
  const counted = await pool.query<{ state: QueueState; entries: number; occurrences: number }>(
    `SELECT ${stateColumn} AS state, count(*) AS entries, count(*) FILTER (WHERE is_occurrence) AS occurrences FROM (${settlementEntries}) AS entry GROUP BY 1`,
    [now],
  );
  const listed = await pool.query<SettlementRow & { readonly state: QueueState }>(
    `SELECT * FROM (SELECT entry.*, ${stateColumn} AS state FROM (${settlementEntries}) AS entry) AS queue
     WHERE state = ANY($2::text[])
     ORDER BY array_position(ARRAY['failing', 'overdue', 'due', 'later'], state), due_at, payment_id, number LIMIT $3`,
    [now, only, limit],
  );
  const count = (state: QueueState): number => counted.rows.find((row) => row.state === state)?.entries ?? 0;
  return {
    counts: {
      later: count('later'),
      due: count('due'),
      overdue: count('overdue'),
      failing: count('failing'),
    },
    lateOccurrences: counted.rows
      .filter(({ state }) => state === 'overdue' || state === 'failing')
      .reduce((sum, { occurrences }) => sum + occurrences, 0),
    entries: listed.rows.map((row): QueueEntry => {
      const order = row.payment_order;
      return {
        paymentId: row.payment_id,
        number: row.number,
        kind: row.kind,
        state: row.state,
        dueAt: row.due_at.toISOString(),
        dueInMs: row.due_at.getTime() - nowMs,
        amount: order === null ? null : `${formatAmount(order.amount)} ${order.amount.currency}`,
        attempts: row.attempts,
        retryAt: row.retry_at?.toISOString() ?? null,
        reason: row.last_failure,
      };
    }),
  };
};

export const showQueue = defineCommand({
  name: 'queue',
  help: 'what is due, overdue, failing (with the reason) and due later',
  options: {
    state: option('<state>', 'only payments in this state', queueStates),
    limit: option('<count>', 'at most this many payments', wholeNumber).or(50),
  },
  run: async ({ connections, options: { state, limit } }) =>
    settlementQueue(connections, limit, state === undefined ? queueStates : [state]),
  text: ({ counts, entries }) => {
    const sums = queueStates.map((state) => `${counts[state]} ${state}`).join(', ');
    if (entries.length === 0) return sums;
    const listed = table(entries, {
      payment: ({ paymentId, number }) => (number === null ? paymentId : `${paymentId} #${number}`),
      what: ({ kind }) => kind,
      state: ({ state }) => state,
      due: ({ dueAt }) => dueAt,
      in: ({ dueInMs }) => durationText(dueInMs),
      amount: ({ amount }) => amount,
      tries: ({ attempts }) => attempts,
      reason: ({ reason }) => reason,
    });
    return `${sums}\n${listed}`;
  },
});
