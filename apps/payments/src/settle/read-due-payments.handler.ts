import { Inject } from '@nestjs/common';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import type { AnswerOf, RequestOf } from '@xs2a/contracts/call';
import type { DuePlace, readDuePayments } from '@xs2a/contracts/payments.contract';
import type { PaymentService } from '@xs2a/domain/payment/payment-services';
import {
  type DuePayment,
  type DueTransaction,
  dueTransactions,
  nextOccurrenceDueAt,
} from '@xs2a/domain/payment/settlement/due';
import type { Profile } from '@xs2a/domain/profile/profile';
import { streamKeyOf } from '@xs2a/event-store/personal-data/stream-keys';
import { isExamined, waitsForDecision } from '@xs2a/event-store/streams/lost-events';
import { dependencyDown } from '@xs2a/domain/failure/failed';
import { deriveBookingId } from '@xs2a/runtime/booking-ids';
import { Clock } from '@xs2a/runtime/clock';
import { POOL, PROFILE } from '@xs2a/runtime/tokens';
import type { StateRow } from '@xs2a/event-store/streams/view-state';
import type { Pool } from 'pg';
import { PaymentStore } from '../store/payment-store.js';

/** Bytes of payments in an answer: an answer is one NATS message, which may have two megabytes at most. */
const maxBytes = 600_000;
const maxRows = 1000;
/** A bulk payment's state may have half a megabyte: so many are read at a time. */
const maxBulks = 4;
const beginning: DuePlace = { dueAt: '-infinity', paymentId: '00000000-0000-0000-0000-000000000000' };

type DuePage = AnswerOf<typeof readDuePayments>;

/** The settlement worker asks for the transactions that are due now, page by page. */
export class ReadDuePayments extends Query<DuePage> {
  constructor(readonly page: RequestOf<typeof readDuePayments>) {
    super();
  }
}

/** SQL: whether a row of `payment_view v` waits because an event of it, or of its basket, was lost. */
const waits = waitsForDecision("v.stream_id, (v.state->>'basketId')::uuid");

interface DueRow extends StateRow {
  readonly dueAt: string;
  readonly service: PaymentService;
}

/**
 * Reads the transactions that are due behind a place, in order, as many as one answer carries: all those of a bulk payment or
 * none. Those that wait because the database lost an event of theirs are left out. Throws CallFailed (dependencyDown) until log
 * and stream were compared since the database server has been the primary (ADR 43).
 */
@QueryHandler(ReadDuePayments)
export class ReadDuePaymentsHandler implements IQueryHandler<ReadDuePayments> {
  constructor(
    private readonly store: PaymentStore,
    private readonly clock: Clock,
    @Inject(POOL) private readonly pool: Pool,
    @Inject(PROFILE) private readonly profile: Profile,
  ) {}

  async execute({ page }: ReadDuePayments): Promise<DuePage> {
    const now = this.clock.now();
    const limit = Math.min(page.limit, maxRows);
    const rows = await this.dueRows(now, { after: page.after ?? beginning, limit });
    const bulks = rows.filter(({ service }) => service === 'bulk-payments').length;
    const mayBeMore = rows.length === limit || bulks === maxBulks;
    return { now, ...(await this.firstThatFit(rows, { now, mayBeMore })) };
  }

  /** The rows of payments that are due; at most {@link maxBulks} bulk payments. */
  private async dueRows(
    now: string,
    { after, limit }: { readonly after: DuePlace; readonly limit: number },
  ): Promise<readonly DueRow[]> {
    const { rows } = await this.pool.query<{ examined: boolean } & (DueRow | { stream_id: null })>({
      name: 'payments-due',
      text: `SELECT examined, stream_id, version, due_at::text AS "dueAt", service, state, ${streamKeyOf('page')} AS stream_key
        FROM (SELECT ${isExamined} AS examined) AS server LEFT JOIN (SELECT * FROM (
          SELECT stream_id, version, due_at, service, state,
            count(*) FILTER (WHERE service = 'bulk-payments') OVER (ORDER BY due_at, stream_id) AS bulks
          FROM payment_view v WHERE due_at <= $1 AND (due_at, stream_id) > ($2, $3)
            AND (NOT EXISTS (SELECT FROM lost_event WHERE holds AND released_at IS NULL) OR NOT ${waits})
          ORDER BY due_at, stream_id LIMIT $4) AS candidate
        WHERE bulks <= ${maxBulks}) AS page ON examined ORDER BY due_at, stream_id`,
      values: [now, after.dueAt, after.paymentId, limit],
    });
    if (rows[0]?.examined !== true) throw dependencyDown();
    return rows.filter((row) => row.stream_id !== null);
  }

  /** The transactions of as many rows as one answer carries, and the place behind which the next page begins. */
  private async firstThatFit(
    rows: readonly DueRow[],
    { now, mayBeMore }: { readonly now: string; readonly mayBeMore: boolean },
  ): Promise<Pick<DuePage, 'payments' | 'next'>> {
    const payments: DuePayment[] = [];
    let bytes = 0;
    const states = await this.store.readReadableStates(rows);
    for (const [index, { stream_id: paymentId, dueAt }] of rows.entries()) {
      const state = states[index];
      // The payment's state decides, the column only finds it. One that cannot be read is left to an instance that can, as one of
      // a newer release: it must not hold up the others.
      const planned = state === undefined ? [] : dueTransactions(state, this.profile);
      const due = planned.filter((transaction) => transaction.dueAt <= now);
      const followedAt =
        state === undefined || due.length === 0 ? undefined : nextOccurrenceDueAt(state, this.profile);
      payments.push(...due.map((transaction) => bookedPayment({ paymentId, followedAt }, transaction)));
      bytes += due.length === 0 ? 0 : Buffer.byteLength(JSON.stringify(due));
      const more = index + 1 < rows.length || mayBeMore;
      if (more && (bytes > maxBytes || index + 1 === rows.length)) {
        return { payments, next: { dueAt, paymentId } };
      }
    }
    return { payments };
  }
}

/** The transaction with the id under which it is booked. */
const bookedPayment = (
  { paymentId, followedAt }: { readonly paymentId: string; readonly followedAt?: string },
  { number, ...due }: DueTransaction,
): DuePayment => {
  if (number === undefined) return { ...due, paymentId };
  const partOf = { paymentId, number };
  const booked = { ...due, paymentId: deriveBookingId(partOf), partOf };
  return followedAt === undefined ? booked : { ...booked, followedAt };
};
