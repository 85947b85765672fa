import { signPayment } from '../payment/authorise-payment.js';
import { decideInitiation } from '../payment/decide-payment.js';
import { paymentFrom } from '../payment/evolve-payment.js';
import { instantProduct } from '../payment/instant/instant-payments.js';
import type { PaymentEvent, PaymentOrder } from '../payment/payment-events.js';
import type { SinglePayment } from '../payment/payment-state.js';
import type { Profile } from '../profile/profile.js';
import { single } from './initiations.js';
import { matchingPayees } from './verified-payees.js';

/** What a test chooses about a signed instant payment. */
export interface SignedInstant {
  readonly paymentId: string;
  readonly order: PaymentOrder;
  /** The time of the signature by the bank's clock, as an ISO instant. */
  readonly now: string;
  readonly requestedExecutionDate?: string;
  readonly clockOffsetMs?: number;
}

/** The events of an instant payment, up to and including its signature. */
export const signedInstantEvents = (
  { paymentId, order, now, requestedExecutionDate, clockOffsetMs }: SignedInstant,
  profile: Profile,
): PaymentEvent[] => {
  const by = { authorisationId: paymentId, psuId: 'ivan' };
  const data = {
    paymentId,
    tppId: 'tpp',
    product: instantProduct,
    paymentType: 'SEPA',
    body: {},
    order,
    requestedExecutionDate,
    signaturesRequired: 1,
    authorisationId: paymentId,
    redirectUris: {},
  } as const;
  const events = decideInitiation({ type: 'initiated', data }, now, profile);
  events.push({ type: 'accepted', data: by });
  events.push(...matchingPayees(instantFrom(events, now), profile, now));
  const state = instantFrom(events, now);
  const signing = signPayment(state, { ...by, now, clockOffsetMs }, profile);
  if ('refused' in signing) throw new Error('not signed');
  return [...events, ...signing.events];
};

/** The state after the events. */
export const instantFrom = (events: readonly PaymentEvent[], at: string): SinglePayment => {
  const state = paymentFrom(events, at);
  if (state === undefined) throw new Error('no payment');
  return single(state);
};
