import type { AccountDetails, Balance, TransactionsPage } from '@xs2a/contracts/accounts.contract';
import type { Rendered } from '@xs2a/contracts/call';
import { formatAmount } from '@xs2a/domain/money/money';
import type { MinorAmount } from '@xs2a/domain/payment/payment-events';
import type { TransactionsRequest } from './account-query.js';
import { link } from '../authorisations/link.js';

/** A JSON object. Undefined members are omitted when the response is serialised. */
type Json = Readonly<Record<string, unknown>>;

const accountPath = (resourceId: string): string => `/v1/accounts/${resourceId}`;

const amountJson = (amount: MinorAmount): Json => ({
  currency: amount.currency,
  amount: formatAmount(amount),
});

export const balanceJson = (balance: Balance): Json => ({
  balanceAmount: amountJson(balance.amount),
  balanceType: balance.balanceType,
  creditLimitIncluded: balance.creditLimitIncluded,
  referenceDate: balance.referenceDate,
});

/** `bic` is the bank's BIC. An account that the PSU has not named is shown with its product's name (contract 6). */
export const accountJson = (account: AccountDetails, bic: string): Json => ({
  resourceId: account.resourceId,
  iban: account.iban,
  currency: account.currency,
  bic,
  name: account.name ?? account.product,
  product: account.product,
  cashAccountType: account.cashAccountType,
  status: account.status,
  ownerName: account.ownerName,
  balances: account.balances?.map(balanceJson),
  _links: {
    balances: account.mayReadBalances ? link(`${accountPath(account.resourceId)}/balances`) : undefined,
    transactions: account.mayReadTransactions
      ? link(`${accountPath(account.resourceId)}/transactions`)
      : undefined,
  },
});

/** A page of transactions with links to its neighbouring pages, which repeat the query. The entries are not changed. */
export const transactionsJson = (page: TransactionsPage, request: TransactionsRequest): Buffer => {
  const { resourceId, bookingStatus, dateFrom, dateTo, pageSize, withBalance, entryReferenceFrom } = request;
  const period: Record<string, string> = request.deltaList ? { deltaList: 'true' } : { dateFrom, dateTo };
  const query = new URLSearchParams({ bookingStatus, ...period, pageSize: String(pageSize) });
  if (withBalance) query.set('withBalance', 'true');
  if (entryReferenceFrom !== undefined) query.set('entryReferenceFrom', entryReferenceFrom);
  const path = `${accountPath(resourceId)}/transactions`;
  const first = `${path}?${query.toString()}`;
  const pageLink = (cursor: string | undefined): Json | undefined =>
    cursor === undefined ? undefined : link(`${first}&cursor=${encodeURIComponent(cursor)}`);
  const account = JSON.stringify({ iban: page.iban, currency: page.currency });
  const balances = page.balances && JSON.stringify(page.balances.map(balanceJson));
  const links = JSON.stringify({
    account: link(accountPath(resourceId)),
    first: pageLink(page.firstCursor) ?? link(first),
    next: pageLink(page.nextCursor),
    previous: pageLink(page.previousCursor),
  });
  return Buffer.concat([
    Buffer.from(
      `{"account":${account},${balances === undefined ? '' : `"balances":${balances},`}"transactions":`,
    ),
    withoutEnd(page.rendered),
    Buffer.from(`,"_links":${links}}}`),
  ]);
};

/** A single transaction, unchanged. */
export const transactionJson = ({ rendered }: Rendered): Buffer =>
  Buffer.concat([Buffer.from('{"transactionsDetails":'), rendered, Buffer.from('}')]);

/** A JSON object without its closing brace, so that members can be added. */
const withoutEnd = (object: Uint8Array): Uint8Array => object.subarray(0, -1);
