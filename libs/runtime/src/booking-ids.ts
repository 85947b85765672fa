import type { PartOf } from '@xs2a/domain/payment/settlement/due';
import { uuidv5 } from './ids.js';

/**
 * Returns the id under which a transaction is booked. An occurrence of a periodic order and an entry of a bulk
 * payment have an id derived from the id of the order or bulk payment and the number, so that a repeat has the
 * same id.
 */
export const deriveBookingId = ({ paymentId, number }: PartOf): string =>
  uuidv5(`transaction:${number}`, paymentId);

/** The id of the debtor's ledger entry in the sandbox for the transaction booked under an id. */
export const deriveDebtorEntryId = (bookingId: string): string => uuidv5('debtor-entry', bookingId);

/** Berlin Group ids are at most 35 characters: a UUID without its dashes is 32. */
export const toTransactionId = (entryId: string): string => entryId.replaceAll('-', '');

/** The transactionId of an occurrence that has no entry yet, or never will: the one that its entry would have. */
export const occurrenceTransactionId = (occurrence: PartOf): string =>
  toTransactionId(deriveDebtorEntryId(deriveBookingId(occurrence)));
