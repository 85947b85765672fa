import { classify } from '@xs2a/consumers/errors';
import { CallFailed } from '@xs2a/domain/failure/failed';

const maxSeconds = 300;

/** Real seconds until a payment with `failures` failures is retried: 1, 2, 4 … up to five minutes. */
export const retryAfterSeconds = (failures: number): number =>
  Math.min(maxSeconds, 2 ** Math.min(failures - 1, 10));

/** The reason shown to an operator for a postponed payment. It never contains payment data. */
export const toReason = (error: unknown): string =>
  error instanceof CallFailed || error instanceof OutOfStep ? error.message : classify(error);

/** Thrown when the ledger and the payment's stream contradict each other; an operator must resolve this. */
export class OutOfStep extends Error {
  override readonly name = 'OutOfStep';
}
