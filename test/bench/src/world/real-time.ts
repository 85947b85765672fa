import { Clock } from '@xs2a/runtime/clock';

/** Real time, from which the sandbox clock is ahead once a row has moved it. */
export const realTime = new Clock(false);
