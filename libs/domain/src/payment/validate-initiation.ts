import { bulkMembers, validateBulk, type ValidBulk } from '../bulk/validate-bulk.js';
import { type Failure, fail } from '../failure/failures.js';
import { type JsonObject, getMember } from '../form/form-checks.js';
import { orderMembers, validateOrder, type ValidOrder } from '../order/validate-order.js';
import type { Profile } from '../profile/profile.js';
import type { Initiation } from './decide-payment.js';
import type { InitiationData, PaymentOrder } from './payment-events.js';
import type { PaymentProduct } from './payment-products.js';
import type { PaymentService } from './payment-services.js';
import { futureExchangeFailure, needsExchange, priceOrder, tooLargeFailure } from './pricing/price-order.js';
import { paymentPaths } from './fields/payment-fields.js';
import { type PaymentRules, validatePayment, type ValidPayment } from './fields/validate-payment.js';

/** The allowed top-level members of a body, by payment service. */
export const initiationMembers: Readonly<Record<PaymentService, readonly string[]>> = {
  payments: paymentPaths,
  'periodic-payments': orderMembers,
  'bulk-payments': bulkMembers,
};

/** A body that satisfies the rules of its payment service. */
export type ValidInitiation =
  | { readonly type: 'initiated'; readonly valid: ValidPayment }
  | { readonly type: 'order-initiated'; readonly valid: ValidOrder }
  | { readonly type: 'bulk-initiated'; readonly valid: ValidBulk };

/** Validates a body by the rules of its payment service. Returns the failures of the first stage that fails (contract 3). */
export function validateInitiation(
  {
    service,
    product,
    body,
  }: { readonly service: PaymentService; readonly product: PaymentProduct; readonly body: unknown },
  rules: PaymentRules,
): ValidInitiation | { readonly failures: readonly Failure[] } {
  switch (service) {
    case 'payments': {
      const validated = validatePayment(product, body, rules);
      return 'failures' in validated ? validated : { type: 'initiated', ...validated };
    }
    case 'periodic-payments': {
      const validated = validateOrder(body, rules);
      return 'failures' in validated ? validated : { type: 'order-initiated', ...validated };
    }
    case 'bulk-payments': {
      const validated = validateBulk(product, body, rules);
      return 'failures' in validated ? validated : { type: 'bulk-initiated', ...validated };
    }
  }
}

/** The orders to be paid: a single one or, for a bulk payment, one per entry. */
export const ordersToPay = (initiation: ValidInitiation): readonly PaymentOrder[] =>
  initiation.type === 'bulk-initiated' ? initiation.valid.orders : [initiation.valid.order];

interface Submitted {
  readonly product: PaymentProduct;
  readonly body: JsonObject;
  /** ISO 4217 currency of the debtor account. */
  readonly accountCurrency: string;
  /** ISO date in the bank's zone. */
  readonly today: string;
  readonly profile: Profile;
}
/** The data of an initiation without the members common to all payment services. */
type OwnData<Kind extends Initiation> = Kind extends Initiation
  ? {
      readonly type: Kind['type'];
      readonly data: Omit<Kind['data'], Exclude<keyof InitiationData, 'paymentType'>>;
    }
  : never;
export type PricedInitiation = OwnData<Initiation>;

/**
 * Returns the initiation with its price in the account's currency (spec 1.8), or why it cannot be paid: it needs
 * an exchange rate for a later day, or its total with the fee is too large. A periodic order is priced on each day
 * of execution (contract 9).
 */
export function priceInitiation(
  initiation: ValidInitiation,
  submitted: Submitted,
): PricedInitiation | { readonly failure: Failure } {
  switch (initiation.type) {
    case 'initiated':
      return pricedPayment(initiation.valid, submitted);
    case 'order-initiated':
      return unpricedOrder(initiation.valid, submitted);
    case 'bulk-initiated':
      return pricedBulk(initiation.valid, submitted);
  }
}

const priced = (order: PaymentOrder, { product, body, accountCurrency, profile }: Submitted): PaymentOrder =>
  priceOrder(order, { product, body }, accountCurrency, profile);

function pricedPayment(
  { debtorCurrency: _named, ...valid }: ValidPayment,
  submitted: Submitted,
): PricedInitiation | { readonly failure: Failure } {
  const order = priced(valid.order, submitted);
  const failure =
    tooLargeFailure(order) ?? futureExchangeFailure(order, valid.requestedExecutionDate, submitted.today);
  return failure === undefined ? { type: 'initiated', data: { ...valid, order } } : { failure };
}

function unpricedOrder(
  { debtorCurrency: _named, ...valid }: ValidOrder,
  submitted: Submitted,
): PricedInitiation | { readonly failure: Failure } {
  const text = 'A periodic order cannot include a currency conversion. Pay from an account in this currency.';
  const failure = needsExchange(valid.order, submitted.accountCurrency)
    ? fail('executionDateInvalid', 'startDate', text)
    : tooLargeFailure(priced(valid.order, submitted));
  return failure === undefined ? { type: 'order-initiated', data: valid } : { failure };
}

function pricedBulk(
  { debtorCurrency: _named, ...valid }: ValidBulk,
  submitted: Submitted,
): PricedInitiation | { readonly failure: Failure } {
  const entries = getMember(submitted.body, 'payments') as readonly JsonObject[];
  const orders = valid.orders.map((order, index) =>
    priced(order, { ...submitted, body: entries[index] ?? {} }),
  );
  const failures = orders.map(
    (order) =>
      tooLargeFailure(order) ?? futureExchangeFailure(order, valid.requestedExecutionDate, submitted.today),
  );
  const failure = failures.find((found) => found !== undefined);
  return failure === undefined ? { type: 'bulk-initiated', data: { ...valid, orders } } : { failure };
}
