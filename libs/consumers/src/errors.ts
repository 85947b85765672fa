import { isTransient, isUnavailable } from '@xs2a/postgres/errors';
import { CallFailed } from '@xs2a/domain/failure/failed';

/**
 * True if the error means that a dependency is down or too busy. The work itself is not at fault and is retried
 * until the dependency recovers.
 */
export const isTransientFailure = (error: unknown): boolean =>
  isUnavailable(error) ||
  isTransient(error) ||
  (error instanceof CallFailed && error.failures.every(({ failure }) => failure === 'dependencyDown'));

/** Returns the kind of an error without its message, which may quote data. */
export const classify = (error: unknown): string => {
  if (!(error instanceof Error)) return typeof error;
  const code: unknown = Reflect.get(error, 'code');
  return typeof code === 'string' ? `${error.name} ${code}` : error.name;
};
