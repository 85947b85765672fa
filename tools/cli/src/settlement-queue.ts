import type { PaymentOrder } from '@xs2a/domain/payment/payment-events';
import { formatAmount } from '@xs2a/domain/money/money';
import type { Connections } from './connections.js';
import { durationText } from './durations.js';
import { lastFour } from './masking.js';
import { columns } from './output.js';

/** `later`: not due yet; `due`: to be done now; `overdue`: due for more than a minute; `failing`: tried, and to be tried again. */
export const queueStates = ['later', 'due', 'overdue', 'failing'] as const;
export type QueueState = (typeof queueStates)[number];

export interface QueueEntry {
  readonly paymentId: string;
  readonly kind: 'settle' | 'book';
  readonly state: QueueState;
  readonly dueAt: string;
  /** By the bank's clock; negative when it is overdue. */
  readonly dueInMs: number;
  /** In major units with its currency; null for `book`. */
  readonly amount: string | null;
  /** Last four characters. */
  readonly debtor: string | null;
  readonly attempts: number;
  /** Real time of the next try. */
  readonly retryAt: string | null;
  readonly reason: string | null;
}

export interface Queue {
  readonly counts: Readonly<Record<QueueState, number>>;
  /** The most urgent first: failing, overdue, due, later; at most as many as asked for. */
  readonly entries: readonly QueueEntry[];
}

const overdueMs = 60_000;
/** $1: the bank's now. */
const stateColumn = `CASE
  WHEN attempts > 0 THEN 'failing'
  WHEN due_at > $1::timestamptz THEN 'later'
  WHEN due_at < $1::timestamptz - interval '${overdueMs} milliseconds' THEN 'overdue'
  ELSE 'due' END`;

export const settlementQueue = async (
  connections: Connections,
  limit: number,
  only: readonly QueueState[] = queueStates,
): Promise<Queue> => {
  const pool = connections.pool('settlement');
  const nowMs = await connections.nowMs();
  const now = new Date(nowMs).toISOString();
  const counted = await pool.query<{ state: QueueState; entries: number }>(
    `SELECT ${stateColumn} AS state, count(*) AS entries FROM due GROUP BY 1`,
    [now],
  );
  const listed = await pool.query<{
    payment_id: string;
    kind: 'settle' | 'book';
    state: QueueState;
    due_at: Date;
    payment_order: PaymentOrder | null;
    attempts: number;
    retry_at: Date | null;
    last_failure: string | null;
  }>(
    `SELECT * FROM (SELECT due.*, ${stateColumn} AS state FROM due) AS queue WHERE state = ANY($2::text[])
     ORDER BY array_position(ARRAY['failing', 'overdue', 'due', 'later'], state), due_at, payment_id LIMIT $3`,
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
    entries: listed.rows.map((row): QueueEntry => {
      const order = row.payment_order;
      return {
        paymentId: row.payment_id,
        kind: row.kind,
        state: row.state,
        dueAt: row.due_at.toISOString(),
        dueInMs: row.due_at.getTime() - nowMs,
        amount: order === null ? null : `${formatAmount(order.amount)} ${order.amount.currency}`,
        debtor: order === null ? null : lastFour(order.debtorIban),
        attempts: row.attempts,
        retryAt: row.retry_at?.toISOString() ?? null,
        reason: row.last_failure,
      };
    }),
  };
};

export const queueText = ({ counts, entries }: Queue): string =>
  [
    queueStates.map((state) => `${counts[state]} ${state}`).join(', '),
    ...(entries.length === 0
      ? []
      : [
          columns(
            ['payment', 'what', 'state', 'due', 'in', 'amount', 'debtor', 'tries', 'reason'],
            entries.map((entry) => [
              entry.paymentId,
              entry.kind,
              entry.state,
              entry.dueAt,
              durationText(entry.dueInMs),
              entry.amount ?? '',
              entry.debtor ?? '',
              entry.attempts,
              entry.reason ?? '',
            ]),
          ),
        ]),
  ].join('\n');
