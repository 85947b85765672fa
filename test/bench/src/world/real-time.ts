import { Clock } from '@xs2a/runtime/clock';

/** Real time; once a row has moved the sandbox clock, that clock is ahead of it. */
export const realTime = new Clock(false);
