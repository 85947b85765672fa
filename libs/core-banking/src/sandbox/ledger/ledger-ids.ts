import { deriveHoldId, derivePostId, deriveVoidId } from '../../port/booking-keys.js';
import { uuidv5 } from '@xs2a/runtime/ids';

/**
 * The transfers of one payment: the payment itself; the second half of a change of currency, from the bank's position to
 * the creditor; the fee. Each is within one currency, and is held and posted together with the others.
 */
export const legs = ['payment', 'exchange', 'fee'] as const;
export type Leg = (typeof legs)[number];

const idOfPayment = { hold: deriveHoldId, post: derivePostId, void: deriveVoidId } as const;

export const deriveTransferId = (kind: 'hold' | 'post' | 'void', leg: Leg, paymentId: string): string =>
  leg === 'payment' ? idOfPayment[kind](paymentId) : uuidv5(`${kind}:${leg}`, paymentId);

/** The id of a batch's entry, which follows from the payment with which the entry began. */
export const deriveBatchEntryId = (paymentId: string): string => uuidv5('batch-entry', paymentId);
/** The ids of the entry of a payment's fee in the debtor's history, and of the entry of a creditor at this bank. */
export const deriveFeeEntryId = (paymentId: string): string => uuidv5('fee-entry', paymentId);
export const deriveCreditorEntryId = (paymentId: string): string => uuidv5('creditor-entry', paymentId);

const clearing = '0b5ad3c1-6f0e-4b0f-9d55-6a7f5f0c2a10';

/**
 * The bank's own accounts, each of them once for a currency: money that leaves to other banks or comes from them, the bank's
 * position in changes of currency, and what it earns in fees.
 */
export const clearingWays = ['outgoing', 'incoming', 'exchange', 'fees'] as const;
export const toClearingAccount = (way: (typeof clearingWays)[number], currency: string): string =>
  uuidv5(`${way}:${currency}`, clearing);

/** Finds the entry's UUID in a transaction id; undefined for a text that is none of this bank. */
export const parseEntryId = (transactionId: string): string | undefined =>
  /^[0-9a-f]{32}$/.test(transactionId)
    ? transactionId.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
    : undefined;
