import type { IdempotencyKey } from '@xs2a/contracts/call';
import type { PaymentProduct } from '@xs2a/domain/payment/payment-products';
import type { PaymentService } from '@xs2a/domain/payment/payment-services';
import type { Presented } from '@xs2a/qwac/client-certificates';
import type { FastifyRequest } from 'fastify';
import { hash } from 'node:crypto';
import type { EndpointId, EndpointRule } from '../endpoint-rules.js';
import { parsePath } from './public-path.js';
import type { Challenges } from './tpp-messages.js';
import type { AccessToken } from '../checks/token/access-tokens.js';
import type { Caller } from '../checks/token/access-token.strategy.js';
import type { RequestHeaders } from '../checks/headers/request-headers.js';

/** The results of a request's checks, for later checks and for the controller. */
export interface EdgeFindings {
  readonly endpoint: EndpointId;
  /** The endpoint's row in `endpoint-rules.ts`, adapted to the payment service in the path. */
  rule: EndpointRule;
  /** Present on payment paths: an offered product. */
  payment?: { readonly service: PaymentService; readonly product: PaymentProduct };
  /** The access token, once its signature is verified; whether it is valid for the endpoint is checked later. */
  token?: AccessToken;
  headers?: RequestHeaders;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Absent on routes that `endpoint-rules.ts` does not list. */
    edge: EdgeFindings | undefined;
    /** Set by Passport once the access token is valid; undefined if the endpoint needs none. */
    caller: Caller | undefined;
    /** True if the request came through the TLS-terminating proxy, which authenticated with its secret. */
    isFromProxy: boolean;
    /** The error code of a refusal in the API's format. */
    refusedWith: string | undefined;
    /**
     * The client certificate as forwarded by the TLS-terminating proxy; undefined if there is none that can be
     * trusted.
     */
    clientCertificate: Presented | undefined;
  }
  interface FastifyInstance {
    /** The authentication schemes that a 401 of the API offers. */
    challenges: Challenges;
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

const missing = (what: string): Error => new Error(`the checks of the gateway did not set the ${what}`);

/** The caller of a request. Throws on endpoints that require no token. */
export const requireCaller = ({ caller }: EdgeRequest): Caller => {
  if (caller === undefined) throw missing('caller');
  return caller;
};

export const requireHeaders = ({ edge }: EdgeRequest): RequestHeaders => {
  if (edge?.headers === undefined) throw missing('headers');
  return edge.headers;
};

/** Service and product in a payment path. */
export const requirePayment = ({ edge }: EdgeRequest): NonNullable<EdgeFindings['payment']> => {
  if (edge?.payment === undefined) throw missing('payment');
  return edge.payment;
};

const nobody = '00000000-0000-0000-0000-000000000000';
const uuid = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/;

/**
 * An id from a path, for a call to a service. An impossible id is replaced by one that does not exist, so that the
 * response is the same, byte for byte, as for any unknown id.
 */
export const parseId = (text: string | undefined): string => {
  const id = text?.toLowerCase() ?? '';
  return uuid.test(id) ? id : nobody;
};

/** The header that carries the idempotency key: X-Request-ID if there is no Idempotency-Key (contract 2). */
export const keyHeader = ({ headers }: Pick<FastifyRequest, 'headers'>): string =>
  headers['idempotency-key'] === undefined ? 'X-Request-ID' : 'Idempotency-Key';

/** Reads the idempotency key of a creating POST, with its scope: path and body (contract 2). */
export const readIdempotencyKey = (request: EdgeRequest): IdempotencyKey => {
  if (request.edge === undefined) throw missing('endpoint');
  const { payment } = request.edge;
  const asked = parsePath(request.url);
  // A product has several spellings in a path, an id has two; they are normalised here.
  const path =
    payment === undefined
      ? asked
      : ['', payment.service, payment.product, ...asked.toLowerCase().split('/').slice(3)].join('/');
  const sent = request.headers[keyHeader(request).toLowerCase()];
  const key = typeof sent === 'string' ? sent : undefined;
  return {
    key,
    path: `${request.method} ${path}`,
    hash: hash('sha256', request.body ?? '', 'hex'),
  };
};
