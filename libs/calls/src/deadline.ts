/** The deadline of a call made now: milliseconds since 1970 in real time, which the sandbox clock does not change. */
export const deadlineAfter = (timeoutMs: number): number => Date.now() + timeoutMs;

/** Milliseconds since a deadline; negative before it. */
export const lateBy = (deadline: number): number => Date.now() - deadline;
