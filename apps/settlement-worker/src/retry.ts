import { kindOf, passes } from '@xs2a/messaging/consumer-errors';
import { CallFailed } from '@xs2a/messaging/call-failed';

const longestSeconds = 300;

/** Real seconds until a payment that failed `attempts` times is tried again: 1, 2, 4 … up to five minutes. */
export const retryAfterSeconds = (attempts: number): number =>
  Math.min(longestSeconds, 2 ** Math.min(attempts - 1, 10));

/** Nobody is to blame but a service or the database that is away: the whole batch waits. */
export const isDown = passes;

/** What an operator reads beside a postponed payment: never data of it. */
export const reasonOf = (error: unknown): string =>
  error instanceof CallFailed || error instanceof OutOfStep ? error.message : kindOf(error);

/** The ledger and the payment's stream tell different stories: not for a machine to resolve. */
export class OutOfStep extends Error {
  override readonly name = 'OutOfStep';
}
