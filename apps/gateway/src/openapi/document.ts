import { failures } from '@xs2a/domain/failure/failures';
import type { PaymentProduct } from '@xs2a/domain/payment/payment-products';
import { type PaymentService, paymentServices } from '@xs2a/domain/payment/payment-services';
import { isClosedProduct, productsOffered } from '@xs2a/domain/payment/product-offers';
import { standardOf } from '@xs2a/domain/payment/standards/standards';
import type { Profile } from '@xs2a/domain/profile/profile';
import { type GatewayConfig, pagesOrigin } from '../config.js';
import {
  type EndpointId,
  endpointIds,
  type EndpointRule,
  endpointRules,
  isBasketEndpoint,
  isPresent,
  isSandboxEndpoint,
  ruleUnder,
  tokenKinds,
  type TokenRule,
} from '../endpoint-rules.js';
import { withExamplesIn } from './example-currency.js';
import { withExamplesAt } from './example-dates.js';
import { exampleDay } from './examples.js';
import { notificationCallbacks } from './notifications.js';
import { offersInstant } from './schemas/instant-schemas.js';
import type { Operation } from './operations/operation.js';
import { operations } from './operations/operations.js';
import { otherPaths } from './operations/other-paths.js';
import { listParameters } from './operations/parameters.js';
import { isPaymentEndpoint, operationIdUnder, paymentOperations } from './operations/payment-operations.js';
import { headersFor, listResponses } from './operations/responses.js';
import { tagsIn } from './operations/tags.js';
import { sandboxHeaders, withSandboxHeaders } from './sandbox-headers.js';
import { ref, type Schema } from './schemas/schema-parts.js';
import { schemasFor } from './schemas/schemas.js';
import { withRulesMarked } from './schemas/rules-marked.js';

export interface DocumentSettings {
  readonly baseUrl: string;
  /** The public origin of the PSU pages. */
  readonly pagesUrl: string;
  readonly sandbox: boolean;
  readonly profile: Profile;
}

export const documentSettings = (
  config: Pick<GatewayConfig, 'BASE_URL' | 'PAGES_URL'> & { readonly SANDBOX: boolean },
  profile: Profile,
): DocumentSettings => ({
  baseUrl: config.BASE_URL,
  pagesUrl: pagesOrigin(config),
  sandbox: config.SANDBOX,
  profile,
});

/** The parts of an OpenAPI 3.0 document that this code reads. */
export interface OpenApiDocument {
  readonly openapi: string;
  readonly info: Schema;
  readonly servers: readonly Schema[];
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Schema>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly headers: Readonly<Record<string, Schema>>;
    readonly securitySchemes: Readonly<Record<string, Schema>>;
  };
}

const scopes = {
  PSP_AI: 'Consents, and the accounts of a consent',
  PSP_PI: 'Payments',
  PSP_IC: 'Funds confirmation',
};

const securitySchemes = ({
  baseUrl,
  pagesUrl,
}: Pick<DocumentSettings, 'baseUrl' | 'pagesUrl'>): Readonly<Record<string, Schema>> => ({
  application: {
    type: 'oauth2',
    description: 'The TPP’s own token: client_credentials, valid for one hour',
    flows: {
      clientCredentials: {
        tokenUrl: `${baseUrl}/oauth2/token`,
        scopes: { PSP_AI: scopes.PSP_AI, PSP_PI: scopes.PSP_PI },
      },
    },
  },
  user: {
    type: 'oauth2',
    description:
      'Token authorised by a PSU: authorization code with PKCE S256, valid for five minutes, with a refresh token',
    flows: {
      authorizationCode: {
        authorizationUrl: `${pagesUrl}/oauth2/authorize`,
        tokenUrl: `${baseUrl}/oauth2/token`,
        refreshUrl: `${baseUrl}/oauth2/token`,
        scopes: { PSP_AI: scopes.PSP_AI, PSP_IC: scopes.PSP_IC },
      },
    },
  },
});

const describeSecurity = ({ token }: EndpointRule): readonly Schema[] => {
  const kind: TokenRule | undefined = tokenKinds[token];
  if (kind === undefined) return [];
  const scopes = kind.scope === undefined ? [] : [kind.scope];
  const grants = kind.orOfConsentInPath === true ? [kind.grant, 'user'] : [kind.grant];
  return grants.map((grant) => ({ [grant]: scopes }));
};

const publicPath = (rule: EndpointRule): string => (isSandboxEndpoint(rule) ? rule.path : `/v1${rule.path}`);

/** The path of an endpoint in the document. An endpoint has one path, or one for each payment service. */
interface Place {
  readonly id: EndpointId;
  readonly rule: EndpointRule;
  readonly path: string;
  readonly operationId: string;
  readonly operation: Operation;
  /** The products that the path accepts; empty if the path contains no product. */
  readonly products: readonly PaymentProduct[];
}

/** The products of a service that ended with the lev, whose payments can still be read (contract E1.5). */
const closedUnder = (service: PaymentService, profile: Profile): readonly PaymentProduct[] =>
  (standardOf(profile).previous?.productsByService[service] ?? []).filter((product) =>
    isClosedProduct(product, profile),
  );

function listPlaces(id: EndpointId, profile: Profile): readonly Place[] {
  if (!isPaymentEndpoint(id)) {
    const rule = endpointRules[id];
    return [{ id, rule, path: publicPath(rule), operationId: id, operation: operations[id], products: [] }];
  }
  return paymentServices.flatMap((service) => {
    const offered = productsOffered(service, profile);
    if (offered.length === 0) return [];
    const products = id === 'initiatePayment' ? offered : [...offered, ...closedUnder(service, profile)];
    const rule = ruleUnder(id, service);
    const path = publicPath(rule).replace('{payment-service}', service);
    const operation = paymentOperations(service, standardOf(profile))[id];
    return [{ id, rule, path, operationId: operationIdUnder(service, id), operation, products }];
  });
}

/**
 * A note that the bank refuses an example: the bank may offer a product although none of its accounts and payments
 * use the product's currency.
 */
const refusalOf = (example: unknown, { currencies }: Profile): { readonly description?: string } => {
  const currency: unknown = Reflect.get(Object(Reflect.get(Object(example), 'instructedAmount')), 'currency');
  if (typeof currency !== 'string' || currencies.includes(currency)) return {};
  const [status, code] = failures.currencyNotSupported;
  return {
    description: `This bank accepts only ${currencies.join(', ')}, so a payment in ${currency} returns ${status} ${code} here. Send ${currencies[0]} to another product.`,
  };
};

const requestContent = (
  request: NonNullable<Operation['request']>,
  products: readonly PaymentProduct[],
  profile: Profile,
): Schema => {
  if (typeof request !== 'function') return { schema: ref(request.schema), example: request.example };
  const bodies = products.map((product) => ({ product, ...request(product) }));
  const schemas = bodies.map(({ schema }) => ref(schema));
  return {
    schema: schemas.length === 1 ? schemas[0] : { anyOf: schemas },
    examples: Object.fromEntries(
      bodies.map(({ product, example }) => [product, { ...refusalOf(example, profile), value: example }]),
    ),
  };
};

const describeOperation = (
  { id, rule, path, operationId, operation, products }: Place,
  { pagesUrl, sandbox, profile }: DocumentSettings,
): Schema => ({
  operationId,
  tags: [operation.tag],
  summary: operation.summary,
  ...(operation.description === undefined ? {} : { description: operation.description }),
  parameters: listParameters({ id, rule, path, products, sandbox }, operation.query ?? []),
  ...(operation.request === undefined
    ? {}
    : {
        requestBody: {
          required: true,
          content: { 'application/json': requestContent(operation.request, products, profile) },
        },
      }),
  responses: listResponses(rule, operation, pagesUrl),
  ...(rule.redirects === true ? { callbacks: notificationCallbacks(sandbox, offersInstant(profile)) } : {}),
  security: describeSecurity(rule),
});

const isUsed = (paths: OpenApiDocument['paths'], tag: string): boolean =>
  Object.values(paths).some((item) =>
    Object.values(item).some(({ tags: used }) => Array.isArray(used) && used.includes(tag)),
  );

/**
 * The OpenAPI document. It describes exactly what this gateway implements, and is generated from
 * `endpoint-rules.ts` and the list of failures. The example dates are relative to `today`.
 */
export const openApiDocument = (settings: DocumentSettings, today = exampleDay): OpenApiDocument => {
  const { baseUrl, pagesUrl, sandbox, profile } = settings;
  const paths: Record<string, Record<string, Schema>> = {};
  for (const id of endpointIds) {
    if (!isPresent(endpointRules[id], { sandbox, profile })) continue;
    if (isBasketEndpoint(endpointRules[id]) && !profile.offers.includes('signing-baskets')) continue;
    for (const place of listPlaces(id, profile)) {
      const path = (paths[place.path] ??= {});
      path[place.rule.method.toLowerCase()] = describeOperation(place, settings);
    }
  }
  const all = { ...paths, ...otherPaths };
  const inCurrency = withExamplesIn(all, standardOf(profile));
  return {
    openapi: '3.0.3',
    info: {
      title: 'XS2A interface',
      version: '1.3.2',
      description:
        'Account information, funds confirmation and payment initiation (PSD2), according to the Bulgarian national standard, which extends the Berlin Group’s XS2A framework. Every path works with and without /v1.',
    },
    servers: [{ url: baseUrl }],
    tags: tagsIn(profile.homeCurrency).filter(({ name }) => isUsed(all, name)),
    paths: withExamplesAt(sandbox ? withSandboxHeaders(inCurrency) : inCurrency, today),
    components: {
      schemas: withRulesMarked(schemasFor(profile)),
      headers: { ...headersFor(profile), ...(sandbox ? sandboxHeaders : {}) },
      securitySchemes: securitySchemes({ baseUrl, pagesUrl }),
    },
  };
};
