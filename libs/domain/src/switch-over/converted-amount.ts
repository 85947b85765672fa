import { getMember, isJsonObject } from '../form/form-checks.js';
import type { MinorAmount } from '../payment/payment-events.js';
import { listOrders, type PaymentState } from '../payment/payment-state.js';

const isSubmittedInLeva = (body: unknown): boolean => {
  const amount = isJsonObject(body) ? getMember(body, 'instructedAmount') : undefined;
  return isJsonObject(amount) && getMember(amount, 'currency') === 'BGN';
};

/**
 * Returns, for the order or each entry of a bulk payment, the amount in euro to which its amount in leva was converted
 * (contract E6.4). Undefined where the amount was submitted in another currency, and empty if the payment was not
 * converted.
 */
export const convertedAmounts = (payment: PaymentState): readonly (MinorAmount | undefined)[] => {
  const { body, service, convertedAt } = payment;
  if (convertedAt === undefined) return [];
  const entries = service === 'bulk-payments' ? getMember(body, 'payments') : [body];
  return listOrders(payment).map(({ amount }, index) =>
    Array.isArray(entries) && isSubmittedInLeva(entries[index]) ? amount : undefined,
  );
};
