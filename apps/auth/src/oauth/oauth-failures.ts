import { CallFailed } from '@xs2a/domain/failure/failed';
import { isUnavailable } from '@xs2a/postgres/errors';

/** A response in the form of RFC 6749 §5.2 for an internal failure. */
export interface OauthFailure {
  readonly status: 500 | 503;
  readonly body: { readonly error: string; readonly error_description: string };
}

const isPassing = (error: unknown): boolean =>
  error instanceof CallFailed
    ? error.failures.some(({ failure }) => failure === 'dependencyDown')
    : isUnavailable(error);

/** If a dependency is down, the same request may succeed a second later. Anything else is an internal error. */
export const oauthFailure = (error: unknown): OauthFailure =>
  isPassing(error)
    ? {
        status: 503,
        body: {
          error: 'temporarily_unavailable',
          error_description:
            'The service is temporarily unavailable. Send the request again after the delay in Retry-After.',
        },
      }
    : {
        status: 500,
        body: {
          error: 'server_error',
          error_description: 'The service could not answer. The bank has been notified.',
        },
      };

/** Writes the failure to a response, either Koa's or Fastify's raw one. */
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
