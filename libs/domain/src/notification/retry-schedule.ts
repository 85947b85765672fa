const maxWaitSeconds = 3600;
/** Seconds of real time from the first try, after which a notification that nobody takes is a dead letter (contract 11). */
export const retriesEndAfterSeconds = 24 * 3600;

/**
 * Real seconds until the next try of a notification that has failed `failures` times: 1, 2, 4 … up to an hour, the last
 * one 24 hours after the first; undefined when that one has failed too.
 */
export const retryAfterSeconds = (failures: number, secondsSinceFirstTry: number): number | undefined => {
  const left = retriesEndAfterSeconds - secondsSinceFirstTry;
  if (left <= 0) return undefined;
  return Math.min(maxWaitSeconds, 2 ** Math.min(failures - 1, 12), left);
};
