import { Controller, Module } from '@nestjs/common';
import type { AnswerOf, RequestOf } from '@xs2a/contracts/call';
import {
  type DueInstant,
  type InstantOrder,
  readDueInstants,
  recordInstant,
  sendInstant,
} from '@xs2a/contracts/instant/instant.contract';
import type { TransactionRef } from '@xs2a/contracts/payments.contract';
import {
  decideInstantStep,
  instantProgress,
  wasAnsweredLate,
} from '@xs2a/domain/payment/instant/decide-instant';
import { instantEntriesUnderWay } from '@xs2a/domain/payment/instant/instant-entries';
import { listOrders, type PaymentState } from '@xs2a/domain/payment/payment-state';
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
  async due({ only }: RequestOf<typeof readDueInstants>): Promise<AnswerOf<typeof readDueInstants>> {
    const now = this.clock.now();
    const { rows } = await outside.pool.query<{ id: string }>(
      'SELECT stream_id AS id FROM payment_view WHERE due_at <= $1 ORDER BY due_at, stream_id LIMIT 300',
      [now],
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
    return { payments: payments.filter(({ progress }) => only !== undefined || progress.next !== 'none') };
  }

  @Handles(recordInstant)
  async record(request: RequestOf<typeof recordInstant>): Promise<AnswerOf<typeof recordInstant>> {
    const { paymentId, partOf, step } = request;
    return around(step.step, [paymentId], async () => {
      const now = this.clock.now();
      let state: PaymentState | undefined;
      const results = await outside.payments.many.change(
        [toStreamId(request)],
        (before) => {
          state = before;
          return decideInstantStep(before, step, now, partOf?.number);
        },
        { actor: 'settlement' },
      );
      const result = results.get(toStreamId(request));
      const recorded = result !== undefined && 'state' in result;
      const after = recorded ? result.state : state;
      if (after === undefined) throw new Error('no such payment');
      return {
        recorded,
        progress: instantProgress(after, now, partOf?.number),
        answeredLate: wasAnsweredLate(after, partOf?.number),
      };
    });
  }
}

@Module({ controllers: [OutsideController, OutsideInstants] })
export class OutsideModule {}
