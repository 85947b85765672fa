import { isTransient, isUnavailable } from '@xs2a/postgres/errors';
import { CallFailed } from './call-failed.js';
import { CursorMoved } from './consumer-cursor.js';

/** Errors for which the event is not to blame: tried for ever, from the cursor. */
export const passes = (error: unknown): boolean =>
  isUnavailable(error) ||
  isTransient(error) ||
  error instanceof CursorMoved ||
  (error instanceof CallFailed && error.failures.every(({ failure }) => failure === 'dependencyDown'));

/** The kind of an error without its message, which may quote data. */
export const kindOf = (error: unknown): string => {
  if (!(error instanceof Error)) return typeof error;
  const code: unknown = Reflect.get(error, 'code');
  return typeof code === 'string' ? `${error.name} ${code}` : error.name;
};
