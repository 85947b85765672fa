import type { ConsentState } from './consent-state.js';

const windowMs = 24 * 60 * 60 * 1000;

/**
 * `remaining`: the number of calls left after this one. `retryAfterSeconds`: the time until the oldest counted
 * call leaves the window.
 */
export type CallAnswer =
  | { readonly allowed: true; readonly remaining: number }
  | { readonly allowed: false; readonly retryAfterSeconds: number };

/**
 * Decides whether another counted call is allowed (spec 8). `calledAt` contains the instants of the successful
 * calls to one endpoint and account; only calls in the last 24 hours count. A call leaves the window exactly 24
 * hours after it was made.
 */
export function unattendedCall(calledAt: readonly string[], now: string, limit: number): CallAnswer {
  const nowMs = Date.parse(now);
  const counted = calledAt
    .map((instant) => Date.parse(instant))
    .filter((calledMs) => calledMs > nowMs - windowMs)
    .sort((a, b) => a - b);
  const blocking = counted[counted.length - limit];
  if (blocking === undefined) return { allowed: true, remaining: limit - counted.length - 1 };
  return { allowed: false, retryAfterSeconds: Math.max(1, Math.ceil((blocking + windowMs - nowMs) / 1000)) };
}

/**
 * The limit that applies to a call; undefined if the call is not counted (contract 5). A one-off consent allows
 * one successful call per endpoint and account, whether or not the PSU is present. A recurring consent allows its
 * frequencyPerDay and does not count calls with the PSU present.
 */
export function callLimit(
  consent: Pick<ConsentState, 'recurringIndicator' | 'frequencyPerDay'>,
  psuPresent: boolean,
): number | undefined {
  if (!consent.recurringIndicator) return 1;
  return psuPresent ? undefined : consent.frequencyPerDay;
}
