import type { Failure } from '@xs2a/domain/failure/failures';
import { Controller } from '@nestjs/common';
import { type HoldOrder, placeHolds, postHolds, voidHolds } from '@xs2a/contracts/accounts.contract';
import {
  type DuePlace,
  type LanesAhead,
  readDuePayments,
  readSettlementStates,
  recordSettlement,
  type SettlementRecord,
  type SettlementRecorded,
  type TransactionRef,
} from '@xs2a/contracts/payments.contract';
import type { SandboxBank } from '@xs2a/core-banking/sandbox/sandbox-bank';
import type { InstantStep } from '@xs2a/domain/payment/instant/instant-steps';
import { isInstant } from '@xs2a/domain/payment/instant/instant-payments';
import type { PaymentEvent } from '@xs2a/domain/payment/payment-events';
import type { PaymentState } from '@xs2a/domain/payment/payment-state';
import {
  type DuePayment,
  dueTransactions,
  hasEnded,
  isDueAt,
  nextOccurrenceDueAt,
} from '@xs2a/domain/payment/settlement/due';
import { decideSettlementSteps } from '@xs2a/domain/payment/settlement/steps';
import type { Profile } from '@xs2a/domain/profile/profile';
import { streamKeyOf } from '@xs2a/event-store/encryption/stream-keys';
import type { EventStore } from '@xs2a/event-store/streams/event-store';
import type { StateRow } from '@xs2a/event-store/streams/view-state';
import { Handles } from '@xs2a/calls/handles';
import { deriveBookingId } from '@xs2a/runtime/booking-ids';
import { Clock } from '@xs2a/runtime/clock';
import type { Pool } from 'pg';

/** The calls that the worker makes, named after their effect. */
export type Step =
  | 'due'
  | 'read'
  | 'hold'
  | 'started'
  | 'refused'
  | 'post'
  | 'settled'
  | 'booked'
  | 'void'
  | InstantStep['step']
  | 'send';
export type Moment = 'before' | 'after';

interface Outside {
  booking: SandboxBank['booking'];
  instant: SandboxBank['instant'];
  payments: EventStore<PaymentEvent, PaymentState, Failure>;
  /** The pool of the payments service's database. */
  pool: Pool;
  profile: Profile;
  interfere: (step: Step, moment: Moment, paymentIds: readonly string[]) => Promise<void>;
}

/**
 * The services around the worker: the real ledger and real payment streams. They are answered in this process
 * instead of in their own, so that a test can act or inject a fault before and after each step. The settlement
 * world fills this in.
 */
export const outside = { interfere: async () => undefined } as unknown as Outside;

const pageSize = 300;
const stateColumns = `stream_id, version, state, ${streamKeyOf('v')} AS stream_key`;
const beginning: DuePlace = { dueAt: '-infinity', paymentId: '00000000-0000-0000-0000-000000000000' };

/** Runs the work of a step, with the test's interference before and after it. */
export const around = async <Answer>(
  step: Step,
  ids: readonly string[],
  work: () => Promise<Answer>,
): Promise<Answer> => {
  await outside.interfere(step, 'before', ids);
  const answer = await work();
  await outside.interfere(step, 'after', ids);
  return answer;
};

const stepByKind = {
  'settlement-started': 'started',
  'funds-refused': 'refused',
  settled: 'settled',
  'entry-booked': 'booked',
} as const;

@Controller()
export class OutsideController {
  constructor(private readonly clock: Clock) {}

  @Handles(placeHolds)
  async hold({ orders }: { orders: readonly HoldOrder[] }) {
    const ids = orders.map(({ paymentId }) => paymentId);
    return around('hold', ids, async () => ({ results: await outside.booking.placeHolds(orders) }));
  }

  @Handles(postHolds)
  async post({ paymentIds }: { paymentIds: readonly string[] }) {
    return around('post', paymentIds, async () => ({ results: await outside.booking.postHolds(paymentIds) }));
  }

  @Handles(voidHolds)
  async void({ paymentIds }: { paymentIds: readonly string[] }) {
    return around('void', paymentIds, async () => {
      await outside.booking.voidHolds(paymentIds);
      return {};
    });
  }

  /** The debtor accounts of the last page. */
  private debtors: ReadonlySet<string> = new Set();

  /**
   * Answers as the payments service does, but in pages of 300, so that a test reads several; the oldest 100 of
   * other accounts are read ahead.
   */
  @Handles(readDuePayments)
  async due({ after = beginning, limit, ahead }: { after?: DuePlace; limit: number; ahead?: LanesAhead }) {
    const now = this.clock.now();
    if (ahead !== undefined) {
      const { rows } = await outside.pool.query<StateRow>(
        `SELECT ${stateColumns} FROM payment_view v WHERE due_at <= $1 AND debtor <> ALL($2)
         ORDER BY due_at, stream_id LIMIT 100`,
        [now, [...this.debtors]],
      );
      const ofOthers = (await outside.payments.many.readStates(rows)).flatMap(listDuePayments);
      return { now, payments: ofOthers.slice(0, 100) };
    }
    const max = Math.min(limit, pageSize);
    const { rows } = await outside.pool.query<StateRow & { dueAt: string }>(
      `SELECT ${stateColumns}, due_at::text AS "dueAt" FROM payment_view v
       WHERE due_at <= $1 AND (due_at, stream_id) > ($2, $3) ORDER BY due_at, stream_id LIMIT $4`,
      [now, after.dueAt, after.paymentId, max],
    );
    const payments = (await outside.payments.many.readStates(rows)).flatMap(listDuePayments);
    this.debtors = new Set(payments.map(({ order }) => order.debtorIban));
    const ids = payments.map(({ paymentId }) => paymentId);
    const last = rows[max - 1];
    const next = last && { dueAt: last.dueAt, paymentId: last.stream_id };
    return around('due', ids, async () => ({ now, payments, next }));
  }

  @Handles(readSettlementStates)
  async read({ payments }: { payments: readonly TransactionRef[] }) {
    const ids = payments.map(({ paymentId }) => paymentId);
    return around('read', ids, async () => {
      const states = await outside.payments.many.load(payments.map(toStreamId));
      return {
        payments: payments.flatMap((payment) => {
          const state = states.get(toStreamId(payment))?.state;
          if (state === undefined) return [];
          const number = payment.partOf?.number;
          const ended = hasEnded(state, number);
          return [{ paymentId: payment.paymentId, ended, due: isDueAt(state, number, this.clock.now()) }];
        }),
      };
    });
  }

  @Handles(recordSettlement)
  async record({ records }: { records: readonly SettlementRecord[] }) {
    const ids = records.map(({ paymentId }) => paymentId);
    const [first] = records;
    if (first === undefined) return { results: [] };
    return around(stepByKind[first.step], ids, async () => {
      const byStream = [...Map.groupBy(records, toStreamId)];
      const results = byStream.map(async ([id, ofStream]) => this.recordIn(id, ofStream));
      return { results: (await Promise.all(results)).flat() };
    });
  }

  private async recordIn(
    streamId: string,
    records: readonly SettlementRecord[],
  ): Promise<readonly SettlementRecorded[]> {
    const { payments, profile } = outside;
    const steps = records.map(({ partOf, ...record }) => ({ ...record, number: partOf?.number }));
    let results: readonly SettlementRecorded[] = [];
    await payments.many.change(
      [streamId],
      (state) => {
        const decided = decideSettlementSteps(state, steps, this.clock.now(), profile);
        results = steps.map((step) => ({
          paymentId: step.paymentId,
          recorded: !decided.refusedSteps.includes(step),
          ended: hasEnded(decided.state, step.number),
        }));
        return decided;
      },
      { actor: 'settlement' },
    );
    return results;
  }
}

export const toStreamId = ({ paymentId, partOf }: TransactionRef): string => partOf?.paymentId ?? paymentId;

const listDuePayments = (state: PaymentState): DuePayment[] =>
  (isInstant(state) ? [] : dueTransactions(state, outside.profile)).map(({ number, ...due }): DuePayment => {
    const { paymentId } = state;
    if (number === undefined) return { ...due, paymentId };
    const partOf = { paymentId, number };
    const followedAt = nextOccurrenceDueAt(state, outside.profile);
    return { ...due, paymentId: deriveBookingId(partOf), partOf, followedAt };
  });
