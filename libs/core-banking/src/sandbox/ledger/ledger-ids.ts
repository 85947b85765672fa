import { deriveHoldId, derivePostId, deriveVoidId } from '../../port/booking-keys.js';
import { uuidv5 } from '@xs2a/runtime/ids';

/**
 * The transfers of one payment: the payment itself; the second half of an exchange, from the bank's position to
 * the creditor; and the fee. Each is in a single currency, and all are held and posted together.
 */
export const legs = ['payment', 'exchange', 'fee'] as const;
export type Leg = (typeof legs)[number];

const idOfPayment = { hold: deriveHoldId, post: derivePostId, void: deriveVoidId } as const;

export const deriveTransferId = (kind: 'hold' | 'post' | 'void', leg: Leg, paymentId: string): string =>
  leg === 'payment' ? idOfPayment[kind](paymentId) : uuidv5(`${kind}:${leg}`, paymentId);

/** The id of a batch entry, derived from the payment that started the entry. */
export const deriveBatchEntryId = (paymentId: string): string => uuidv5('batch-entry', paymentId);
/**
 * The ids of a payment's fee entry in the debtor's history and, below, of the creditor's entry if the creditor is
 * a customer of this bank.
 */
export const deriveFeeEntryId = (paymentId: string): string => uuidv5('fee-entry', paymentId);
export const deriveCreditorEntryId = (paymentId: string): string => uuidv5('creditor-entry', paymentId);

const clearing = '0b5ad3c1-6f0e-4b0f-9d55-6a7f5f0c2a10';

/**
 * The bank's own accounts, each of which exists once per currency: for money sent to other banks, for money
 * received from them, for the bank's position in exchanges, for its fee income, for the conversion of accounts to euro,
 * and for what its rounding leaves.
 */
export const clearingWays = [
  'outgoing',
  'incoming',
  'exchange',
  'fees',
  'conversion',
  'rounding-differences',
] as const;
export const toClearingAccount = (way: (typeof clearingWays)[number], currency: string): string =>
  uuidv5(`${way}:${currency}`, clearing);

/** Extracts the entry's UUID from a transaction id. Undefined for a text that is not a transaction id of this bank. */
export const parseEntryId = (transactionId: string): string | undefined =>
  /^[0-9a-f]{32}$/.test(transactionId)
    ? transactionId.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
    : undefined;
