import { uuidv5 } from '@xs2a/runtime/ids';

/** The payment's entry in the debtor's history, and in that of a creditor at this bank. */
export const debtorEntryIdOf = (paymentId: string): string => uuidv5('debtor-entry', paymentId);
export const creditorEntryIdOf = (paymentId: string): string => uuidv5('creditor-entry', paymentId);

const clearing = '0b5ad3c1-6f0e-4b0f-9d55-6a7f5f0c2a10';

/** The account that stands for the world outside: money that leaves the bank, or comes in, in one currency. */
export const clearingAccountOf = (way: 'outgoing' | 'incoming', currency: string): string =>
  uuidv5(`${way}:${currency}`, clearing);

/** Berlin Group ids are at most 35 characters: a UUID without its dashes is 32. */
export const transactionIdOf = (entryId: string): string => entryId.replaceAll('-', '');

/** The entry's UUID; undefined for a text that is no transaction id of this bank. */
export const entryIdOf = (transactionId: string): string | undefined =>
  /^[0-9a-f]{32}$/.test(transactionId)
    ? transactionId.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
    : undefined;
