import { classify } from '@xs2a/consumers/errors';
import { CallFailed } from '@xs2a/domain/failure/failed';

const maxSeconds = 300;

/** Real seconds until a payment that failed `failures` times is tried again: 1, 2, 4 … up to five minutes. */
export const retryAfterSeconds = (failures: number): number =>
  Math.min(maxSeconds, 2 ** Math.min(failures - 1, 10));

/** The reason that an operator reads next to a postponed payment. It never has data of the payment. */
export const toReason = (error: unknown): string =>
  error instanceof CallFailed || error instanceof OutOfStep ? error.message : classify(error);

/** The ledger and the payment's stream contradict each other: a person has to resolve it. */
export class OutOfStep extends Error {
  override readonly name = 'OutOfStep';
}
