import { formatAmount } from '@xs2a/domain/money/money';
import type { PaymentOrder } from '@xs2a/domain/payment/payment-events';
import { lastFour } from './masking.js';

/** The details of a payment order. Its accounts are personal data, and are missing while they are encrypted. */
type ShownOrder = Pick<PaymentOrder, 'amount'> & Partial<PaymentOrder>;

const accountText = (account: string | undefined): string =>
  account === undefined ? '(encrypted)' : lastFour(account);

/** Formats an order as `12.50 BGN from …1234 to …6789`. */
const orderText = ({ amount, debtorIban, creditorAccount }: ShownOrder): string =>
  `${formatAmount(amount)} ${amount.currency} from ${accountText(debtorIban)} to ${accountText(creditorAccount)}`;

const shownNames = [
  'basketId',
  'reason',
  'failure',
  'psuId',
  'dueAt',
  'executionDate',
  'bookAt',
  'expiresAt',
  'validUntil',
] as const;

/** Formats the event data that operators need as a short text without personal data. */
export const formatDetails = (data: unknown): string => {
  if (typeof data !== 'object' || data === null) return '';
  const fields = data as { readonly order?: ShownOrder } & Readonly<Record<string, unknown>>;
  return [
    ...(fields.order === undefined ? [] : [orderText(fields.order)]),
    ...shownNames.flatMap((name) => (typeof fields[name] === 'string' ? [`${name} ${fields[name]}`] : [])),
  ].join(', ');
};
