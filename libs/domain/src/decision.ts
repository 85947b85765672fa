import { type Failure, type FailureName, fail } from './failure/failures.js';

/**
 * What a rule answers to a command: the events that happened (none: the command was already done), or why it is refused.
 * Nothing is stored when it is refused.
 */
export type Decision<E> = { readonly events: readonly E[] } | { readonly refused: Failure };

/** The command is carried out; no arguments: it had been before. */
export const happened = <E>(...events: readonly E[]): Decision<E> => ({ events });

/** The command is refused; `path` and `text` as in {@link Failure}. */
export const refuse = (
  failure: FailureName,
  path?: string,
  text?: string,
): { readonly refused: Failure } => ({
  refused: fail(failure, path, text),
});
