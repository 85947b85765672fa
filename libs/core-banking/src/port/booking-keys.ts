import { uuidv5 } from '@xs2a/runtime/ids';

/**
 * Booking idempotency keys are derived from the payment's id. An order that is repeated after a crash or a lost
 * response therefore has the same key, and a bank that stores its keys books nothing twice. `paymentId` is the
 * booking id: a payment's own id, or one derived from an order's id and the number of its occurrence or entry.
 */
export const deriveHoldId = (paymentId: string): string => uuidv5('hold', paymentId);
export const derivePostId = (paymentId: string): string => uuidv5('post', paymentId);
export const deriveVoidId = (paymentId: string): string => uuidv5('void', paymentId);
