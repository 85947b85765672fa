import { addSeconds, hasPassed } from '../time/bank-calendar.js';

/** Failures in a row, passwords and codes together, over all sessions of a PSU; and until when SCA is locked. */
export interface ScaAttempts {
  readonly failures: number;
  readonly lockedUntil?: string;
}

/** Contract 12. */
export const failuresUntilLock = 5;
const lockSeconds = 30 * 60;

/** A PSU who never failed, or who completed an SCA (a right password alone does not count as one). */
export const noFailures: ScaAttempts = { failures: 0 };

/** Is SCA locked for the PSU at that instant? */
export const isScaLocked = ({ lockedUntil }: ScaAttempts, now: string): boolean =>
  lockedUntil !== undefined && !hasPassed(lockedUntil, now);

/** Seconds until the lock ends, rounded up; 0 when not locked. */
export const lockedForSeconds = (attempts: ScaAttempts, now: string): number =>
  attempts.lockedUntil !== undefined && isScaLocked(attempts, now)
    ? Math.ceil((Date.parse(attempts.lockedUntil) - Date.parse(now)) / 1000)
    : 0;

/** A wrong password or code: the fifth in a row locks for 30 minutes. While locked nothing is counted; afterwards it begins anew. */
export function scaFailed(attempts: ScaAttempts, now: string): ScaAttempts {
  if (isScaLocked(attempts, now)) return attempts;
  const failures = (attempts.lockedUntil === undefined ? attempts.failures : 0) + 1;
  return failures < failuresUntilLock
    ? { failures }
    : { failures, lockedUntil: addSeconds(now, lockSeconds) };
}
