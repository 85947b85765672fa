import type { PaymentOrder } from '@xs2a/domain/payment/payment-events';
import { binaryArray } from '@xs2a/postgres/binary-array';
import type { ClientBase, Pool } from 'pg';

/** `settle`: check the funds and book; `book`: the pending entry has become a booked one. */
export const dueKinds = ['settle', 'book'] as const;
export type DueKind = (typeof dueKinds)[number];

export interface Due {
  readonly paymentId: string;
  readonly dueAt: Date;
  /** How often it failed before. */
  readonly attempts: number;
  /** Null for `book`. */
  readonly order: PaymentOrder | null;
}

/** A signed payment, due at an ISO instant. */
export interface DueSettlement {
  readonly paymentId: string;
  readonly dueAt: string;
  readonly order: PaymentOrder;
}

const columns = 'payment_id AS "paymentId", due_at AS "dueAt", attempts, payment_order AS "order"';

/** One that is there already stays as it is. */
export const addSettlements = async (session: ClientBase, rows: readonly DueSettlement[]): Promise<void> => {
  await session.query({
    name: 'due-add-settlements',
    text: `INSERT INTO due (payment_id, kind, due_at, payment_order)
      SELECT payment_id, 'settle', due_at, payment_order
      FROM unnest($1::uuid[], $2::timestamptz[], $3::jsonb[]) AS d (payment_id, due_at, payment_order)
      ON CONFLICT (payment_id, kind) DO NOTHING`,
    values: [
      binaryArray(
        'uuid',
        rows.map((row) => row.paymentId),
      ),
      binaryArray(
        'timestamptz',
        rows.map((row) => row.dueAt),
      ),
      binaryArray(
        'jsonb',
        rows.map((row) => JSON.stringify(row.order)),
      ),
    ],
  });
};

/** One that is there already stays as it is. `bookAt`: ISO instant. */
export const addBookings = async (
  session: ClientBase,
  rows: readonly { readonly paymentId: string; readonly bookAt: string }[],
): Promise<void> => {
  if (rows.length === 0) return;
  await session.query({
    name: 'due-add-bookings',
    text: `INSERT INTO due (payment_id, kind, due_at)
      SELECT payment_id, 'book', due_at FROM unnest($1::uuid[], $2::timestamptz[]) AS d (payment_id, due_at)
      ON CONFLICT (payment_id, kind) DO NOTHING`,
    values: [
      binaryArray(
        'uuid',
        rows.map((row) => row.paymentId),
      ),
      binaryArray(
        'timestamptz',
        rows.map((row) => row.bookAt),
      ),
    ],
  });
};

/**
 * Locks what is due at `now` (ISO instant), oldest first, at most `limit`, for this transaction; passes over what
 * another worker has locked and what has failed before.
 */
export const claimDue = async (
  session: ClientBase,
  kind: DueKind,
  now: string,
  limit: number,
): Promise<Due[]> => {
  const { rows } = await session.query<Due>({
    name: 'due-claim',
    text: `SELECT ${columns} FROM due
      WHERE kind = $1 AND due_at <= $2 AND retry_at IS NULL
      ORDER BY due_at, payment_id LIMIT $3 FOR UPDATE SKIP LOCKED`,
    values: [kind, now, limit],
  });
  return rows;
};

/** What failed before and may be tried again, not locked; at most `limit`. */
export const retriable = async (pool: Pool, kind: DueKind, limit: number): Promise<Due[]> => {
  const { rows } = await pool.query<Due>({
    name: 'due-retriable',
    text: `SELECT ${columns} FROM due WHERE kind = $1 AND retry_at <= now() ORDER BY retry_at LIMIT $2`,
    values: [kind, limit],
  });
  return rows;
};

/** Locks one of them; undefined when it is done, or another worker has it. */
export const claimOne = async (
  session: ClientBase,
  kind: DueKind,
  paymentId: string,
): Promise<Due | undefined> => {
  const { rows } = await session.query<Due>({
    name: 'due-claim-one',
    text: `SELECT ${columns} FROM due WHERE kind = $1 AND payment_id = $2 FOR UPDATE SKIP LOCKED`,
    values: [kind, paymentId],
  });
  return rows[0];
};

export const removeDue = async (
  session: ClientBase,
  kind: DueKind,
  paymentIds: readonly string[],
): Promise<void> => {
  await session.query({
    name: 'due-remove',
    text: 'DELETE FROM due WHERE kind = $1 AND payment_id = ANY($2::uuid[])',
    values: [kind, binaryArray('uuid', paymentIds)],
  });
};

/** Not to be tried again for some real seconds; `reason` is for an operator. */
export const postponeDue = async (
  pool: Pool,
  kind: DueKind,
  paymentId: string,
  { seconds, reason }: { readonly seconds: number; readonly reason: string },
): Promise<void> => {
  await pool.query({
    name: 'due-postpone',
    text: `UPDATE due SET attempts = attempts + 1, last_failure = $3, retry_at = now() + make_interval(secs => $4)
      WHERE kind = $1 AND payment_id = $2`,
    values: [kind, paymentId, reason, seconds],
  });
};

/** Is there anything that could be done at `now`, by whichever worker? */
export const isAnythingDue = async (pool: Pool, now: string): Promise<boolean> => {
  const { rowCount } = await pool.query({
    name: 'due-anything',
    text: `SELECT FROM due WHERE kind = ANY($1::text[]) AND due_at <= $2 AND (retry_at IS NULL OR retry_at <= now())
      LIMIT 1`,
    values: [dueKinds, now],
  });
  return rowCount === 1;
};

export const countPostponed = async (pool: Pool): Promise<number> => {
  const { rows } = await pool.query<{ postponed: number }>({
    name: 'due-count-postponed',
    text: 'SELECT count(*) AS postponed FROM due WHERE retry_at IS NOT NULL',
  });
  return rows[0]?.postponed ?? 0;
};
