import { type Initiation, decideInitiation } from '@xs2a/domain/payment/decide-payment';
import { priceInitiation, validateInitiation } from '@xs2a/domain/payment/validate-initiation';
import type { Profile } from '@xs2a/domain/profile/profile';
import { newId } from '@xs2a/runtime/ids';
import { readProfile } from '@xs2a/runtime/profile-file';
import { root } from '@xs2a/sandbox/layout';
import type { Sandbox } from '@xs2a/sandbox/sandbox';
import { join } from 'node:path';
import { type Customer, inTurn } from './customers.js';
import { bankCode, openStores } from '../streams/event-stores.js';
import { PaymentStory } from '../streams/payment-story.js';
import { realTime } from './real-time.js';
import { paymentBody, product } from './signed-payments.js';

const ordersAtOnce = 500;

/** A signed daily order with this start day: its id, and its events as the domain decides them. */
const signedOrder = (payer: Customer, startDate: string, profile: Profile) => {
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
  const header = { paymentId, authorisationId, product, body, tppId: 'sandbox-tpp', redirectUris: {} };
  const initiation = { ...priced, data: { ...priced.data, ...header, signaturesRequired: 1 } } as Initiation;
  const now = realTime.now();
  const story = new PaymentStory();
  story.add(decideInitiation(initiation, now, profile));
  story.sign(payer, authorisationId, now, profile);
  return { paymentId, events: story.events };
};

/** Makes `orders` signed daily orders, in turn over the customers: decided by the domain and appended by the event store. */
export const signOrders = async (sandbox: Sandbox, orders: number, startDate: string): Promise<void> => {
  const profile = readProfile(join(root, 'deploy/profiles/sandbox.json'));
  const { payments, end } = openStores(sandbox, profile, realTime);
  try {
    for (let from = 0; from < orders; from += ordersAtOnce) {
      const count = Math.min(ordersAtOnce, orders - from);
      const page = Array.from({ length: count }, (_none, index) =>
        signedOrder(inTurn(from + index), startDate, profile),
      );
      await Promise.all(
        page.map(async ({ paymentId, events }) => {
          const outcome = await payments.append({ streamId: paymentId, events, actor: 'sandbox-tpp' });
          if (outcome !== 'appended') throw new Error('an order was not appended');
        }),
      );
    }
  } finally {
    await end();
  }
};
