const maxWaitSeconds = 3600;
/** Real seconds from the first attempt until an undelivered notification becomes a dead letter (contract 11). */
export const retriesEndAfterSeconds = 24 * 3600;

/**
 * Real seconds until the next attempt of a notification that has failed `failures` times: 1, 2, 4 … up to an hour,
 * with the last attempt 24 hours after the first. Undefined if that last attempt failed too.
 */
export const retryAfterSeconds = (failures: number, secondsSinceFirstTry: number): number | undefined => {
  const left = retriesEndAfterSeconds - secondsSinceFirstTry;
  if (left <= 0) return undefined;
  return Math.min(maxWaitSeconds, 2 ** Math.min(failures - 1, 12), left);
};
