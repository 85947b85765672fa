import { dividedHalfUp, formatMillionths, millionths, parseMillionths } from '../money/exchange.js';
import { levaPerEuro, levToEuro } from '../money/lev-conversion.js';
import type { ConvertedAmounts, MinorAmount, PaymentOrder } from '../payment/payment-events.js';
import { getDebit } from '../payment/pricing/price-order.js';

/** Returns an amount in leva converted into euro (contract E6.2), and any other amount unchanged. */
const toEuro = (amount: MinorAmount): MinorAmount =>
  amount.currency === 'BGN' ? { minor: levToEuro(amount.minor), currency: 'EUR' } : amount;

/** True if a payment is in leva: its amount, or what it debits. */
export const isInLeva = (order: Pick<PaymentOrder, 'amount' | 'debit'>): boolean =>
  order.amount.currency === 'BGN' || getDebit(order).currency === 'BGN';

const levaPerEuroMillionths = BigInt(parseMillionths(levaPerEuro) ?? 0);

/**
 * The exchange rate of an order whose debit, or whose amount, is now in euro in place of leva. The customer has
 * approved the debit, so the rate follows it.
 */
const convertRate = ({ amount, debit, rate }: PaymentOrder): string | undefined => {
  const scaled = parseMillionths(rate);
  if (scaled === undefined || debit === undefined) return rate;
  return debit.currency === 'BGN'
    ? formatMillionths(dividedHalfUp(BigInt(scaled) * millionths, levaPerEuroMillionths))
    : amount.currency === 'BGN'
      ? formatMillionths(dividedHalfUp(BigInt(scaled) * levaPerEuroMillionths, millionths))
      : rate;
};

/**
 * The amounts of an order in euro (contract E6.3): the amount, the debit in another currency and the fee, each
 * converted separately. An order that needs no exchange any more has neither debit nor rate.
 */
export const convertAmounts = (order: PaymentOrder): ConvertedAmounts => {
  const amount = toEuro(order.amount);
  const debit = order.debit && toEuro(order.debit);
  const isExchanged =
    debit !== undefined && (debit.currency !== amount.currency || debit.minor !== amount.minor);
  return {
    amount,
    ...(isExchanged ? { debit, rate: convertRate(order) } : {}),
    ...(order.fee === undefined ? {} : { fee: toEuro(order.fee) }),
  };
};
