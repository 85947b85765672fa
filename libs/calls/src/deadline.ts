/** The deadline of a call that is made now: milliseconds since 1970 of real time, which the sandbox clock does not move. */
export const deadlineAfter = (timeoutMs: number): number => Date.now() + timeoutMs;

/** Milliseconds since a deadline; negative before it, and for a call without one. */
export const lateBy = (deadline = Infinity): number => Date.now() - deadline;
