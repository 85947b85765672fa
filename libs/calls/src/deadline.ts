/**
 * The deadline of a call made now, in milliseconds since 1970. It is in real time, which the sandbox clock does
 * not affect.
 */
export const deadlineAfter = (timeoutMs: number): number => Date.now() + timeoutMs;

/** Milliseconds since a deadline; negative before the deadline. */
export const lateBy = (deadline: number): number => Date.now() - deadline;
