import { HttpException } from '@nestjs/common';
import type { Failure, FailureName } from '@xs2a/domain/failure/failures';
import { CallFailed } from '@xs2a/domain/failure/failed';
import type { Logger } from '@xs2a/observability/logger';
import type { FastifyRequest } from 'fastify';
import { listMethods, parsePath, parsePaymentPath } from './public-path.js';

/** The failure for each status with which the framework itself rejects a request. */
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

/** The failures that an error represents; an error not caused by the client is logged and becomes `internal`. */
export const toFailures = (error: unknown, logger: Logger): readonly Failure[] => {
  if (error instanceof CallFailed) return error.failures;
  const status = findStatus(error);
  const failure = status === undefined ? undefined : byStatus[status];
  if (failure !== undefined) return [{ failure }];
  logger.error({ error }, 'unexpected error while handling a request');
  return [{ failure: 'internal' }];
};

/** True if the client closed the connection before it had sent the whole request: nobody waits for a response. */
export const isAborted = ({ raw }: Pick<FastifyRequest, 'raw'>): boolean => raw.destroyed && !raw.complete;

/** True if the framework rejected the request because of a client error. */
export const isFrameworkRefusal = (error: unknown): boolean => byStatus[findStatus(error) ?? 0] !== undefined;

const findStatus = (error: unknown): number | undefined => {
  if (error instanceof HttpException) return error.getStatus();
  const status: unknown =
    error instanceof Error && error.name === 'FastifyError' ? Reflect.get(error, 'statusCode') : undefined;
  return typeof status === 'number' ? status : undefined;
};

export interface Offer {
  readonly sandbox: boolean;
  readonly offered: readonly string[];
}

export interface NoRoute {
  /** Absent: the method is OPTIONS, and the response is the Allow header. */
  readonly failure?: Failure;
  readonly allow?: string;
}

/**
 * Why a request without a matching route is refused: its path, then the product in it, then its method (contract
 * 3).
 */
export const noRouteFor = (
  { method, url }: Pick<FastifyRequest, 'method' | 'url'>,
  { sandbox, offered }: Offer,
): NoRoute => {
  const path = parsePath(url);
  const methods = listMethods(path, sandbox);
  if (methods.length === 0) return { failure: { failure: 'pathUnknown' } };
  const payment = parsePaymentPath(path);
  if (payment !== undefined && !offered.includes(payment.product ?? ''))
    return { failure: { failure: 'productUnknown' } };
  const allow = methods.join(', ');
  return method === 'OPTIONS' ? { allow } : { failure: { failure: 'methodNotAllowed' }, allow };
};
