/** A decision: the events to append (none if the command was executed before), or the reason for a refusal. */
export type Decision<Event, Refusal> = { readonly events: readonly Event[] } | { readonly refused: Refusal };

/** How a store reports, in its caller's terms, that it cannot do what was asked. */
export interface Refusals<Refusal> {
  /** There is no such stream. */
  readonly unknownStream: Refusal;
  /** Too many conflicts, or a stream that cannot be read here. Another instance or a later attempt may succeed. */
  readonly notNow: Refusal;
  /** Returns the error that is thrown for a refusal. */
  toError(refusal: Refusal): Error;
}
