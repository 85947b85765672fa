import { callFailed } from '@xs2a/domain/failure/failed';
import { paymentNamed } from '../edge/public-path.js';
import { ruleUnder } from '../endpoint-rules.js';
import type { Check } from './check.js';

/**
 * The payment product in the path, if there is one (contract 1):
 * - its name is unknown, or the bank does not offer it: 404 `PRODUCT_UNKNOWN`.
 * - otherwise, all later checks use the endpoint's rule for this payment service.
 */
export const checkProduct: Check = ({ request: { params, routeOptions }, edge, sources: { profile } }) => {
  const name: unknown = Reflect.get(Object(params), 'paymentProduct');
  if (typeof name !== 'string') return;
  const { service, product } = paymentNamed(routeOptions.url?.split('/', 2)[1] ?? '', name) ?? {};
  if (service === undefined || product === undefined || !profile.products.includes(product))
    throw callFailed('productUnknown');
  edge.payment = { service, product };
  edge.rule = ruleUnder(edge.endpoint, service);
};
