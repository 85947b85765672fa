import type { Published } from '@xs2a/event-store/publishing/publisher';
import { endAgain, endByDecision } from '@xs2a/event-store/recovery/end-again';
import { type LostEvent, lostOf } from '@xs2a/event-store/recovery/lost-events';
import { isInstantEnd, lostInstantEnds } from '@xs2a/domain/payment/instant/lost-instant-ends';
import { resources } from '@xs2a/resources/resources';
import type { Clock } from '@xs2a/runtime/clock';
import type { Pool } from 'pg';
import type { BasketStore } from '../baskets/basket-store.js';
import type { PaymentStore } from '../store/payment-store.js';

/**
 * The streams of payments and baskets, which share a log. Each store recognises the final events of its own
 * streams. What an instant payment lost before its end counts too: the answer of the payee's bank.
 */
export const publishedStreams = (
  payments: PaymentStore,
  baskets: BasketStore,
  pool: Pool,
  clock: Clock,
): Published => {
  const endInstantAgain = async (streamId: string): Promise<boolean> =>
    endByDecision(payments, await lostOf(pool, streamId), (state, lost) =>
      lostInstantEnds(state, lost, clock.now()),
    );
  return {
    resource: resources.payments,
    onAppended: (listener) => payments.onAppended(listener),
    idempotencyKeys: payments.idempotencyKeys,
    endAgain: async (lost: readonly LostEvent[], mayTake) => {
      const [first] = lost;
      if (first !== undefined && isInstantEnd(first.type)) return endInstantAgain(first.stream_id);
      return (await endAgain(payments, lost, mayTake)) || (await endAgain(baskets, lost, mayTake));
    },
  };
};
