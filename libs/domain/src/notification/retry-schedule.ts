const maxWaitSeconds = 3600;
/**
 * The time from the first attempt until an undelivered notification becomes a dead letter, in seconds of real time
 * (contract 11).
 */
export const retriesEndAfterSeconds = 24 * 3600;

/**
 * The delay before the next attempt of a notification that has failed `failures` times, in seconds of real time:
 * 1, 2, 4 … up to an hour, with the last attempt 24 hours after the first. Undefined once that last attempt has
 * failed too.
 */
export const retryAfterSeconds = (failures: number, secondsSinceFirstTry: number): number | undefined => {
  const left = retriesEndAfterSeconds - secondsSinceFirstTry;
  if (left <= 0) return undefined;
  return Math.min(maxWaitSeconds, 2 ** Math.min(failures - 1, 12), left);
};
