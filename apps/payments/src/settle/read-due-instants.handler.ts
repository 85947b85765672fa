import { Inject } from '@nestjs/common';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { QueryOf } from '@xs2a/calls/handlers';
import type { AnswerOf } from '@xs2a/contracts/call';
import { type DueInstant, readDueInstants } from '@xs2a/contracts/instant/instant.contract';
import type { TransactionRef } from '@xs2a/contracts/payments.contract';
import { dependencyDown } from '@xs2a/domain/failure/failed';
import { instantProgress } from '@xs2a/domain/payment/instant/decide-instant';
import { instantEntriesUnderWay } from '@xs2a/domain/payment/instant/instant-entries';
import { listOrders, type PaymentState } from '@xs2a/domain/payment/payment-state';
import { streamKeyOf } from '@xs2a/event-store/encryption/stream-keys';
import { isExamined } from '@xs2a/event-store/recovery/lost-events';
import { recentTraceparentOf } from '@xs2a/event-store/streams/append-span';
import type { StateRow } from '@xs2a/event-store/streams/view-state';
import { deriveBookingId } from '@xs2a/runtime/booking-ids';
import { Clock } from '@xs2a/runtime/clock';
import { POOL } from '@xs2a/runtime/tokens';
import type { Pool } from 'pg';
import { PAYMENT_STORE, type PaymentStore } from '../store/payment-store.js';
import { doesNotWait } from './due-ahead.js';
import { isInstantRow } from './due-instants.js';
import { toStreamId } from './settlement-steps.js';

/** The maximum number of payments in an answer, which is one NATS message of at most two megabytes. */
const maxRows = 1000;

/** The settlement worker asks for the instant payments that have to be continued now. */
export class ReadDueInstants extends QueryOf(readDueInstants) {}

type Row = { readonly examined: boolean } & (
  | (StateRow & { readonly traceparent: string | null })
  | { readonly stream_id: null }
);

/**
 * Reads the due instant payments, oldest first, without those that wait because of a lost event. Throws CallFailed
 * (dependencyDown) until the log and the stream have been compared since the database server became the primary (ADR
 * 35).
 */
@QueryHandler(ReadDueInstants)
export class ReadDueInstantsHandler implements IQueryHandler<ReadDueInstants> {
  constructor(
    @Inject(PAYMENT_STORE) private readonly store: PaymentStore,
    private readonly clock: Clock,
    @Inject(POOL) private readonly pool: Pool,
  ) {}

  async execute({ request: { limit, only } }: ReadDueInstants): Promise<AnswerOf<typeof readDueInstants>> {
    const now = this.clock.now();
    if (only !== undefined) return { payments: await this.readOnly(only.slice(0, maxRows), now) };
    const { rows: found } = await this.pool.query<Row>({
      name: 'payments-due-instants',
      text: `SELECT examined, stream_id, version, state, ${streamKeyOf('page')} AS stream_key,
          ${recentTraceparentOf('page', '$1')} AS traceparent
        FROM (SELECT ${isExamined} AS examined) AS server LEFT JOIN (
          SELECT stream_id, version, due_at, state FROM payment_view v
          WHERE due_at <= $1 AND ${isInstantRow} AND ${doesNotWait}
          ORDER BY due_at, stream_id LIMIT $2) AS page ON examined ORDER BY due_at, stream_id`,
      values: [now, Math.min(limit, maxRows)],
    });
    if (found[0]?.examined !== true) throw dependencyDown();
    const rows = found.filter((row) => row.stream_id !== null);
    const states = await this.store.many.readReadableStates(rows);
    return {
      payments: rows.flatMap(({ stream_id: paymentId, traceparent }, index) => {
        const state = states[index];
        return state === undefined ? [] : listDue({ paymentId, state, traceparent }, now);
      }),
    };
  }

  private async readOnly(refs: readonly TransactionRef[], now: string): Promise<readonly DueInstant[]> {
    const loaded = await this.store.many.load([...new Set(refs.map(toStreamId))]);
    return refs.flatMap((ref) => {
      const state = loaded.get(toStreamId(ref))?.state;
      return state === undefined ? [] : toDue(ref, state, now);
    });
  }
}

const toDue = (ref: TransactionRef, state: PaymentState, now: string): readonly DueInstant[] => {
  const { partOf } = ref;
  const order = listOrders(state)[(partOf?.number ?? 1) - 1];
  const progress = instantProgress(state, now, partOf?.number);
  return order === undefined ? [] : [{ ...ref, order, progress }];
};

/** The payment itself, or those entries of a bulk payment that are under way or may begin. */
const listDue = (
  {
    paymentId,
    state,
    traceparent,
  }: { readonly paymentId: string; readonly state: PaymentState; readonly traceparent: string | null },
  now: string,
): readonly DueInstant[] => {
  const refs: readonly TransactionRef[] =
    state.service === 'bulk-payments'
      ? instantEntriesUnderWay(state, now).map((number) => {
          const partOf = { paymentId, number };
          return { paymentId: deriveBookingId(partOf), partOf };
        })
      : [{ paymentId }];
  return refs
    .flatMap((ref) => toDue(ref, state, now))
    .filter(({ progress }) => progress.next !== 'none')
    .map((due) => ({ ...due, traceparent: traceparent ?? undefined }));
};
