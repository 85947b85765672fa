import { getCountry, isIban } from '../iban/iban.js';
import type { SepaReachability } from '../profile/profile-tables.js';
import type { PaymentOrder } from './payment-events.js';
import type { PaymentProduct, PaymentType } from './payment-products.js';

/**
 * The payment type that follows from the payment details: a valid order and, if sent, the BIC of the creditor's
 * bank (spec 1.9).
 */
export function derivePaymentType(
  order: Pick<PaymentOrder, 'amount' | 'creditorAccount'>,
  creditorAgent: string | undefined,
  sepa: SepaReachability,
): PaymentType {
  const country = isIban(order.creditorAccount) ? getCountry(order.creditorAccount) : undefined;
  if (order.amount.currency === 'BGN' && country === 'BG') return 'DOMESTIC';
  const isReached =
    country !== undefined &&
    sepa.countries.has(country) &&
    (creditorAgent === undefined || !sepa.exceptBanks.has(creditorAgent.slice(0, 8)));
  if (order.amount.currency === 'EUR' && isReached) return 'SEPA';
  return 'FOREIGN';
}

/** The payment type of each product. */
export const typeOfProduct: Readonly<Record<PaymentProduct, PaymentType>> = {
  'domestic-credit-transfer-BGN': 'DOMESTIC',
  'domestic-budget-transfer-BGN': 'DOMESTIC',
  'SEPA-Credit-Transfer': 'SEPA',
  'cross-border-credit-transfer': 'FOREIGN',
};

/** The product to recommend to a TPP that chose the wrong one, by payment type. */
export const productFor: Readonly<Record<PaymentType, PaymentProduct>> = {
  DOMESTIC: 'domestic-credit-transfer-BGN',
  SEPA: 'SEPA-Credit-Transfer',
  FOREIGN: 'cross-border-credit-transfer',
};
