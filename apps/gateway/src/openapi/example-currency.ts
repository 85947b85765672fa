import type { PaymentStandard } from '@xs2a/domain/payment/standards/payment-standard';
import { lev } from '@xs2a/domain/payment/standards/lev';

/**
 * Copies a part of the document and writes the examples, which are in leva, in the home currency of the standard: the
 * currency and the product in paths.
 */
export const withExamplesIn = <Part>(part: Part, standard: PaymentStandard): Part => {
  const from = [lev.periodicProduct, lev.homeCurrency] as const;
  const to = [standard.periodicProduct, standard.homeCurrency] as const;
  const inStandard = (text: string): string => text.replaceAll(from[0], to[0]).replaceAll(from[1], to[1]);
  const at = (value: unknown, isExample: boolean): unknown => {
    if (typeof value === 'string') return isExample ? inStandard(value) : value;
    if (Array.isArray(value)) return value.map((item) => at(item, isExample));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, inner]) => [
        name,
        at(inner, isExample || name === 'example' || name === 'examples'),
      ]),
    );
  };
  return at(part, false) as Part;
};
