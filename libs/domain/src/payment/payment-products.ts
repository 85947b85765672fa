/** The payment products of specification 2.4 and 4.5, with the names that the service returns. */
export const paymentProducts = [
  'domestic-credit-transfer-BGN',
  'domestic-budget-transfer-BGN',
  'SEPA-Credit-Transfer',
  'cross-border-credit-transfer',
] as const;
export type PaymentProduct = (typeof paymentProducts)[number];

/** The type that the service derives from the payment details (spec 1.9). */
export type PaymentType = 'DOMESTIC' | 'SEPA' | 'FOREIGN';

const spellings = new Map<string, PaymentProduct>([
  ...paymentProducts.flatMap((product): [string, PaymentProduct][] => [
    [product.toLowerCase(), product],
    [`${product.toLowerCase()}s`, product],
    [product.toLowerCase().replace('-transfer', '-transfers'), product],
  ]),
  ['cross-border-transfer', 'cross-border-credit-transfer'],
  ['cross-border-transfers', 'cross-border-credit-transfer'],
]);

/** Parses a product name in a path, ignoring case and an optional plural s (contract 1). */
export const parsePaymentProduct = (segment: string): PaymentProduct | undefined =>
  spellings.get(segment.toLowerCase());
