import type { PeriodicSchedule } from '../order/periodic-schedule.js';
import { decideInitiation } from '../payment/decide-payment.js';
import { signPayment } from '../payment/authorise-payment.js';
import { paymentFrom } from '../payment/evolve-payment.js';
import type { PaymentEvent, PaymentOrder } from '../payment/payment-events.js';
import type { PaymentProduct } from '../payment/payment-products.js';
import {
  type BulkPayment,
  isSinglePayment,
  type PaymentState,
  type PeriodicOrder,
  type SinglePayment,
} from '../payment/payment-state.js';
import type { Profile } from '../profile/profile.js';
import { matchingPayees } from './verified-payees.js';

const header = (paymentId: string) =>
  ({
    paymentId,
    tppId: 'tpp',
    product: 'domestic-credit-transfer-BGN',
    paymentType: 'DOMESTIC',
    body: {},
    signaturesRequired: 1,
    authorisationId: paymentId,
    redirectUris: {},
  }) as const;

/** The instant `now` (ISO) at which a periodic order or bulk payment is signed, and the profile that applies. */
export interface Signing {
  readonly paymentId: string;
  readonly now: string;
  readonly profile: Profile;
  /** A domestic payment if absent. */
  readonly product?: PaymentProduct;
}

const signed = (initiated: readonly PaymentEvent[], { paymentId, now, profile }: Signing): PaymentEvent[] => {
  const by = { authorisationId: paymentId, psuId: 'ivan' };
  const events: PaymentEvent[] = [...initiated, { type: 'accepted', data: by }];
  events.push(...matchingPayees(mustExist(events), profile, now));
  const signing = signPayment(mustExist(events), { ...by, now }, profile);
  if ('refused' in signing) throw new Error('not signed');
  return [...events, ...signing.events];
};

/** The time of the POST, on which no rule depends. */
const createdAt = '2026-11-20T08:00:00.000Z';

const mustExist = (events: readonly PaymentEvent[]): PaymentState => {
  const state = paymentFrom(events, createdAt);
  if (state === undefined) throw new Error('no payment');
  return state;
};

/** The events of a periodic order, up to and including its signature. */
export const signedOrderEvents = (
  { order, schedule }: { readonly order: PaymentOrder; readonly schedule: PeriodicSchedule },
  signing: Signing,
): PaymentEvent[] => {
  const data = { ...header(signing.paymentId), order, schedule };
  return signed(decideInitiation({ type: 'order-initiated', data }, signing.now, signing.profile), signing);
};

/** The events of a bulk payment, up to and including its signature. */
export const signedBulkEvents = (
  {
    orders,
    batchBookingPreferred = false,
  }: { readonly orders: readonly PaymentOrder[]; readonly batchBookingPreferred?: boolean },
  signing: Signing,
): PaymentEvent[] => {
  const { product = 'domestic-credit-transfer-BGN' } = signing;
  const data = { ...header(signing.paymentId), product, orders, batchBookingPreferred };
  return signed(decideInitiation({ type: 'bulk-initiated', data }, signing.now, signing.profile), signing);
};

/** The periodic order after its events. @throws Error if the events belong to another kind of initiation. */
export const orderFrom = (events: readonly PaymentEvent[]): PeriodicOrder => {
  const state = mustExist(events);
  if (state.service !== 'periodic-payments') throw new Error('no periodic order');
  return state;
};

/** The bulk payment after its events. @throws Error if the events belong to another kind of initiation. */
export const bulkFrom = (events: readonly PaymentEvent[]): BulkPayment => {
  const state = mustExist(events);
  if (state.service !== 'bulk-payments') throw new Error('no bulk payment');
  return state;
};

/** Narrows a state to a single payment. @throws Error if it is another kind of initiation. */
export const single = (state: PaymentState): SinglePayment => {
  if (!isSinglePayment(state)) throw new Error('not a single payment');
  return state;
};
