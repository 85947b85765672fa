import { type Failure, fail } from '../../failure/failures.js';
import { getMember } from '../../form/form-checks.js';
import { exchange } from '../../money/exchange.js';
import type { Profile } from '../../profile/profile.js';
import type { MinorAmount, PaymentOrder } from '../payment-events.js';
import type { PaymentProduct } from '../payment-products.js';
import { feeInHomeCurrency } from './tariff.js';

/**
 * The charge bearer that applies if the TPP names none: the one that SEPA requires or, within the EEA, the one
 * that contract 8 requires.
 */
const bearerUnlessNamed: Readonly<Partial<Record<PaymentProduct, string>>> = {
  'SEPA-Credit-Transfer': 'SLEV',
  'instant-SEPA-credit-transfer': 'SLEV',
  'domestic-budget-transfer-EUR': 'SLEV',
  'cross-border-credit-transfer': 'SHAR',
};

/** The only service level of SEPA transfers, which the euro standard need not name (contract E2.2). */
const levelUnlessNamed: Readonly<Partial<Record<PaymentProduct, string>>> = {
  'SEPA-Credit-Transfer': 'SEPA',
  'instant-SEPA-credit-transfer': 'SEPA',
  'domestic-budget-transfer-EUR': 'SEPA',
};

/** True if the account and the amount are in different currencies (contract 8, FX). */
export const needsExchange = (order: Pick<PaymentOrder, 'amount'>, accountCurrency: string): boolean =>
  order.amount.currency !== accountCurrency;

/** True if the bank can convert between the two currencies (in the production profile, if both have a rate). */
export const canExchange = (
  { amount }: Pick<PaymentOrder, 'amount'>,
  accountCurrency: string,
  { exchangeRates }: Pick<Profile, 'exchangeRates'>,
): boolean => exchangeRates !== undefined && exchange(amount, accountCurrency, exchangeRates) !== undefined;

/**
 * The order with its price in the account's currency (spec 1.8): the debited amount and the rate if converted, and
 * the fee from the tariff. The price is then fixed: the PSU sees this price before signing, and this price is
 * booked.
 */
export function priceOrder(
  order: PaymentOrder,
  submitted: { readonly product: PaymentProduct; readonly body: Readonly<Record<string, unknown>> },
  accountCurrency: string,
  { fees, exchangeRates }: Pick<Profile, 'fees' | 'exchangeRates'>,
): PaymentOrder {
  if (exchangeRates === undefined) return order;
  const exchanged = needsExchange(order, accountCurrency)
    ? exchange(order.amount, accountCurrency, exchangeRates)
    : undefined;
  const serviceLevel = getMember(submitted.body, 'serviceLevel') ?? levelUnlessNamed[submitted.product];
  const chargeBearer = getMember(submitted.body, 'chargeBearer') ?? bearerUnlessNamed[submitted.product];
  const inHome = feeInHomeCurrency(
    {
      product: submitted.product,
      serviceLevel: String(serviceLevel),
      chargeBearer: typeof chargeBearer === 'string' ? chargeBearer : undefined,
      amount: order.amount,
    },
    fees,
    exchangeRates,
  );
  const fee =
    inHome === 0
      ? { minor: 0, currency: accountCurrency }
      : exchange({ minor: inHome, currency: exchangeRates.homeCurrency }, accountCurrency, exchangeRates)
          ?.amount;
  return {
    ...order,
    ...(exchanged === undefined ? {} : { debit: exchanged.amount, rate: exchanged.rate }),
    ...(fee === undefined ? {} : { fee }),
  };
}

/** The amount debited from the debtor account, excluding the fee. */
export const getDebit = ({ amount, debit }: Pick<PaymentOrder, 'amount' | 'debit'>): MinorAmount =>
  debit ?? amount;

/** The total debited for a payment, including the fee. */
export function computeTotalDebit(order: Pick<PaymentOrder, 'amount' | 'debit' | 'fee'>): MinorAmount {
  const { minor, currency } = getDebit(order);
  return { minor: minor + (order.fee?.minor ?? 0), currency };
}

/** The sum of one or more amounts in the same currency. */
export const total = (amounts: readonly MinorAmount[]): MinorAmount => ({
  minor: amounts.reduce((sum, { minor }) => sum + minor, 0),
  currency: amounts[0]?.currency ?? '',
});

/** The failure for an order whose total including the fee is too large to compute exactly. */
export const tooLargeFailure = (order: Pick<PaymentOrder, 'amount' | 'debit' | 'fee'>): Failure | undefined =>
  Number.isSafeInteger(computeTotalDebit(order).minor)
    ? undefined
    : fail(
        'fieldMalformed',
        'instructedAmount.amount',
        'The amount and its fee are more than this bank can book. Send a smaller amount.',
      );

/**
 * The failure for a payment that needs an exchange rate but has a later date, because a rate is valid only today
 * (spec 1.4).
 */
export const futureExchangeFailure = (
  { debit }: Pick<PaymentOrder, 'debit'>,
  requestedExecutionDate: string | undefined,
  today: string,
): Failure | undefined =>
  debit !== undefined && requestedExecutionDate !== undefined && requestedExecutionDate > today
    ? fail(
        'executionDateInvalid',
        'requestedExecutionDate',
        'A payment that needs an exchange rate is executed at once. Leave the date out, or pay from an account in this currency.',
      )
    : undefined;
