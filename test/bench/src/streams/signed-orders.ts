import { type Initiation, decideInitiation } from '@xs2a/domain/payment/decide-payment';
import type { PaymentEvent } from '@xs2a/domain/payment/payment-events';
import { priceInitiation, validateInitiation } from '@xs2a/domain/payment/validate-initiation';
import type { Profile } from '@xs2a/domain/profile/profile';
import { newId } from '@xs2a/runtime/ids';
import type { Sandbox } from '@xs2a/sandbox/sandbox';
import { type Customer, inTurn } from '../world/customers.js';
import { paymentBody, product } from '../world/payments.js';
import { realTime } from '../world/real-time.js';
import { appendMany, type Stream } from './append-streams.js';
import { bankCode, openStores } from './event-stores.js';
import { PaymentStory } from './payment-story.js';

const tppId = 'sandbox-tpp';

/** Creates a signed daily order with the given start date. The domain produces the events. */
const signedOrder = (payer: Customer, startDate: string, profile: Profile): Stream<PaymentEvent> => {
  const [paymentId, authorisationId] = [newId(), newId()];
  const body = { ...paymentBody(payer.iban), frequency: 'Daily', startDate };
  const today = realTime.date(profile.timeZone);
  const valid = validateInitiation(
    { service: 'periodic-payments', product, body },
    { profile, today, ownBankCode: bankCode },
  );
  if ('failures' in valid) throw new Error(`the order is not valid: ${valid.failures[0]?.failure}`);
  const priced = priceInitiation(valid, { product, body, accountCurrency: 'BGN', today, profile });
  if ('failure' in priced) throw new Error(`the order has no price: ${priced.failure.failure}`);
  const header = { paymentId, authorisationId, product, body, tppId, redirectUris: {} };
  const initiation = { ...priced, data: { ...priced.data, ...header, signaturesRequired: 1 } } as Initiation;
  const now = realTime.now();
  const story = new PaymentStory(now);
  story.add(decideInitiation(initiation, now, profile));
  story.sign(payer, authorisationId, now, profile);
  return { id: paymentId, tppId, events: story.events };
};

/**
 * Creates `orders` signed daily orders, cycling through the customers. The domain produces their events, and the
 * event store appends them.
 */
export const signOrders = async (sandbox: Sandbox, orders: number, startDate: string): Promise<void> => {
  const { payments, profile, end } = openStores(sandbox, realTime);
  try {
    await appendMany(payments, orders, (number) => signedOrder(inTurn(number), startDate, profile));
  } finally {
    await end();
  }
};
