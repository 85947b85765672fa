import { Clock } from '@xs2a/runtime/clock';

/** Real time. The sandbox clock is ahead of it once a row has moved that clock. */
export const realTime = new Clock(false);
