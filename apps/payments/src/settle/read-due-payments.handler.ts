import { Inject } from '@nestjs/common';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { QueryOf } from '@xs2a/calls/handlers';
import type { AnswerOf } from '@xs2a/contracts/call';
import { type DuePlace, type LanesAhead, readDuePayments } from '@xs2a/contracts/payments.contract';
import type { PaymentService } from '@xs2a/domain/payment/payment-services';
import {
  type DuePayment,
  type DueTransaction,
  dueTransactions,
  nextOccurrenceDueAt,
} from '@xs2a/domain/payment/settlement/due';
import type { Profile } from '@xs2a/domain/profile/profile';
import { streamKeyOf } from '@xs2a/event-store/encryption/stream-keys';
import { isExamined } from '@xs2a/event-store/recovery/lost-events';
import { recentTraceparentOf } from '@xs2a/event-store/streams/append-span';
import { dependencyDown } from '@xs2a/domain/failure/failed';
import { deriveBookingId } from '@xs2a/runtime/booking-ids';
import { Clock } from '@xs2a/runtime/clock';
import { POOL, PROFILE } from '@xs2a/runtime/tokens';
import type { StateRow } from '@xs2a/event-store/streams/view-state';
import type { Pool } from 'pg';
import { PAYMENT_STORE, type PaymentStore } from '../store/payment-store.js';
import { doesNotWait, dueAhead } from './due-ahead.js';
import { isInstantRow } from './due-instants.js';
import { readSettlementTime } from './settlement-time.js';

/** The maximum size in bytes of the payments in an answer, which is one NATS message of at most two megabytes. */
const maxBytes = 600_000;
const maxRows = 1000;
/**
 * The maximum number of bulk payments read at a time, because a bulk payment's state may be as large as half a
 * megabyte.
 */
const maxBulks = 4;
const beginning: DuePlace = { dueAt: '-infinity', paymentId: '00000000-0000-0000-0000-000000000000' };

type DuePage = AnswerOf<typeof readDuePayments>;

/** The settlement worker asks for the transactions that are due now, page by page. */
export class ReadDuePayments extends QueryOf(readDuePayments) {}

interface DueRow extends StateRow {
  readonly dueAt: string;
  /** Null if the debtor account or the hash key is unknown (due-lane.ts). */
  readonly lane: number | null;
  readonly service: PaymentService;
  readonly traceparent: string | null;
}

/**
 * Reads the due transactions after a position, in order, as many as fit into one answer. A bulk payment's
 * transactions are never split between answers. Skips transactions that wait because of a lost event, and instant
 * payments, which do not wait for the others. Throws
 * CallFailed (dependencyDown) until the log and the stream have been compared since the database server became the
 * primary (ADR 35).
 */
@QueryHandler(ReadDuePayments)
export class ReadDuePaymentsHandler implements IQueryHandler<ReadDuePayments> {
  constructor(
    @Inject(PAYMENT_STORE) private readonly store: PaymentStore,
    private readonly clock: Clock,
    @Inject(POOL) private readonly pool: Pool,
    @Inject(PROFILE) private readonly profile: Profile,
  ) {}

  async execute({ request: page }: ReadDuePayments): Promise<DuePage> {
    const now = await readSettlementTime(this.pool, this.clock.now());
    if (now === undefined) return { now: this.clock.now(), payments: [] };
    const limit = Math.min(page.limit, maxRows);
    if (page.ahead !== undefined) return { now, ...(await this.readAhead(now, page.ahead, limit)) };
    const rows = await this.dueRows(now, { after: page.after ?? beginning, limit });
    const bulks = rows.filter(({ service }) => service === 'bulk-payments').length;
    const mayBeMore = rows.length === limit || bulks === maxBulks;
    const { payments, next, lanes } = await this.firstThatFit(rows, { now, mayBeMore });
    return { now, payments, lanes, next: next === undefined ? undefined : toPlace(next) };
  }

  /** Reads a page that is divided fairly between lanes. Throws the same errors as {@link execute}. */
  private async readAhead(
    now: string,
    { after, except }: LanesAhead,
    limit: number,
  ): Promise<Pick<DuePage, 'payments' | 'lanes' | 'nextLane'>> {
    const { rows: found } = await this.pool.query<
      { examined: boolean; lastLane: number } & (DueRow | { stream_id: null })
    >({ name: 'payments-due-ahead', text: dueAhead, values: [now, after ?? -1, except, limit] });
    const [first] = found;
    if (first?.examined !== true) throw dependencyDown();
    const all = found.filter((row) => row.stream_id !== null);
    let bulks = 0;
    const tooMany = all.findIndex(({ service }) => service === 'bulk-payments' && (bulks += 1) > maxBulks);
    const rows = tooMany === -1 ? all : all.slice(0, tooMany);
    const { payments, next, lanes } = await this.firstThatFit(rows, { now, mayBeMore: tooMany !== -1 });
    const lastLane = next?.lane ?? first.lastLane;
    return { payments, lanes, nextLane: lastLane === (after ?? -1) ? undefined : lastLane };
  }

  /** Returns the rows of due payments, with at most {@link maxBulks} bulk payments among them. */
  private async dueRows(
    now: string,
    { after, limit }: { readonly after: DuePlace; readonly limit: number },
  ): Promise<readonly DueRow[]> {
    const { rows } = await this.pool.query<{ examined: boolean } & (DueRow | { stream_id: null })>({
      name: 'payments-due',
      text: `SELECT examined, stream_id, version, due_at::text AS "dueAt", due_lane AS lane, service, state, ${streamKeyOf('page')} AS stream_key,
          ${recentTraceparentOf('page', '$1')} AS traceparent
        FROM (SELECT ${isExamined} AS examined) AS server LEFT JOIN (SELECT * FROM (
          SELECT stream_id, version, due_at, due_lane, service, state,
            count(*) FILTER (WHERE service = 'bulk-payments') OVER (ORDER BY due_at, stream_id) AS bulks
          FROM payment_view v WHERE due_at <= $1 AND (due_at, stream_id) > ($2, $3)
            AND NOT (${isInstantRow}) AND ${doesNotWait}
          ORDER BY due_at, stream_id LIMIT $4) AS candidate
        WHERE bulks <= ${maxBulks}) AS page ON examined ORDER BY due_at, stream_id`,
      values: [now, after.dueAt, after.paymentId, limit],
    });
    if (rows[0]?.examined !== true) throw dependencyDown();
    return rows.filter((row) => row.stream_id !== null);
  }

  /**
   * Returns the transactions of as many rows as fit into one answer, their lanes, and the row after which the next
   * page begins.
   */
  private async firstThatFit(
    rows: readonly DueRow[],
    { now, mayBeMore }: { readonly now: string; readonly mayBeMore: boolean },
  ): Promise<{ readonly payments: DuePayment[]; readonly lanes: number[]; readonly next?: DueRow }> {
    const payments: DuePayment[] = [];
    const lanes = new Set<number>();
    let bytes = 0;
    const states = await this.store.many.readReadableStates(rows);
    for (const [index, row] of rows.entries()) {
      const { stream_id: paymentId, lane, traceparent } = row;
      if (lane !== null) lanes.add(lane);
      const state = states[index];
      // The column only serves to find the payment; its state decides. A payment that cannot be read here,
      // for example one from a newer release, is left to an instance that can read it and must not block the
      // others.
      const planned = state === undefined ? [] : dueTransactions(state, this.profile);
      const due = planned.filter((transaction) => transaction.dueAt <= now);
      const followedAt =
        state === undefined || due.length === 0 ? undefined : nextOccurrenceDueAt(state, this.profile);
      const payment = { paymentId, followedAt, traceparent: traceparent ?? undefined };
      payments.push(...due.map((transaction) => bookedPayment(payment, transaction)));
      bytes += due.length === 0 ? 0 : Buffer.byteLength(JSON.stringify(due));
      const more = index + 1 < rows.length || mayBeMore;
      if (more && (bytes > maxBytes || index + 1 === rows.length)) {
        return { payments, lanes: [...lanes], next: row };
      }
    }
    return { payments, lanes: [...lanes] };
  }
}

const toPlace = ({ dueAt, stream_id: paymentId }: DueRow): DuePlace => ({ dueAt, paymentId });

/** Returns the transaction with the id under which it is booked. */
const bookedPayment = (
  { paymentId, followedAt, traceparent }: Pick<DuePayment, 'paymentId' | 'followedAt' | 'traceparent'>,
  { number, ...due }: DueTransaction,
): DuePayment => {
  if (number === undefined) return { ...due, paymentId, traceparent };
  const partOf = { paymentId, number };
  const booked = { ...due, paymentId: deriveBookingId(partOf), partOf, traceparent };
  return followedAt === undefined ? booked : { ...booked, followedAt };
};
