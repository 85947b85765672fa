import type {
  EntryDetail,
  TransactionDetails,
  TransactionEntry,
  TransactionsQuery,
} from '@xs2a/contracts/accounts.contract';
import { formatAmount } from '@xs2a/domain/money/money';
import type { EntryLists } from '../port/accounts.js';

/** Writes a further member of a JSON object, or nothing when there is no value. */
const member = (name: string, value: string | undefined): string =>
  value === undefined ? '' : `,"${name}":${JSON.stringify(value)}`;

const ibanForm = /^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/;
const bbanForm = /^[a-zA-Z0-9]{1,30}$/;

/**
 * Writes the account of a counterparty as an IBAN, a BBAN or another identification. Only its form decides, since it
 * is only shown.
 */
const counterparty = (name: string, account: string | undefined): string => {
  if (account === undefined) return '';
  if (ibanForm.test(account)) return `,"${name}":{"iban":"${account}"}`;
  if (bbanForm.test(account)) return `,"${name}":{"bban":"${account}"}`;
  return `,"${name}":{"other":{"identification":${JSON.stringify(account.slice(0, 35))}}}`;
};

/** Writes the members that an entry and a payment within a batch entry have in common: amount, parties and text. */
const movementText = (entry: EntryDetail): string =>
  `"transactionAmount":{"currency":${JSON.stringify(entry.amount.currency)},"amount":"${formatAmount(entry.amount)}"}` +
  member('creditorName', entry.creditorName) +
  counterparty('creditorAccount', entry.creditorAccount) +
  member('debtorName', entry.debtorName) +
  counterparty('debtorAccount', entry.debtorAccount) +
  member('remittanceInformationUnstructured', entry.remittance);

/** Writes that an entry is a batch entry, and of how many payments. */
const batchText = (payments: number | undefined): string =>
  payments === undefined ? '' : `,"batchIndicator":true,"batchNumberOfTransactions":${payments}`;

/**
 * Writes an entry as the Berlin Group's `transactionDetails`, in JSON. It is written by hand since a page has up to 500 of them:
 * that takes half the time of building objects to stringify.
 */
export const transactionText = (entry: TransactionEntry): string =>
  `{"transactionId":${JSON.stringify(entry.transactionId)}` +
  member('entryReference', entry.entryReference) +
  member('bookingDate', entry.bookingDate) +
  member('endToEndId', entry.endToEndId) +
  batchText(entry.batchNumberOfTransactions) +
  member('valueDate', entry.valueDate) +
  `,${movementText(entry)}${member('bankTransactionCode', entry.bankTransactionCode)}}`;

/** Writes a payment within a batch entry as the Berlin Group's `EntryDetailsElement`, in JSON. */
export const entryDetailText = (detail: EntryDetail): string =>
  `{${movementText(detail)}${member('endToEndId', detail.endToEndId)}}`;

/** Adds the payments of a batch entry to its text; `details` are their texts, joined by commas. */
const withEntryDetails = (transaction: string, details: string): string =>
  `${transaction.slice(0, -1)},"entryDetails":[${details}]}`;

/** Writes an entry that is requested by itself; a batch entry comes with its payments. */
export const transactionDetailsText = ({ entryDetails, ...entry }: TransactionDetails): string =>
  entryDetails === undefined
    ? transactionText(entry)
    : withEntryDetails(transactionText(entry), entryDetails.map(entryDetailText).join(','));

const listText = (name: 'booked' | 'pending', entries: readonly TransactionEntry[]): string =>
  `"${name}":[${entries.map(transactionText).join(',')}]`;

/** Writes the lists that were asked for as the Berlin Group's `transactions`, without its links. */
export const transactionsText = (
  { booked, pending }: EntryLists,
  bookingStatus: TransactionsQuery['bookingStatus'],
): string => {
  const lists = [
    ...(bookingStatus === 'pending' ? [] : [listText('booked', booked)]),
    ...(bookingStatus === 'booked' ? [] : [listText('pending', pending)]),
  ];
  return `{${lists.join(',')}}`;
};
