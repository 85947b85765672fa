import { describe, expect, it } from '@jest/globals';
import { basketFrom } from '../basket/evolve-basket.js';
import type { BasketEvent } from '../basket/basket-events.js';
import type { BasketState } from '../basket/basket-state.js';
import { paymentFrom } from '../payment/evolve-payment.js';
import type { PaymentState } from '../payment/payment-state.js';
import { basketEvents } from '../testing/data/event-lists.js';
import { makeProfile } from '../testing/profiles.js';
import { bgnOrder, signedPaymentEvents } from '../testing/signed-payment.js';
import { rejectBasketInLeva } from './convert-basket.js';

const at = '2025-12-31T22:00:00.000Z';
const events = basketEvents['a basket that several persons sign'] ?? [];
const basketAfter = (type: BasketEvent['type']): BasketState => {
  const last = events.findIndex((event) => event.type === type);
  const state = basketFrom(events.slice(0, last + 1).map((event) => ({ event, at })));
  if (state === undefined) throw new Error('no basket');
  return state;
};
const item = (currency: string): PaymentState => {
  const order = {
    ...bgnOrder('BG25XSBK92001000000001', 100, 'BG80BNBG96611020345678'),
    amount: { minor: 100, currency },
  };
  const [initiated] = signedPaymentEvents({ paymentId: 'p', order, now: at }, makeProfile('sandbox'));
  const state = initiated && paymentFrom([initiated], at);
  if (state === undefined) throw new Error('no payment');
  return state;
};
const decide = (basket: BasketState, ...currencies: readonly string[]): unknown => {
  const decision = rejectBasketInLeva(basket, currencies.map(item));
  return 'events' in decision ? decision.events : decision;
};
const rejected = [{ type: 'basket-rejected', data: { reason: 'lev-ended' } }];

describe('signing baskets at the switch-over (contract E6.3)', () => {
  it.each(['basket-created', 'basket-partly-signed'] as const)(
    'are rejected after %s if one of their payments is in leva',
    (type) => {
      expect(decide(basketAfter(type), 'EUR', 'BGN')).toEqual(rejected);
      expect(decide(basketAfter(type), 'EUR')).toEqual([]);
    },
  );

  it('stay if all have signed', () => {
    expect(decide(basketAfter('basket-signed'), 'BGN')).toEqual([]);
  });
});
