import { CallFailed } from '@xs2a/domain/failure/failed';
import { isUnavailable } from '@xs2a/postgres/errors';

/** An answer of RFC 6749 §5.2 for an internal failure. */
export interface OauthFailure {
  readonly status: 500 | 503;
  readonly body: { readonly error: string; readonly error_description: string };
}

const isPassing = (error: unknown): boolean =>
  error instanceof CallFailed
    ? error.failures.some(({ failure }) => failure === 'dependencyDown')
    : isUnavailable(error);

/** A dependency is down: the same request may succeed in a second. Anything else is an internal error. */
export const oauthFailure = (error: unknown): OauthFailure =>
  isPassing(error)
    ? {
        status: 503,
        body: {
          error: 'temporarily_unavailable',
          error_description: 'The service is not available now. Send the request again as Retry-After says.',
        },
      }
    : {
        status: 500,
        body: {
          error: 'server_error',
          error_description: 'The service could not answer. The bank has been told.',
        },
      };

/** Puts the failure on a response, Koa's or Fastify's raw one. */
export const showFailure = (
  error: unknown,
  response: { status: number; body: unknown; set(name: string, value: string): void },
): void => {
  const { status, body } = oauthFailure(error);
  response.status = status;
  response.body = body;
  response.set('Cache-Control', 'no-store');
  if (status === 503) response.set('Retry-After', '1');
};
