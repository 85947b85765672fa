import { callFailed } from '@xs2a/domain/failure/failed';
import { isKnownProduct } from '@xs2a/domain/payment/product-offers';
import { standardOf } from '@xs2a/domain/payment/standards/standards';
import { paymentNamed } from '../edge/public-path.js';
import { ruleUnder } from '../endpoint-rules.js';
import type { Check } from './check.js';

/**
 * The payment product in the path, if there is one (contract 1):
 * - its name is unknown, or the bank neither offers it nor offered it before the euro: 404 `PRODUCT_UNKNOWN`.
 * - otherwise, all later checks use the endpoint's rule for this payment service.
 */
export const checkProduct: Check = ({ request: { params, routeOptions }, edge, sources: { profile } }) => {
  const name: unknown = Reflect.get(Object(params), 'paymentProduct');
  if (typeof name !== 'string') return;
  const { service, product, formerProduct } =
    paymentNamed(routeOptions.url?.split('/', 2)[1] ?? '', name, standardOf(profile)) ?? {};
  if (service === undefined || product === undefined || !isKnownProduct(product, profile))
    throw callFailed('productUnknown');
  edge.payment = { service, product, formerProduct };
  edge.rule = ruleUnder(edge.endpoint, service);
};
