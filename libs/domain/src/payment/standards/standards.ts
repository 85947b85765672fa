import { euro } from './euro.js';
import { lev } from './lev.js';
import type { PaymentStandard } from './payment-standard.js';
import type { StandardName } from './standard-name.js';

export const paymentStandards: Readonly<Record<StandardName, PaymentStandard>> = { lev, euro };

/** The part of a profile that names its standard. */
export interface OfStandard {
  readonly standard: StandardName;
}

/** The standard of a profile. */
export const standardOf = ({ standard }: OfStandard): PaymentStandard => paymentStandards[standard];

/** Derives a value from each standard once. */
export function byStandard<T>(derive: (standard: PaymentStandard) => T): (standard: PaymentStandard) => T {
  const derived = new Map(Object.values(paymentStandards).map((one) => [one, derive(one)]));
  return (standard) => derived.get(standard) ?? derive(standard);
}
