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
import { binaryArray } from '@xs2a/postgres/binary-array';
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
/** The maximum size in bytes of the single payments in an answer, and of the entries of bulk payments. */
const maxBytes = 600_000;
/** The maximum size in bytes of the bulk payments that are read at a time; one may have half a megabyte. */
const maxBulkBytes = 2_000_000;

const dueRows = `SELECT stream_id, version, due_at, state FROM payment_view v
  WHERE due_at <= $1 AND ${isInstantRow} AND stream_id <> ALL($3::uuid[]) AND ${doesNotWait}`;
/** SQL that returns the due single payments, or as many of the due bulk payments as may be read at a time. */
const pages = {
  'single-payments': `${dueRows} AND service <> 'bulk-payments' ORDER BY due_at, stream_id LIMIT $2`,
  'bulk-payments': `SELECT stream_id, version, due_at, state FROM (
      SELECT *, sum(pg_column_size(state)) OVER (ORDER BY due_at, stream_id) - pg_column_size(state) AS bytes_before
      FROM (${dueRows} AND service = 'bulk-payments') AS bulk) AS sized
    WHERE bytes_before < ${maxBulkBytes} ORDER BY due_at, stream_id LIMIT $2`,
} as const;

/** The settlement worker asks for the instant payments that have to be continued now. */
export class ReadDueInstants extends QueryOf(readDueInstants) {}

type Row = { readonly examined: boolean } & (
  | (StateRow & { readonly traceparent: string | null })
  | { readonly stream_id: null }
);

/**
 * Reads the due instant payments, the single ones first, each kind oldest first, without those that wait because of a
 * lost event, and as many as fit into one answer. Throws CallFailed (dependencyDown) until the log and the stream have
 * been compared since the database server became the primary (ADR 35).
 */
@QueryHandler(ReadDueInstants)
export class ReadDueInstantsHandler implements IQueryHandler<ReadDueInstants> {
  constructor(
    @Inject(PAYMENT_STORE) private readonly store: PaymentStore,
    private readonly clock: Clock,
    @Inject(POOL) private readonly pool: Pool,
  ) {}

  async execute({
    request: { limit, except = [], only },
  }: ReadDueInstants): Promise<AnswerOf<typeof readDueInstants>> {
    const now = this.clock.now();
    if (only !== undefined) return this.readOnly(only.slice(0, maxRows), now);
    const asked = { now, limit: Math.min(limit, maxRows), except };
    const [singles, bulks] = await Promise.all([
      this.readPage('single-payments', asked),
      this.readPage('bulk-payments', asked),
    ]);
    return { payments: [...singles, ...bulks] };
  }

  private async readPage(
    kind: keyof typeof pages,
    {
      now,
      limit,
      except,
    }: { readonly now: string; readonly limit: number; readonly except: readonly string[] },
  ): Promise<readonly DueInstant[]> {
    const { rows: found } = await this.pool.query<Row>({
      name: `due-instant-${kind}`,
      text: `SELECT examined, stream_id, version, state, ${streamKeyOf('page')} AS stream_key,
          ${recentTraceparentOf('page', '$1')} AS traceparent
        FROM (SELECT ${isExamined} AS examined) AS server LEFT JOIN (${pages[kind]}) AS page ON examined
        ORDER BY due_at, stream_id`,
      values: [now, limit, binaryArray('uuid', except)],
    });
    if (found[0]?.examined !== true) throw dependencyDown();
    const rows = found.filter((row) => row.stream_id !== null);
    const states = await this.store.many.readReadableStates(rows);
    const due = rows.flatMap(({ stream_id: paymentId, traceparent }, index) => {
      const state = states[index];
      return state === undefined ? [] : listDue({ paymentId, state, traceparent }, now);
    });
    return firstThatFit(due);
  }

  /** Leaves out what cannot be read here, so that it does not block the others. */
  private async readOnly(
    refs: readonly TransactionRef[],
    now: string,
  ): Promise<AnswerOf<typeof readDueInstants>> {
    const { rows } = await this.pool.query<StateRow>({
      name: 'only-these-instants',
      text: `SELECT stream_id, version, state, ${streamKeyOf('v')} AS stream_key
        FROM payment_view v WHERE stream_id = ANY($1::uuid[])`,
      values: [[...new Set(refs.map(toStreamId))]],
    });
    const states = await this.store.many.readReadableStates(rows);
    const byId = new Map(rows.map(({ stream_id: id }, index) => [id, states[index]]));
    const payments = refs.flatMap((ref) => {
      const state = byId.get(toStreamId(ref));
      return state === undefined ? [] : toDue(ref, state, now);
    });
    const lost = await this.listLost(refs.map(toStreamId).filter((id) => !byId.has(id)));
    const unknown = refs.filter((ref) => lost.has(toStreamId(ref))).map(({ paymentId }) => paymentId);
    return { payments, unknown };
  }

  /**
   * Returns the streams that do not exist, and are never restored. None counts as lost until log and stream have been
   * compared, because this may be an older server that is about to be replaced.
   */
  private async listLost(streamIds: readonly string[]): Promise<ReadonlySet<string>> {
    if (streamIds.length === 0) return new Set();
    const { rows } = await this.pool.query<{ id: string }>({
      name: 'lost-instants',
      text: `SELECT id FROM unnest($1::uuid[]) AS asked (id)
        WHERE ${isExamined} AND NOT EXISTS (SELECT FROM events e WHERE e.stream_id = asked.id)`,
      values: [binaryArray('uuid', streamIds)],
    });
    return new Set(rows.map(({ id }) => id));
  }
}

const firstThatFit = (payments: readonly DueInstant[]): readonly DueInstant[] => {
  let bytes = 0;
  const tooMany = payments.findIndex(
    (payment) => (bytes += Buffer.byteLength(JSON.stringify(payment))) > maxBytes,
  );
  return tooMany === -1 ? payments : payments.slice(0, Math.max(1, tooMany));
};

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
