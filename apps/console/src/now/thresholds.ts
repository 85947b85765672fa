/** Milliseconds of calls that the page Now sums up. */
export const windowMs = 5 * 60_000;

/** Calls to a part that had no reply within the last minute from which on it is named. */
export const unansweredCalls = 3;

/** Refused calls of a TPP within the window from which on it is named. */
export const refusedCalls = 20;
/** Refused calls as a part of all calls of a TPP from which on it is named. */
export const refusedShare = 0.5;

/** TPPs that are named because of their notifications; the others are counted. */
export const namedReceivers = 5;
