import { Inject } from '@nestjs/common';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { QueryOf } from '@xs2a/calls/handlers';
import type { AnswerOf } from '@xs2a/contracts/call';
import { type DueInstant, readDueInstants } from '@xs2a/contracts/instant/instant.contract';
import { dependencyDown } from '@xs2a/domain/failure/failed';
import { instantProgress } from '@xs2a/domain/payment/instant/decide-instant';
import { getFirstOrder } from '@xs2a/domain/payment/payment-state';
import { streamKeyOf } from '@xs2a/event-store/encryption/stream-keys';
import { isExamined } from '@xs2a/event-store/recovery/lost-events';
import { recentTraceparentOf } from '@xs2a/event-store/streams/append-span';
import type { StateRow } from '@xs2a/event-store/streams/view-state';
import { Clock } from '@xs2a/runtime/clock';
import { POOL } from '@xs2a/runtime/tokens';
import type { Pool } from 'pg';
import { PAYMENT_STORE, type PaymentStore } from '../store/payment-store.js';
import { doesNotWait } from './due-ahead.js';
import { isInstantRow } from './due-instants.js';

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
      payments: rows.flatMap(({ stream_id: paymentId, traceparent }, index): readonly DueInstant[] => {
        const state = states[index];
        if (state === undefined) return [];
        const progress = instantProgress(state, now);
        const due = {
          paymentId,
          order: getFirstOrder(state),
          progress,
          traceparent: traceparent ?? undefined,
        };
        return progress.next === 'none' ? [] : [due];
      }),
    };
  }

  private async readOnly(paymentIds: readonly string[], now: string): Promise<readonly DueInstant[]> {
    const loaded = await this.store.many.load(paymentIds);
    return [...loaded].map(([paymentId, { state }]) => ({
      paymentId,
      order: getFirstOrder(state),
      progress: instantProgress(state, now),
    }));
  }
}
