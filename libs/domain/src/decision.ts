import { type Failure, type FailureName, fail } from './failure/failures.js';

/**
 * The result of a command: the events that happened (none if the command had already been executed), or the reason
 * it was refused. A refused command stores nothing.
 */
export type Decision<E> = { readonly events: readonly E[] } | { readonly refused: Failure };

/** Accepts the command with these events. No arguments means that the command had already been executed. */
export const happened = <E>(...events: readonly E[]): Decision<E> => ({ events });

/** Refuses the command. `path` and `text` are as in {@link Failure}. */
export const refuse = (
  failure: FailureName,
  path?: string,
  text?: string,
): { readonly refused: Failure } => ({
  refused: fail(failure, path, text),
});
