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

/** The results of the checks of a request, for the checks that follow and for its controller. */
export interface EdgeFindings {
  readonly endpoint: EndpointId;
  /** The endpoint's row of `endpoint-rules.ts`, as it is under the payment service in the path. */
  rule: EndpointRule;
  /** Present on the paths of payments: a product that is offered. */
  payment?: { readonly service: PaymentService; readonly product: PaymentProduct };
  /** The access token, once its signature was right; whether it opens the endpoint comes later. */
  token?: AccessToken;
  headers?: RequestHeaders;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Absent on routes that `endpoint-rules.ts` does not list. */
    edge: EdgeFindings | undefined;
    /** Set by passport once the access token is good; undefined where the endpoint needs none. */
    caller: Caller | undefined;
    /** It came through the proxy that ends TLS, which proved itself by its secret. */
    isFromProxy: boolean;
    /** The code that the request was refused with, in the error form of the API. */
    refusedWith: string | undefined;
    /**
     * The client's certificate as the proxy that ends TLS names it; undefined when there is none that can be
     * believed.
     */
    clientCertificate: Presented | undefined;
  }
  interface FastifyInstance {
    /** What a 401 of the API asks for. */
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

/** The caller of a request. Throws on endpoints that need no token. */
export const requireCaller = ({ caller }: EdgeRequest): Caller => {
  if (caller === undefined) throw missing('caller');
  return caller;
};

export const requireHeaders = ({ edge }: EdgeRequest): RequestHeaders => {
  if (edge?.headers === undefined) throw missing('headers');
  return edge.headers;
};

/** Service and product in the path of a payment. */
export const requirePayment = ({ edge }: EdgeRequest): NonNullable<EdgeFindings['payment']> => {
  if (edge?.payment === undefined) throw missing('payment');
  return edge.payment;
};

const nobody = '00000000-0000-0000-0000-000000000000';
const uuid = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/;

/**
 * An id from a path as services take it. One that cannot be our id becomes one that nobody has, so that it is
 * answered on the same way, with the same bytes, as any unknown id.
 */
export const parseId = (text: string | undefined): string => {
  const id = text?.toLowerCase() ?? '';
  return uuid.test(id) ? id : nobody;
};

/** The header that carries the idempotency key: X-Request-ID where there is no Idempotency-Key (contract 2). */
export const keyHeader = ({ headers }: Pick<FastifyRequest, 'headers'>): string =>
  headers['idempotency-key'] === undefined ? 'X-Request-ID' : 'Idempotency-Key';

/** Reads the idempotency key of a creating POST, with what it counts for: path and body (contract 2). */
export const readIdempotencyKey = (request: EdgeRequest): IdempotencyKey => {
  if (request.edge === undefined) throw missing('endpoint');
  const { payment } = request.edge;
  const asked = parsePath(request.url);
  // A product has several spellings in a path, an id two; all of them are one.
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
