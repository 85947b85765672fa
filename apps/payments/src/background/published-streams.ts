import type { Published } from '@xs2a/event-store/publishing/publisher';
import { endAgain } from '@xs2a/event-store/recovery/end-again';
import { resources } from '@xs2a/resources/resources';
import type { BasketStore } from '../baskets/basket-store.js';
import type { PaymentStore } from '../store/payment-store.js';

/**
 * The streams of payments and baskets, which share a log. Each store recognises the final events of its own
 * streams.
 */
export const publishedStreams = (payments: PaymentStore, baskets: BasketStore): Published => ({
  resource: resources.payments,
  onAppended: (listener) => payments.onAppended(listener),
  idempotencyKeys: payments.idempotencyKeys,
  endAgain: async (lost, mayTake) =>
    (await endAgain(payments, lost, mayTake)) || (await endAgain(baskets, lost, mayTake)),
});
