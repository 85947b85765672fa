import { Controller, Module } from '@nestjs/common';
import type { AnswerOf, RequestOf } from '@xs2a/contracts/call';
import {
  type DueInstant,
  type InstantOrder,
  type InstantRecord,
  type InstantRecorded,
  readDueInstants,
  recordInstants,
  sendInstant,
} from '@xs2a/contracts/instant/instant.contract';
import type { TransactionRef } from '@xs2a/contracts/payments.contract';
import {
  decideInstantSteps,
  type InstantOutcome,
  instantProgress,
} from '@xs2a/domain/payment/instant/decide-instant';
import { instantEntriesUnderWay } from '@xs2a/domain/payment/instant/instant-entries';
import { listOrders } from '@xs2a/domain/payment/payment-state';
import { Handles } from '@xs2a/calls/handles';
import { deriveBookingId } from '@xs2a/runtime/booking-ids';
import { Clock } from '@xs2a/runtime/clock';
import { around, outside, OutsideController, toStreamId } from './outside.js';

/** The calls about instant payments, answered by the real bank and from real streams, as {@link OutsideController} does. */
@Controller()
class OutsideInstants {
  constructor(private readonly clock: Clock) {}

  @Handles(sendInstant)
  async send({ paymentId, order, deadline }: InstantOrder) {
    return around('send', [paymentId], async () => outside.instant.sendInstant(paymentId, order, deadline));
  }

  @Handles(readDueInstants)
  async due({
    only,
    except = [],
  }: RequestOf<typeof readDueInstants>): Promise<AnswerOf<typeof readDueInstants>> {
    const now = this.clock.now();
    const { rows } = await outside.pool.query<{ id: string }>(
      `SELECT stream_id AS id FROM payment_view WHERE due_at <= $1 AND stream_id <> ALL($2::uuid[])
       ORDER BY due_at, stream_id LIMIT 300`,
      [now, except],
    );
    const found: readonly TransactionRef[] = only ?? rows.map(({ id }) => ({ paymentId: id }));
    const loaded = await outside.payments.many.load(found.map(toStreamId));
    const payments = found.flatMap((ref): readonly DueInstant[] => {
      const state = loaded.get(toStreamId(ref))?.state;
      if (state === undefined) return [];
      const numbers =
        state.service === 'bulk-payments' && only === undefined
          ? instantEntriesUnderWay(state, now)
          : [ref.partOf?.number];
      return numbers.flatMap((number) => {
        const order = listOrders(state)[(number ?? 1) - 1];
        if (order === undefined) return [];
        const progress = instantProgress(state, now, number);
        if (number === undefined) return [{ paymentId: ref.paymentId, order, progress }];
        const partOf = { paymentId: toStreamId(ref), number };
        return [{ paymentId: deriveBookingId(partOf), partOf, order, progress }];
      });
    });
    return {
      payments: payments.filter(({ progress }) => only !== undefined || progress.next !== 'none'),
      unknown: only?.filter((ref) => !loaded.has(toStreamId(ref))).map(({ paymentId }) => paymentId),
    };
  }

  @Handles(recordInstants)
  async record({ records }: RequestOf<typeof recordInstants>): Promise<AnswerOf<typeof recordInstants>> {
    return { results: await Promise.all(records.map(async (record) => this.recordOne(record))) };
  }

  private async recordOne(record: InstantRecord): Promise<InstantRecorded> {
    const { paymentId, partOf, step } = record;
    return around(step.step, [paymentId], async () => {
      const now = this.clock.now();
      let outcome: InstantOutcome | undefined;
      await outside.payments.many.change(
        [toStreamId(record)],
        (state) => {
          const decided = decideInstantSteps(state, [{ step, number: partOf?.number }], now);
          [outcome] = decided.outcomes;
          return decided;
        },
        { actor: 'settlement' },
      );
      return outcome ?? { failure: 'resourceUnknown' };
    });
  }
}

@Module({ controllers: [OutsideController, OutsideInstants] })
export class OutsideModule {}
