import type { IdempotencyKey } from '@xs2a/contracts/call';
import type { Failure } from '@xs2a/domain/failure/failures';
import type { PaymentProduct } from '@xs2a/domain/payment/payment-products';
import type { PaymentService } from '@xs2a/domain/payment/payment-services';
import type { Traced } from '@xs2a/observability/tracing/spans';
import type { Presented } from '@xs2a/qwac/client-certificates';
import type { FastifyRequest } from 'fastify';
import { hash } from 'node:crypto';
import type { EndpointId, EndpointRule } from '../endpoint-rules.js';
import { parsePath } from './public-path.js';
import type { Challenges } from './tpp-messages.js';
import type { AccessToken } from '../checks/token/access-tokens.js';
import type { Caller } from '../checks/token/callers.js';
import type { RequestHeaders } from '../checks/headers/request-headers.js';

/** The results of a request's checks, used by later checks and by the controller. */
export interface EdgeFindings {
  readonly endpoint: EndpointId;
  /** The endpoint's row in `endpoint-rules.ts`, adapted to the payment service in the path. */
  rule: EndpointRule;
  /** Set on payment paths if the product is known. */
  payment?: {
    readonly service: PaymentService;
    readonly product: PaymentProduct;
    readonly formerProduct?: PaymentProduct;
  };
  /**
   * The access token, set once its signature has been verified; a later check decides whether it is valid for the
   * endpoint.
   */
  token?: AccessToken;
  headers?: RequestHeaders;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Undefined on routes that are not in `endpoint-rules.ts`. */
    edge: EdgeFindings | undefined;
    /**
     * The access token of a request in a sandbox that no endpoint matches. It selects the TPP whose log lists the
     * request, and does not authenticate the request.
     */
    unroutedToken: AccessToken | undefined;
    /** Set by Passport once the access token is valid; undefined if the endpoint requires no token. */
    caller: Caller | undefined;
    /** True if the request came through the TLS-terminating proxy, which has authenticated with its secret. */
    isFromProxy: boolean;
    /** Undefined only for requests that the router could not parse. */
    traced: Traced | undefined;
    /** The first violation, if the request was refused in the API's error format. */
    refusal: Failure | undefined;
    /** The client certificate that the TLS-terminating proxy forwarded; undefined if there is no trustworthy one. */
    clientCertificate: Presented | undefined;
  }
  interface FastifyInstance {
    /**
     * Adds a request whose URL the router could not parse to the log of the TPP whose access token the request
     * contains.
     */
    noteUnreadable: (request: FastifyRequest, reply: FastifyReply) => Promise<void>;
    /** The authentication schemes offered with a 401 of the API. */
    challenges: Challenges;
    /** The URL under which each error code has a page; undefined unless the sandbox has a developer portal. */
    errorPages: string | undefined;
  }
  interface FastifyContextConfig {
    readonly endpoint?: EndpointId;
  }
}

export type EdgeRequest<Params = Record<string, string>> = FastifyRequest<{
  Params: Params;
  Body: Buffer | undefined;
  Querystring: Record<string, string | string[]>;
}>;

const missing = (what: string): Error => new Error(`the gateway checks did not set the ${what}`);

/** Returns the caller of a request. Throws on endpoints that require no token. */
export const requireCaller = ({ caller }: EdgeRequest): Caller => {
  if (caller === undefined) throw missing('caller');
  return caller;
};

export const requireHeaders = ({ edge }: EdgeRequest): RequestHeaders => {
  if (edge?.headers === undefined) throw missing('headers');
  return edge.headers;
};

/** Returns the service and the product of a payment path. */
export const requirePayment = ({ edge }: EdgeRequest): NonNullable<EdgeFindings['payment']> => {
  if (edge?.payment === undefined) throw missing('payment');
  return edge.payment;
};

const nobody = '00000000-0000-0000-0000-000000000000';
const uuid = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/;

/**
 * Reads an id from a path, to be sent to a service. An impossible id is replaced by one that does not exist, so
 * that the response is identical, byte for byte, to the response for any unknown id.
 */
export const parseId = (text: string | undefined): string => {
  const id = text?.toLowerCase() ?? '';
  return uuid.test(id) ? id : nobody;
};

/**
 * The header that contains the idempotency key: Idempotency-Key if it was sent, otherwise X-Request-ID (contract
 * 2).
 */
export const keyHeader = ({ headers }: Pick<FastifyRequest, 'headers'>): string =>
  headers['idempotency-key'] === undefined ? 'X-Request-ID' : 'Idempotency-Key';

/** Reads the idempotency key of a creating POST, together with the path and body to which it applies (contract 2). */
export const readIdempotencyKey = (request: EdgeRequest): IdempotencyKey => {
  if (request.edge === undefined) throw missing('endpoint');
  const { payment } = request.edge;
  const asked = parsePath(request.url);
  // In a path, a product has several spellings and an id has two; both are normalised here.
  const rest = asked.toLowerCase().split('/').slice(3);
  const pathOf = (product: string | undefined): string | undefined =>
    payment === undefined || product === undefined
      ? undefined
      : `${request.method} ${['', payment.service, product, ...rest].join('/')}`;
  const sent = request.headers[keyHeader(request).toLowerCase()];
  const key = typeof sent === 'string' ? sent : undefined;
  return {
    key,
    path: pathOf(payment?.product) ?? `${request.method} ${asked}`,
    formerPath: pathOf(payment?.formerProduct),
    hash: hash('sha256', request.body ?? '', 'hex'),
  };
};
