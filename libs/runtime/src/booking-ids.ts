import type { PartOf } from '@xs2a/domain/payment/settlement/due';
import { uuidv5 } from './ids.js';

/**
 * The id under which a transaction is booked. An occurrence of a periodic order and an entry of a bulk payment have one of
 * their own, which follows from the order's or bulk payment's id and the number, so that a repeat has the same ids.
 */
export const deriveBookingId = ({ paymentId, number }: PartOf): string =>
  uuidv5(`transaction:${number}`, paymentId);

/** The debtor's entry in the sandbox's ledger for what is booked under an id. */
export const deriveDebtorEntryId = (bookingId: string): string => uuidv5('debtor-entry', bookingId);

/** Berlin Group ids are at most 35 characters: a UUID without its dashes is 32. */
export const toTransactionId = (entryId: string): string => entryId.replaceAll('-', '');

/** The transactionId of an occurrence that has no entry yet, or never will: that which its entry would have. */
export const occurrenceTransactionId = (occurrence: PartOf): string =>
  toTransactionId(deriveDebtorEntryId(deriveBookingId(occurrence)));
