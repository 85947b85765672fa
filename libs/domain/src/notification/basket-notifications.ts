import type { BasketState } from '../basket/basket-state.js';
import { findBasketStatus, isFinalBasket } from '../basket/basket-transitions.js';
import type { Notifiable } from './status-notification.js';

/**
 * The part of a basket's state that is reported to its TPP. The creation is not sent because the response to the
 * POST already contains RCVD.
 */
export const notifiableBasket = ({ stage, authorisations }: BasketState): Notifiable => ({
  status: findBasketStatus(stage) ?? 'RCVD',
  isFinal: isFinalBasket(stage) && stage !== 'abandoned',
  authorisations,
});
