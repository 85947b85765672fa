import type { PartOf } from '@xs2a/domain/payment/settlement/due';
import { uuidv5 } from './ids.js';

/**
 * Returns the id under which a transaction is booked. For an occurrence of a periodic order or an entry of a bulk
 * payment, the id is derived from the id of the order or bulk payment and the number, so that a repeat has the
 * same id.
 */
export const deriveBookingId = ({ paymentId, number }: PartOf): string =>
  uuidv5(`transaction:${number}`, paymentId);

/** Returns the id of the debtor's ledger entry in the sandbox, for the transaction booked under this id. */
export const deriveDebtorEntryId = (bookingId: string): string => uuidv5('debtor-entry', bookingId);

/** Removes the dashes of a UUID, because Berlin Group ids have at most 35 characters. A UUID without dashes has 32. */
export const toTransactionId = (entryId: string): string => entryId.replaceAll('-', '');

/**
 * Returns the transactionId of an occurrence that has no entry yet, or never will have one: the id that its entry
 * would have.
 */
export const occurrenceTransactionId = (occurrence: PartOf): string =>
  toTransactionId(deriveDebtorEntryId(deriveBookingId(occurrence)));
