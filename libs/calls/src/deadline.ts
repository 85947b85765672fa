/** The deadline of a call that is made now: milliseconds since 1970 of real time, which the sandbox clock does not move. */
export const deadlineAfter = (timeoutMs: number): number => Date.now() + timeoutMs;

/** Milliseconds since a deadline; negative before it. */
export const lateBy = (deadline: number): number => Date.now() - deadline;
