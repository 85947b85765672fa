import type {
  AccountDetails,
  Balance,
  TransactionEntry,
  TransactionsPage,
} from '@xs2a/contracts/accounts.contract';
import { formatAmount } from '@xs2a/domain/money/money';
import type { MinorAmount } from '@xs2a/domain/payment/payment-events';
import type { TransactionsRequest } from './account-query.js';
import { link } from './payment-json.js';

/** Members that are undefined are left out when the answer is written. */
type Json = Readonly<Record<string, unknown>>;

export const accountPath = (resourceId: string): string => `/v1/accounts/${resourceId}`;

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

export const accountJson = (account: AccountDetails): Json => ({
  resourceId: account.resourceId,
  iban: account.iban,
  currency: account.currency,
  name: account.name,
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

const ibanForm = /^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/;

/** An account of a counterparty in whichever form it has; by its looks alone, since it is only told. */
const counterpartyJson = (account: string | undefined): Json | undefined => {
  if (account === undefined) return undefined;
  if (ibanForm.test(account)) return { iban: account };
  return /^[a-zA-Z0-9]{1,30}$/.test(account)
    ? { bban: account }
    : { other: { identification: account.slice(0, 35) } };
};

export const transactionJson = (entry: TransactionEntry): Json => ({
  transactionId: entry.transactionId,
  entryReference: entry.entryReference,
  endToEndId: entry.endToEndId,
  bookingDate: entry.bookingDate,
  valueDate: entry.valueDate,
  transactionAmount: amountJson(entry.amount),
  creditorName: entry.creditorName,
  creditorAccount: counterpartyJson(entry.creditorAccount),
  debtorName: entry.debtorName,
  debtorAccount: counterpartyJson(entry.debtorAccount),
  remittanceInformationUnstructured: entry.remittance,
  bankTransactionCode: entry.bankTransactionCode,
});

/** A page of transactions with the links to its neighbours, which carry the same query. */
export const transactionsJson = (page: TransactionsPage, request: TransactionsRequest): Json => {
  const { resourceId, bookingStatus, dateFrom, dateTo, pageSize, withBalance } = request;
  const query = new URLSearchParams({ bookingStatus, dateFrom, dateTo, pageSize: String(pageSize) });
  if (withBalance) query.set('withBalance', 'true');
  const path = `${accountPath(resourceId)}/transactions`;
  const pageLink = (cursor: string | undefined): Json | undefined => {
    if (cursor === undefined) return undefined;
    const paged = new URLSearchParams(query);
    paged.set('cursor', cursor);
    return link(`${path}?${paged.toString()}`);
  };
  return {
    account: { iban: page.iban, currency: page.currency },
    balances: page.balances?.map(balanceJson),
    transactions: {
      booked: bookingStatus === 'pending' ? undefined : page.booked.map(transactionJson),
      pending: bookingStatus === 'booked' ? undefined : page.pending.map(transactionJson),
      _links: {
        account: link(accountPath(resourceId)),
        first: link(`${path}?${query.toString()}`),
        next: pageLink(page.nextCursor),
        previous: pageLink(page.previousCursor),
      },
    },
  };
};
