import { bankDateOf } from '@xs2a/domain/time/bank-calendar';
import { transactionText } from '../../port/entry-text.js';
import { transactionIdOf } from '@xs2a/runtime/booking-ids';
import type { Entry } from './entry.js';

/**
 * Entries are kept in the form in which they are sent once they are booked, since they are read far more often than
 * written: a page is then joined, never built. Answers that text for each entry.
 */
export const detailsOf = (entries: readonly Entry[], timeZone: string): string[] => {
  // Entries that are written together are mostly booked at the same moment.
  const dates = new Map<string, string>();
  const bookingDateOf = (bookAt: string): string => {
    const date = dates.get(bookAt) ?? bankDateOf(bookAt, timeZone);
    dates.set(bookAt, date);
    return date;
  };
  return entries.map(({ entryId, amount, currency, counterpartyName, counterpartyAccount, ...entry }) => {
    const transactionId = transactionIdOf(entryId);
    const counterparty =
      amount < 0
        ? { creditorName: counterpartyName, creditorAccount: counterpartyAccount }
        : { debtorName: counterpartyName, debtorAccount: counterpartyAccount };
    return transactionText({
      transactionId,
      entryReference: transactionId,
      bookingDate: bookingDateOf(entry.bookAt),
      valueDate: entry.valueDate,
      amount: { minor: amount, currency },
      ...counterparty,
      endToEndId: entry.endToEndId,
      batchNumberOfTransactions: entry.batchNumberOfTransactions,
      remittance: entry.remittance,
      bankTransactionCode: entry.bankTransactionCode,
    });
  });
};

/**
 * The first member of an entry's JSON. Members that only booked entries have come behind it, and every id has the
 * same length.
 */
const idMember = `{"transactionId":"${'0'.repeat(32)}"`;
const bookedMembers = `,"entryReference":"${'0'.repeat(32)}","bookingDate":"2000-01-01"`;

/** SQL: an entry's text as it is sent now; `booked` is an expression. */
export const detailsNow = (booked: string): string =>
  `CASE WHEN ${booked} THEN details
    ELSE overlay(details PLACING '' FROM ${idMember.length + 1} FOR ${bookedMembers.length}) END`;
