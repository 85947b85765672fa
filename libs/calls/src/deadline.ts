/**
 * The deadline of a call made now, in milliseconds since 1970. It is in real time, which the sandbox clock does
 * not affect.
 */
export const deadlineAfter = (timeoutMs: number): number => Date.now() + timeoutMs;

/** Milliseconds since a deadline; negative before the deadline. */
export const lateBy = (deadline: number): number => Date.now() - deadline;

/** Milliseconds that a service needs to pass on a failure of a call that it made itself. */
const wayBackMs = 150;

/**
 * The timeout of a call that is made while another call is being handled: it ends before the outer deadline, so that
 * the outer caller learns which service did not answer. At least half of the timeout remains, whatever the clocks of
 * the two hosts say and however late in the outer call it is made.
 */
export const timeoutBefore = (outerDeadline: number | undefined, timeoutMs: number): number =>
  outerDeadline === undefined
    ? timeoutMs
    : Math.min(timeoutMs, Math.max(timeoutMs / 2, outerDeadline - Date.now() - wayBackMs));
