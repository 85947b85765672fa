import { addSeconds, hasPassed } from '../time/bank-calendar.js';

/**
 * The number of consecutive wrong passwords and codes, and the end of the lock. The count applies to a PSU across
 * all sessions, or to a browser that has completed SCA before (contract 12).
 */
export interface ScaFailureCount {
  readonly failures: number;
  readonly lockedUntil?: string;
}

/** Contract 12. */
export const failuresUntilLock = 5;
const lockSeconds = 30 * 60;

/**
 * The count of a PSU who has never failed or has just completed SCA. A correct password alone does not reset the
 * count.
 */
export const noFailures: ScaFailureCount = { failures: 0 };

/** True if SCA is locked for the PSU at that instant. */
export const isScaLocked = ({ lockedUntil }: ScaFailureCount, now: string): boolean =>
  lockedUntil !== undefined && !hasPassed(lockedUntil, now);

/** The number of seconds until the lock ends, rounded up; 0 if SCA is not locked. */
export const lockedForSeconds = (count: ScaFailureCount, now: string): number =>
  count.lockedUntil !== undefined && isScaLocked(count, now)
    ? Math.ceil((Date.parse(count.lockedUntil) - Date.parse(now)) / 1000)
    : 0;

/**
 * Counts a wrong password or code. The fifth in a row locks SCA for 30 minutes. Failures during the lock are not
 * counted, and the count restarts after the lock.
 */
export function scaFailed(count: ScaFailureCount, now: string): ScaFailureCount {
  if (isScaLocked(count, now)) return count;
  const failures = (count.lockedUntil === undefined ? count.failures : 0) + 1;
  return failures < failuresUntilLock
    ? { failures }
    : { failures, lockedUntil: addSeconds(now, lockSeconds) };
}
