import { signPayment } from '../payment/authorise-payment.js';
import { decideInitiation } from '../payment/decide-payment.js';
import { paymentFrom } from '../payment/evolve-payment.js';
import type { PaymentEvent, PaymentOrder } from '../payment/payment-events.js';
import type { Profile } from '../profile/profile.js';

/** An order for a payment in BGN. */
export const bgnOrder = (debtorIban: string, minor: number, creditorAccount: string): PaymentOrder => ({
  amount: { minor, currency: 'BGN' },
  debtorIban,
  creditorAccount,
  creditorName: 'Мария Георгиева',
  remittance: 'Фактура 1',
});

/** The events of a payment, up to and including its signature at `now` (ISO instant). */
export const signedPaymentEvents = (
  {
    paymentId,
    order,
    now,
  }: { readonly paymentId: string; readonly order: PaymentOrder; readonly now: string },
  profile: Profile,
): PaymentEvent[] => {
  const by = { authorisationId: paymentId, psuId: 'ivan' };
  const events = decideInitiation(
    {
      type: 'initiated',
      data: {
        paymentId,
        tppId: 'tpp',
        product: 'domestic-credit-transfer-BGN',
        paymentType: 'DOMESTIC',
        body: {},
        order,
        signaturesRequired: 1,
        authorisationId: by.authorisationId,
        redirectUris: {},
      },
    },
    now,
    profile,
  );
  events.push({ type: 'accepted', data: by });
  const state = paymentFrom(events, now);
  if (state === undefined) throw new Error('no payment');
  const signing = signPayment(state, { ...by, now }, profile);
  if ('refused' in signing) throw new Error('not signed');
  return [...events, ...signing.events];
};
