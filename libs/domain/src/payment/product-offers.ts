import { type Failure, fail } from '../failure/failures.js';
import type { Profile } from '../profile/profile.js';
import type { PaymentProduct } from './payment-products.js';
import type { PaymentService } from './payment-services.js';
import { standardOf } from './standards/standards.js';

/**
 * Returns why this service and product cannot be used (contract 9): the profile does not offer the service, or the
 * service does not support the product.
 */
export function initiationFailure(
  service: PaymentService,
  product: PaymentProduct,
  profile: Pick<Profile, 'offers' | 'standard'>,
): Failure | undefined {
  const { productsByService, announced } = standardOf(profile);
  if (service === 'bulk-payments' && !profile.offers.includes('bulk-payments'))
    return fail('serviceNotOffered');
  if (productsByService[service].includes(product)) return undefined;
  const accepted = productsByService[service].join(' and ');
  const text =
    announced[service]?.[product] ??
    `${service} accepts only ${accepted}. Send single payments under /payments/${product}.`;
  return fail('productWrong', undefined, text);
}

/** The products that this bank offers under a service. Empty if the bank does not offer the service. */
export const productsOffered = (
  service: PaymentService,
  profile: Pick<Profile, 'offers' | 'products' | 'standard'>,
): readonly PaymentProduct[] =>
  profile.products.filter((product) => initiationFailure(service, product, profile) === undefined);

/** True for a product that ended with the lev (contract E1.5). */
export const isClosedProduct = (product: PaymentProduct, profile: Pick<Profile, 'standard'>): boolean =>
  standardOf(profile).closedProducts[product] !== undefined;

/** True if a path may name the product: the bank offers it, or offered it before the euro (contract E1.5). */
export const isKnownProduct = (
  product: PaymentProduct,
  profile: Pick<Profile, 'products' | 'standard'>,
): boolean => profile.products.includes(product) || isClosedProduct(product, profile);

/** Returns why nothing new can be created under a product that ended with the lev (contract E1.5). */
export function closedProductFailure(
  product: PaymentProduct,
  profile: Pick<Profile, 'standard' | 'levEnd'>,
): Failure | undefined {
  const successor = standardOf(profile).closedProducts[product];
  if (successor === undefined) return undefined;
  const text = `${product} ended on ${profile.levEnd ?? ''}. Send the payment in EUR to ${successor}.`;
  return fail('productUnknown', undefined, text);
}
