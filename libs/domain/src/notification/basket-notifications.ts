import type { BasketState } from '../basket/basket-state.js';
import { findBasketStatus, isFinalBasket } from '../basket/basket-transitions.js';
import type { Notifiable } from './status-notification.js';

/** A basket as far as its TPP is notified of it. Its creation is not sent: RCVD was the POST's own answer. */
export const notifiableBasket = ({ stage, authorisations }: BasketState): Notifiable => ({
  status: findBasketStatus(stage) ?? 'RCVD',
  isFinal: isFinalBasket(stage) && stage !== 'abandoned',
  authorisations,
});
