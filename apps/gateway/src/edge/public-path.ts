import { type PaymentProduct, parsePaymentProduct } from '@xs2a/domain/payment/payment-products';
import { type PaymentService, paymentServices } from '@xs2a/domain/payment/payment-services';
import type { PaymentStandard } from '@xs2a/domain/payment/standards/payment-standard';
import {
  endpointIds,
  type EndpointRule,
  endpointRules,
  isPresent,
  isSandboxEndpoint,
  listRoutes,
  type Offer,
} from '../endpoint-rules.js';

const aliases: Readonly<Record<string, string>> = {
  consent: 'consents',
  'funds-confirmation': 'funds-confirmations',
};
const versioned = new Set([
  ...endpointIds
    .map((id) => endpointRules[id])
    .filter((rule) => !isSandboxEndpoint(rule))
    .flatMap(listRoutes)
    .map((route) => route.split('/')[1] ?? ''),
  ...Object.keys(aliases),
]);
const unversioned = new Set(['sandbox']);
const firstSegment = /^\/([^/?]*)/;

/** The URL without a trailing slash in its path. */
const withoutTrailingSlash = (url: string): string => {
  const path = parsePath(url);
  return path.endsWith('/') && !path.endsWith('//') ? path.slice(0, -1) + url.slice(path.length) : url;
};

/**
 * The canonical URL used for routing: every XS2A path works with and without `/v1`, two paths have an alias, and a
 * trailing slash makes no difference (contract 1).
 */
export const routedUrl = (url: string): string => {
  const prefixed = url.startsWith('/v1/');
  const unprefixed = prefixed ? url.slice(3) : url;
  const segment = firstSegment.exec(unprefixed)?.[1] ?? '';
  if (!versioned.has(segment)) return !prefixed && unversioned.has(segment) ? withoutTrailingSlash(url) : url;
  const rest = withoutTrailingSlash(unprefixed);
  const alias = aliases[segment];
  return alias === undefined ? rest : `/${alias}${rest.slice(segment.length + 1)}`;
};

/** The path without its query. */
export const parsePath = (url: string): string => {
  const end = url.search(/[?#]/);
  return end === -1 ? url : url.slice(0, end);
};

export interface PaymentPath {
  readonly service: PaymentService;
  /** Undefined if no product has this name. */
  readonly product?: PaymentProduct;
  /** The product that this name meant in the previous standard. */
  readonly formerProduct?: PaymentProduct;
}

/** The payment service and product with these names in a path; undefined if the first name is not a payment service. */
export const paymentNamed = (
  serviceName: string,
  productName: string,
  { aliases, periodicProduct, previous }: PaymentStandard,
): PaymentPath | undefined => {
  const service = paymentServices.find((name) => name === serviceName);
  if (service === undefined) return undefined;
  const domestic = service === 'periodic-payments' && productName.toLowerCase() === 'domestic';
  if (domestic) return { service, product: periodicProduct, formerProduct: previous?.periodicProduct };
  const product = parsePaymentProduct(productName, aliases);
  return product === undefined ? { service } : { service, product };
};

/** The payment service and product in a payment path; undefined for any other path. */
export const parsePaymentPath = (path: string, standard: PaymentStandard): PaymentPath | undefined => {
  const [, service = '', product] = path.split('/', 3);
  return product === undefined ? undefined : paymentNamed(service, product, standard);
};

interface Shape {
  readonly segments: readonly string[];
  readonly method: string;
  /** Absent: the path exists everywhere. */
  readonly rule?: EndpointRule;
}
const others = ['/', '/health/live', '/health/ready', '/openapi.json', '/docs'];
const shapes: readonly Shape[] = [
  ...endpointIds.flatMap((id) => {
    const rule = endpointRules[id];
    return listRoutes(rule).map((route) => ({
      segments: route.split('/'),
      method: rule.method,
      rule,
    }));
  }),
  ...others.map((path) => ({ segments: path.split('/'), method: 'GET' })),
];

/** The methods of a routed path, for `Allow`; empty if no endpoint has this path. */
export const listMethods = (path: string, offer: Offer): string[] => {
  const segments = path.split('/');
  const fits = (shape: Shape): boolean =>
    shape.segments.length === segments.length &&
    (shape.rule === undefined || isPresent(shape.rule, offer)) &&
    shape.segments.every((wanted, index) =>
      wanted.startsWith(':') ? segments[index] !== '' : wanted === segments[index],
    );
  const methods = new Set(shapes.filter(fits).map((shape) => shape.method));
  if (methods.has('GET')) methods.add('HEAD');
  return methods.size === 0 ? [] : [...methods, 'OPTIONS'];
};
