import { Clock } from '@xs2a/runtime/clock';

/** The real time. Once a row has moved the sandbox clock, the sandbox clock is ahead of it. */
export const realTime = new Clock(false);
