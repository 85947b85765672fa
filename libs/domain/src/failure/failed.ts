import { fail, type Failure, type FailureName } from './failures.js';

/** Thrown when a call returned failures or no response. */
export class CallFailed extends Error {
  override readonly name = 'CallFailed';

  constructor(readonly failures: readonly Failure[]) {
    super(failures.map(({ failure }) => failure).join(', '));
  }
}

export const callFailed = (failure: FailureName, path?: string, text?: string): CallFailed =>
  new CallFailed([fail(failure, path, text)]);

/**
 * A part that this call needs is down or too slow; the same call may succeed after a second. `dependency` names the
 * part for the operator; if it is absent, the caller names the service that it called.
 */
export const dependencyDown = (dependency?: string): CallFailed =>
  new CallFailed([{ failure: 'dependencyDown', retryAfter: 1, dependency }]);

/** How an event store reports refusals to the callers of a service. */
export const callRefusals = {
  unknownStream: fail('resourceUnknown'),
  notNow: { failure: 'dependencyDown', retryAfter: 1 } as Failure,
  toError: (failure: Failure): Error => new CallFailed([failure]),
};
