import { type Failure, type FailureName, fail } from './failure/failures.js';

/**
 * The result of a command: the events that happened (none if the command was already done), or the reason it was
 * refused. A refused command stores nothing.
 */
export type Decision<E> = { readonly events: readonly E[] } | { readonly refused: Failure };

/** Accepts the command with these events; no arguments means that it was already done. */
export const happened = <E>(...events: readonly E[]): Decision<E> => ({ events });

/** Refuses the command; `path` and `text` as in {@link Failure}. */
export const refuse = (
  failure: FailureName,
  path?: string,
  text?: string,
): { readonly refused: Failure } => ({
  refused: fail(failure, path, text),
});
