import { type Failure, fail } from '../failure/failures.js';
import type { Profile } from '../profile/profile.js';
import { type PaymentProduct, paymentProducts } from './payment-products.js';

/**
 * The payment services of the framework, as they appear in a path: single payments, periodic orders and bulk
 * payments.
 */
export const paymentServices = ['payments', 'periodic-payments', 'bulk-payments'] as const;
export type PaymentService = (typeof paymentServices)[number];

/** The products that can be initiated under each service (spec 1, contract 9). */
const productsByService: Readonly<Record<PaymentService, readonly PaymentProduct[]>> = {
  payments: paymentProducts,
  'periodic-payments': ['domestic-credit-transfer-BGN'],
  'bulk-payments': ['domestic-credit-transfer-BGN', 'domestic-budget-transfer-BGN'],
};

/**
 * Returns why this service and product cannot be used (contract 9): the profile does not offer the service, or the
 * service does not support the product.
 */
export function initiationFailure(
  service: PaymentService,
  product: PaymentProduct,
  { offers }: Pick<Profile, 'offers'>,
): Failure | undefined {
  if (service === 'bulk-payments' && !offers.includes('bulk-payments')) return fail('serviceNotOffered');
  if (productsByService[service].includes(product)) return undefined;
  const text =
    service === 'periodic-payments' && product === 'domestic-budget-transfer-BGN'
      ? 'Periodic budget payments are announced for a later release. Send each as a single payment.'
      : `${service} accepts only ${productsByService[service].join(' and ')}. Send single payments under /payments/${product}.`;
  return fail('productWrong', undefined, text);
}

/** The products that this bank offers under a service. Empty if the bank does not offer the service. */
export const productsOffered = (
  service: PaymentService,
  profile: Pick<Profile, 'offers' | 'products'>,
): readonly PaymentProduct[] =>
  profile.products.filter((product) => initiationFailure(service, product, profile) === undefined);
