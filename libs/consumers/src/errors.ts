import { isTransient, isUnavailable } from '@xs2a/postgres/errors';
import { CallFailed } from '@xs2a/domain/failure/failed';

/** A dependency is away or too busy, and the work is not to blame: it is tried again until that is over. */
export const isTransientFailure = (error: unknown): boolean =>
  isUnavailable(error) ||
  isTransient(error) ||
  (error instanceof CallFailed && error.failures.every(({ failure }) => failure === 'dependencyDown'));

/** The kind of an error without its message, which may quote data. */
export const classify = (error: unknown): string => {
  if (!(error instanceof Error)) return typeof error;
  const code: unknown = Reflect.get(error, 'code');
  return typeof code === 'string' ? `${error.name} ${code}` : error.name;
};
