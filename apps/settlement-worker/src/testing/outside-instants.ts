import { Controller, Module } from '@nestjs/common';
import type { AnswerOf, RequestOf } from '@xs2a/contracts/call';
import {
  type InstantOrder,
  readDueInstants,
  recordInstant,
  sendInstant,
} from '@xs2a/contracts/instant/instant.contract';
import { decideInstantStep, instantProgress } from '@xs2a/domain/payment/instant/decide-instant';
import { getFirstOrder, isSinglePayment, type PaymentState } from '@xs2a/domain/payment/payment-state';
import { Handles } from '@xs2a/calls/handles';
import { Clock } from '@xs2a/runtime/clock';
import { around, outside, OutsideController } from './outside.js';

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
    const loaded = await outside.payments.many.load(only ?? rows.map(({ id }) => id));
    const payments = [...loaded].map(([paymentId, { state }]) => ({
      paymentId,
      order: getFirstOrder(state),
      progress: instantProgress(state, now),
    }));
    return { payments: payments.filter(({ progress }) => only !== undefined || progress.next !== 'none') };
  }

  @Handles(recordInstant)
  async record({
    paymentId,
    step,
  }: RequestOf<typeof recordInstant>): Promise<AnswerOf<typeof recordInstant>> {
    return around(step.step, [paymentId], async () => {
      const now = this.clock.now();
      let state: PaymentState | undefined;
      const results = await outside.payments.many.change(
        [paymentId],
        (before) => {
          state = before;
          return decideInstantStep(before, step, now);
        },
        { actor: 'settlement' },
      );
      const result = results.get(paymentId);
      const recorded = result !== undefined && 'state' in result;
      const after = recorded ? result.state : state;
      if (after === undefined) throw new Error('no such payment');
      return {
        recorded,
        progress: instantProgress(after, now),
        answeredLate: isSinglePayment(after) && after.instant?.answeredLate === true,
      };
    });
  }
}

@Module({ controllers: [OutsideController, OutsideInstants] })
export class OutsideModule {}
