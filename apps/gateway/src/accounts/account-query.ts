import type { TransactionsQuery } from '@xs2a/contracts/accounts.contract';
import { type Failure, fail } from '@xs2a/domain/failure/failures';
import { addDays, isIsoDate } from '@xs2a/domain/time/bank-calendar';

export type QueryString = Readonly<Record<string, string | string[] | undefined>>;
export type TransactionsRequest = Omit<TransactionsQuery, 'cursor'> & { readonly cursor?: string };

/**
 * A refreshed token may read this many days back; this is also the default start of the period (spec 8, contract
 * 6).
 */
const recentDays = 90;
const maxPageSize = 500;
const ordinaryPage = 50;
/** The parameters that define the period of a report. The only other way to limit a report is deltaList. */
const periodNames = ['dateFrom', 'dateTo', 'entryReferenceFrom'] as const;
const bookingStatuses = ['booked', 'pending', 'both'] as const;

/** The value of a query parameter; undefined if it is absent. A repeated parameter is a violation. */
const single = (query: QueryString, name: string, failures: Failure[]): string | undefined => {
  const value = query[name];
  if (Array.isArray(value)) {
    failures.push(fail('fieldMalformed', name, 'Send this parameter once.'));
    return undefined;
  }
  return value;
};

const parseFlag = (query: QueryString, name: string, failures: Failure[]): boolean => {
  const value = single(query, name, failures);
  if (value !== undefined && value !== 'true' && value !== 'false')
    failures.push(fail('fieldMalformed', name, 'Send true or false.'));
  return value === 'true';
};

const parseDate = (query: QueryString, name: string, otherwise: string, failures: Failure[]): string => {
  const value = single(query, name, failures);
  if (value === undefined) return otherwise;
  if (!isIsoDate(value)) failures.push(fail('fieldMalformed', name, 'Send a valid date as YYYY-MM-DD.'));
  return value;
};

/** `itemsPerPage` is an alias of `pageSize`. Pages are found by cursor, so there is no `pageIndex`. */
const parsePageSize = (query: QueryString, failures: Failure[]): number => {
  const sizes = ['pageSize', 'itemsPerPage'].flatMap((name) => {
    const value = single(query, name, failures);
    if (value === undefined) return [];
    const size = /^[1-9]\d{0,3}$/.test(value) ? Number(value) : 0;
    if (size < 1 || size > maxPageSize)
      failures.push(fail('fieldMalformed', name, `Send a whole number from 1 to ${maxPageSize}.`));
    return [size];
  });
  const [size = ordinaryPage, other = size] = sizes;
  if (other !== size)
    failures.push(
      fail(
        'fieldMalformed',
        'itemsPerPage',
        'Send either this parameter or pageSize, or the same value in both.',
      ),
    );
  if (query['pageIndex'] !== undefined)
    failures.push(
      fail(
        'parameterNotSupported',
        'pageIndex',
        'Omit this parameter. Follow the links of a page to get the next one.',
      ),
    );
  return size;
};

const parseBookingStatus = (query: QueryString, failures: Failure[]): TransactionsQuery['bookingStatus'] => {
  const value = single(query, 'bookingStatus', failures);
  const known = value === undefined ? 'both' : bookingStatuses.find((status) => status === value);
  if (value === 'information' || value === 'all')
    failures.push(
      fail('parameterNotSupported', 'bookingStatus', `Send one of ${bookingStatuses.join(', ')}.`),
    );
  else if (known === undefined)
    failures.push(fail('fieldMalformed', 'bookingStatus', `Send one of ${bookingStatuses.join(', ')}.`));
  return known ?? 'both';
};

export type Checked<Value> = { readonly value: Value } | { readonly failures: readonly Failure[] };

/** Reads a parameter that is true, false or absent, which means false. */
export const readFlag = (query: QueryString, name: string): Checked<boolean> => {
  const failures: Failure[] = [];
  const value = parseFlag(query, name, failures);
  return failures.length > 0 ? { failures } : { value };
};

export const readWithBalance = (query: QueryString): Checked<boolean> => readFlag(query, 'withBalance');

/** The failure of a period that ends before it starts; the text names the bound that was not sent. */
const periodFailure = (query: QueryString): Failure => {
  if (query['dateFrom'] === undefined)
    return fail(
      'periodInvalid',
      'dateTo',
      'Without dateFrom, the period starts 90 days ago. Send dateFrom too.',
    );
  return query['dateTo'] === undefined
    ? fail(
        'periodInvalid',
        'dateFrom',
        'Without dateTo, the period ends today. Send an earlier dateFrom, or dateTo too.',
      )
    : fail('periodInvalid', 'dateFrom');
};

/**
 * Parses the query of a transactions call (contract 6). Unknown parameters are ignored, because HTTP clients add
 * them. `today` is the bank's ISO date; `tokenIsFresh` determines whether dates older than 90 days may be read.
 */
export const readTransactionsQuery = (
  query: QueryString,
  { resourceId, today, tokenIsFresh }: { resourceId: string; today: string; tokenIsFresh: boolean },
): Checked<TransactionsRequest> => {
  const failures: Failure[] = [];
  const earliest = addDays(today, -recentDays);
  const dateFrom = parseDate(query, 'dateFrom', earliest, failures);
  const dateTo = parseDate(query, 'dateTo', today, failures);
  const bookingStatus = parseBookingStatus(query, failures);
  const pageSize = parsePageSize(query, failures);
  const cursor = single(query, 'cursor', failures);
  if (cursor !== undefined && !/^[\x21-\x7e]{1,512}$/.test(cursor))
    failures.push(fail('fieldMalformed', 'cursor', 'Use a link from an earlier page unchanged.'));
  const withBalance = parseFlag(query, 'withBalance', failures);
  const entryReferenceFrom = single(query, 'entryReferenceFrom', failures);
  if (entryReferenceFrom !== undefined && !/^[\x21-\x7e]{1,35}$/.test(entryReferenceFrom))
    failures.push(fail('fieldMalformed', 'entryReferenceFrom', 'Send an entryReference of this account.'));
  const deltaList = parseFlag(query, 'deltaList', failures);
  if (deltaList && periodNames.some((name) => query[name] !== undefined))
    failures.push(
      fail('fieldMalformed', 'deltaList', `Do not combine this parameter with ${periodNames.join(', ')}.`),
    );
  if (failures.length > 0) return { failures };
  if (dateFrom > dateTo) return { failures: [periodFailure(query)] };
  if (dateFrom < earliest && !tokenIsFresh) return { failures: [fail('tokenNotFresh', 'dateFrom')] };
  return {
    value: {
      resourceId,
      dateFrom,
      dateTo,
      bookingStatus,
      pageSize,
      withBalance,
      cursor,
      entryReferenceFrom,
      deltaList: deltaList || undefined,
    },
  };
};

/**
 * Parses which page of a list is requested. The cursor is passed on unchanged, because each list defines its own
 * format.
 */
export const readPage = (
  query: QueryString,
): Checked<{ readonly pageSize: number; readonly cursor?: string }> => {
  const failures: Failure[] = [];
  const pageSize = parsePageSize(query, failures);
  const cursor = single(query, 'cursor', failures);
  return failures.length > 0 ? { failures } : { value: { pageSize, cursor } };
};
