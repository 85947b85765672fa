import type { Market } from '../bank/market.js';
import type { BulkEntry, Column } from '../bulk-file/bulk-file.js';
import { findField } from '../page/payment-form.js';

/** The options that the user chose for all entries. */
export interface EnteredBulk {
  readonly debtorIban: string;
  /** If empty, the bulk is executed immediately. */
  readonly executionDate: string;
  readonly batchBooking: boolean;
}

const entryBody = (entry: BulkEntry, market: Market): Readonly<Record<string, unknown>> => ({
  ...(entry.endToEndId === '' ? {} : { endToEndIdentification: entry.endToEndId }),
  instructedAmount: { amount: entry.amount, currency: market.currency },
  creditorAccount: { iban: entry.creditorIban },
  creditorName: entry.creditorName,
  remittanceInformationUnstructured: entry.remittance,
  ...market.transferFields,
});

/** Builds the body of POST /v1/bulk-payments. */
export const bulkBody = (
  entries: readonly BulkEntry[],
  { debtorIban, executionDate, batchBooking }: EnteredBulk,
  market: Market,
): Readonly<Record<string, unknown>> => ({
  debtorAccount: { iban: debtorIban },
  ...(executionDate === '' ? {} : { requestedExecutionDate: executionDate }),
  ...(batchBooking ? { batchBookingPreferred: true } : {}),
  payments: entries.map((entry) => entryBody(entry, market)),
});

const fieldOf = findField({ endToEndIdentification: 'endToEndId', requestedExecutionDate: 'executionDate' });

/**
 * Finds the field for a path in the bank's response: `payments[17].creditorAccount.iban` is the account of the
 * entry with index 17, starting at 0.
 */
export const placeOfPath = (
  path: string,
): { readonly entry?: number; readonly field?: Column | 'debtorIban' | 'executionDate' } => {
  const [, index, rest] = /^payments\[(\d{1,3})\](?:\.(.*))?$/.exec(path) ?? [];
  const field = fieldOf(index === undefined ? path : (rest ?? ''));
  return {
    entry: index === undefined ? undefined : Number(index),
    field: field as ReturnType<typeof placeOfPath>['field'],
  };
};
