import type { Published } from '@xs2a/event-store/publishing/publisher';
import type { BasketStore } from '../baskets/basket-store.js';
import type { PaymentStore } from '../store/payment-store.js';

/**
 * The streams of payments and baskets, which share a log. Each store recognises the final events of its own
 * streams.
 */
export const publishedStreams = (payments: PaymentStore, baskets: BasketStore): Published => ({
  resource: payments.resource,
  onAppended: (listener) => payments.onAppended(listener),
  pruneIdempotencyKeys: async (limit) => payments.pruneIdempotencyKeys(limit),
  endAgain: async (lost, mayTake) =>
    (await payments.endAgain(lost, mayTake)) || (await baskets.endAgain(lost, mayTake)),
});
