import { uuidv5 } from '@xs2a/runtime/ids';

/**
 * Idempotency keys of booking: everything booked for a payment is named after it, so that whoever repeats an order,
 * after a crash or an answer that was lost, says the same key, and a bank that keeps its keys books nothing twice.
 * `paymentId` is the id under which it is booked: a payment's own, or one that follows from an order's id and the number
 * of its occurrence or entry.
 */
export const holdIdOf = (paymentId: string): string => uuidv5('hold', paymentId);
export const postIdOf = (paymentId: string): string => uuidv5('post', paymentId);
export const voidIdOf = (paymentId: string): string => uuidv5('void', paymentId);
