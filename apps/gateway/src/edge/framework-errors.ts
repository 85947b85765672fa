import { HttpException } from '@nestjs/common';
import type { Failure, FailureName } from '@xs2a/domain/failure/failures';
import { CallFailed } from '@xs2a/domain/failure/failed';
import { isKnownProduct } from '@xs2a/domain/payment/product-offers';
import { standardOf } from '@xs2a/domain/payment/standards/standards';
import type { Profile } from '@xs2a/domain/profile/profile';
import type { Logger } from '@xs2a/observability/logger';
import type { FastifyRequest } from 'fastify';
import { listMethods, parsePath, parsePaymentPath } from './public-path.js';

/** The failure for each status code with which the framework itself may reject a request. */
const byStatus: Readonly<Record<number, FailureName>> = {
  400: 'bodyNotJson',
  404: 'pathUnknown',
  405: 'methodNotAllowed',
  406: 'acceptExcludesJson',
  408: 'bodyNotJson',
  413: 'bodyTooLarge',
  414: 'pathUnknown',
  415: 'contentTypeNotJson',
  431: 'headerMalformed',
};

/**
 * The failures that correspond to an error. An error that the client did not cause is logged and becomes
 * `internal`.
 */
export const toFailures = (error: unknown, logger: Logger): readonly Failure[] => {
  if (error instanceof CallFailed) return error.failures;
  const status = findStatus(error);
  const failure = status === undefined ? undefined : byStatus[status];
  if (failure !== undefined) return [{ failure }];
  logger.error({ error }, 'unexpected error while handling a request');
  return [{ failure: 'internal' }];
};

/**
 * True if the client closed the connection before it had sent the complete request, so that nobody waits for a
 * response.
 */
export const isAborted = ({ raw }: Pick<FastifyRequest, 'raw'>): boolean => raw.destroyed && !raw.complete;

/** True if the framework rejected the request because of an error by the client. */
export const isFrameworkRefusal = (error: unknown): boolean => byStatus[findStatus(error) ?? 0] !== undefined;

const findStatus = (error: unknown): number | undefined => {
  if (error instanceof HttpException) return error.getStatus();
  const status: unknown =
    error instanceof Error && error.name === 'FastifyError' ? Reflect.get(error, 'statusCode') : undefined;
  return typeof status === 'number' ? status : undefined;
};

export interface Offer {
  readonly sandbox: boolean;
  readonly profile: Pick<Profile, 'products' | 'standard' | 'payeeVerification'>;
}

export interface NoRoute {
  /** Undefined if the method is OPTIONS, in which case the response is the Allow header. */
  readonly failure?: Failure;
  readonly allow?: string;
}

/**
 * The value of `Allow` for a 405 whose cause is the resource, not its path (RFC 9110 §15.5.6): a payment that can no
 * longer be cancelled, or that belongs to another payment service. Undefined for any other failure.
 */
export const allowedAfter = (
  failures: readonly Failure[],
  { method, url }: Pick<FastifyRequest, 'method' | 'url'>,
  offer: Offer,
): string | undefined => {
  const has = (name: Failure['failure']): boolean => failures.some(({ failure }) => failure === name);
  // Below the path of another payment service, the payment does not exist.
  if (has('serviceWrong')) return 'OPTIONS';
  if (!has('cancellationNotPossible')) return undefined;
  return listMethods(parsePath(url), offer)
    .filter((allowed) => allowed !== method)
    .join(', ');
};

/**
 * The reason to refuse a request without a matching route: its path, the product in the path, or its method, in
 * this order (contract 3).
 */
export const noRouteFor = (
  { method, url }: Pick<FastifyRequest, 'method' | 'url'>,
  offer: Offer,
): NoRoute => {
  const path = parsePath(url);
  const methods = listMethods(path, offer);
  if (methods.length === 0) return { failure: { failure: 'pathUnknown' } };
  const payment = parsePaymentPath(path, standardOf(offer.profile));
  const isKnown = payment?.product !== undefined && isKnownProduct(payment.product, offer.profile);
  if (payment !== undefined && !isKnown) return { failure: { failure: 'productUnknown' } };
  const allow = methods.join(', ');
  return method === 'OPTIONS' ? { allow } : { failure: { failure: 'methodNotAllowed' }, allow };
};
