import type { BasketEvent } from '../basket/basket-events.js';
import type { BasketState } from '../basket/basket-state.js';
import { awaitsSignature } from '../basket/basket-transitions.js';
import { type Decision, happened } from '../decision.js';
import { listOrders, type PaymentState } from '../payment/payment-state.js';
import { isInLeva } from './convert-order.js';

/**
 * Rejects a signing basket that awaits a signature and holds a payment in leva (contract E6.3). Its items are
 * rejected with it. A repeat changes nothing. `items`: its payments.
 */
export const rejectBasketInLeva = (
  { stage }: BasketState,
  items: readonly PaymentState[],
): Decision<BasketEvent> =>
  awaitsSignature(stage) && items.some((item) => listOrders(item).some(isInLeva))
    ? happened<BasketEvent>({ type: 'basket-rejected', data: { reason: 'lev-ended' } })
    : happened();
