import type { Published } from '@xs2a/event-store/publishing/publisher';
import { endAgain } from '@xs2a/event-store/recovery/end-again';
import { resources } from '@xs2a/resources/resources';
import type { ConsentStore } from '../store/consent-store.js';

/** The streams of consents. */
export const publishedStreams = (consents: ConsentStore): Published => ({
  resource: resources.consents,
  onAppended: (listener) => consents.onAppended(listener),
  idempotencyKeys: consents.idempotencyKeys,
  endAgain: async (lost, mayTake) => endAgain(consents, lost, mayTake),
});
