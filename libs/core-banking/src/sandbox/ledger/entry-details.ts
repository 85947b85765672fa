import type { EntryDetail, TransactionEntry } from '@xs2a/contracts/accounts.contract';
import { levToEuro } from '@xs2a/domain/money/lev-conversion';
import { toBankDate } from '@xs2a/domain/time/bank-calendar';
import { transactionText } from '../../rendering/entry-text.js';
import { toTransactionId } from '@xs2a/runtime/booking-ids';
import { levExchange } from '../euro/lev-exchange.js';
import type { Entry } from './entry.js';

/**
 * Renders the text that is stored for each entry. This is the JSON that account information returns once the entry
 * is booked.
 */
export const renderDetails = (entries: readonly Entry[], timeZone: string): string[] => {
  // Dates are cached, because most entries that are written together are booked at the same time.
  const dates = new Map<string, string>();
  const toBookingDate = (bookAt: string): string => {
    const date = dates.get(bookAt) ?? toBankDate(bookAt, timeZone);
    dates.set(bookAt, date);
    return date;
  };
  return entries.map(({ entryId, amount, currency, counterpartyName, counterpartyAccount, ...entry }) => {
    const transactionId = toTransactionId(entryId);
    const counterparty =
      amount < 0
        ? { creditorName: counterpartyName, creditorAccount: counterpartyAccount }
        : { debtorName: counterpartyName, debtorAccount: counterpartyAccount };
    return transactionText({
      transactionId,
      entryReference: transactionId,
      bookingDate: toBookingDate(entry.bookAt),
      valueDate: entry.valueDate,
      amount: { minor: amount, currency },
      currencyExchange: entry.currencyExchange,
      ...counterparty,
      endToEndId: entry.endToEndId,
      batchNumberOfTransactions: entry.batchNumberOfTransactions,
      remittance: entry.remittance,
      bankTransactionCode: entry.bankTransactionCode,
    });
  });
};

/**
 * The members that have a different name or format in the stored text of an entry or of a payment within a batch
 * entry.
 */
interface KeptMovement {
  readonly transactionAmount: { readonly currency: string; readonly amount: string };
  readonly creditorAccount?: Counterparty;
  readonly debtorAccount?: Counterparty;
  readonly remittanceInformationUnstructured?: string;
}
interface Counterparty {
  readonly iban?: string;
  readonly bban?: string;
  readonly other?: { readonly identification: string };
}
type Kept<Movement> = KeptMovement &
  Omit<Movement, 'amount' | 'creditorAccount' | 'debtorAccount' | 'remittance'>;

const accountIn = (account: Counterparty | undefined): string | undefined =>
  account?.iban ?? account?.bban ?? account?.other?.identification;

interface StoredEntry {
  readonly details: string;
  readonly isBooked: boolean;
}

/** Parses an entry from its stored text. A pending entry has neither a reference nor a booking date yet. */
export const readEntry = ({ details, isBooked }: StoredEntry): TransactionEntry =>
  toEntry(JSON.parse(details) as Kept<TransactionEntry>, isBooked);

/** Parses the stored JSON texts of several entries, joined by commas, as one JSON array. */
export const readEntries = (texts: string, isBooked: boolean): readonly TransactionEntry[] =>
  (JSON.parse(`[${texts}]`) as readonly Kept<TransactionEntry>[]).map((kept) => toEntry(kept, isBooked));

const toEntry = (kept: Kept<TransactionEntry>, isBooked: boolean): TransactionEntry => {
  const { amount, currency } = kept.transactionAmount;
  // Copied member by member, because an object spread takes three times as long and a page has up to 500
  // entries.
  return {
    transactionId: kept.transactionId,
    entryReference: isBooked ? kept.entryReference : undefined,
    bookingDate: isBooked ? kept.bookingDate : undefined,
    endToEndId: kept.endToEndId,
    batchNumberOfTransactions: kept.batchNumberOfTransactions,
    valueDate: kept.valueDate,
    amount: { minor: findMinor(amount), currency },
    currencyExchange: kept.currencyExchange,
    creditorName: kept.creditorName,
    creditorAccount: accountIn(kept.creditorAccount),
    debtorName: kept.debtorName,
    debtorAccount: accountIn(kept.debtorAccount),
    remittance: kept.remittanceInformationUnstructured,
    bankTransactionCode: kept.bankTransactionCode,
  };
};

/**
 * Returns an entry as a bank in euro shows it; `levEnd` is the day on which the lev ended there. An entry in leva retains its
 * booked amount, and its amount in euro is added for information. The rate is added if the entry was booked before `levEnd`
 * (contract E5.2).
 */
export const inEuro = (entry: TransactionEntry, levEnd: string): TransactionEntry => {
  if (entry.amount.currency !== 'BGN') return entry;
  const isFromBefore = entry.bookingDate !== undefined && entry.bookingDate < levEnd;
  return {
    ...entry,
    accountCurrencyAmount: { minor: levToEuro(entry.amount.minor), currency: 'EUR' },
    currencyExchange: isFromBefore ? [levExchange(levEnd)] : undefined,
  };
};

/** Parses a payment within a batch entry from its stored text. */
export const readEntryDetail = (details: string): EntryDetail => {
  const kept = JSON.parse(details) as Kept<EntryDetail>;
  const { amount, currency } = kept.transactionAmount;
  return {
    endToEndId: kept.endToEndId,
    amount: { minor: findMinor(amount), currency },
    creditorName: kept.creditorName,
    creditorAccount: accountIn(kept.creditorAccount),
    debtorName: kept.debtorName,
    debtorAccount: accountIn(kept.debtorAccount),
    remittance: kept.remittanceInformationUnstructured,
  };
};

/** Parses a stored amount into minor units. Amounts are stored with all decimals of their currency. */
const findMinor = (amount: string): number => Number(amount.replace('.', ''));
