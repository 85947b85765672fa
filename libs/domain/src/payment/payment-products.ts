/** The payment products of specification 2.4 and 4.5 in the lev standard, with the names that the service returns. */
export const levProducts = [
  'domestic-credit-transfer-BGN',
  'domestic-budget-transfer-BGN',
  'SEPA-Credit-Transfer',
  'cross-border-credit-transfer',
] as const;

/** The payment products of the euro standard (contract E1.4). */
export const euroProducts = [
  'SEPA-Credit-Transfer',
  'instant-SEPA-credit-transfer',
  'domestic-budget-transfer-EUR',
  'cross-border-credit-transfer',
] as const;
export type LevProduct = (typeof levProducts)[number];
export type EuroProduct = (typeof euroProducts)[number];
export type PaymentProduct = LevProduct | EuroProduct;

/** The products of every standard. */
export const paymentProducts: readonly PaymentProduct[] = [...new Set([...levProducts, ...euroProducts])];

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

/**
 * Parses a product name in a path, ignoring case and an optional plural s (contract 1). `aliases`: further names, in
 * lower case.
 */
export const parsePaymentProduct = (
  segment: string,
  aliases: Readonly<Record<string, PaymentProduct>> = {},
): PaymentProduct | undefined => {
  const name = segment.toLowerCase();
  return Object.hasOwn(aliases, name) ? aliases[name] : spellings.get(name);
};
