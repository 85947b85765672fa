import { uuidv5 } from '@xs2a/runtime/ids';

/**
 * The idempotency keys of booking follow from the payment's id, so that an order that is repeated after a crash or a lost answer
 * has the same key, and a bank that remembers its keys books nothing twice.
 * `paymentId` is the id under which it is booked: a payment's own, or one that follows from an order's id and the number
 * of its occurrence or entry.
 */
export const deriveHoldId = (paymentId: string): string => uuidv5('hold', paymentId);
export const derivePostId = (paymentId: string): string => uuidv5('post', paymentId);
export const deriveVoidId = (paymentId: string): string => uuidv5('void', paymentId);
