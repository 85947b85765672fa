/** Milliseconds of calls that the page Now sums up. */
export const windowMs = 5 * 60_000;

/** Calls to a part that had no reply within the last minute from which on it is named. */
export const unansweredCalls = 3;

/** Milliseconds in which a core bank that is well answers a question without effect. */
export const slowCoreBankMs = 1000;

/** Milliseconds by which a reply must follow the last missing one, so that the part counts as answering again. */
export const answersAgainAfterMs = 3000;

/** Milliseconds after the start of the console in which processes that are not ready are starting, unless all were ready before. */
export const startingMs = 15_000;

/** Milliseconds of real time after a move of the sandbox clock in which the worker settles what it made due: nothing is overdue. */
export const settlesAfterMoveMs = 60_000;

/** Refused calls of a TPP within the window from which on it is named. */
export const refusedCalls = 20;
/** Refused calls as a part of all calls of a TPP from which on it is named. */
export const refusedShare = 0.5;

/** Milliseconds without a call after which a TPP has stopped calling. */
export const stoppedCallingMs = 60_000;
/** Milliseconds without a missing reply after which a part that is heard answers again, even if nobody has called it since. */
export const quietAfterMs = 10_000;
/** Milliseconds before the end of a TPP's certificate from which on it needs a person soon. */
export const certificateAttentionMs = 30 * 24 * 60 * 60_000;
/** Milliseconds before the end of a TPP's certificate from which on it is a problem. */
export const certificateProblemMs = 7 * 24 * 60 * 60_000;

/** Milliseconds that the oldest event of a JetStream consumer has waited before the page Now reports the consumer. */
export const consumerBehindMs = 60_000;

/** TPPs that are named because of their notifications; the others are counted. */
export const namedReceivers = 5;
