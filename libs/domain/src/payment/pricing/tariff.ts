import { exchange, type ExchangeRates, millionths } from '../../money/exchange.js';
import type { ChargeBearer, ServiceLevel } from '../fields/code-tables.js';
import type { MinorAmount } from '../payment-events.js';
import type { PaymentProduct } from '../payment-products.js';

/** One row of the bank's tariff; what it leaves out it does not look at. Amounts in minor units of the home currency. */
export interface FeeRow {
  readonly product: PaymentProduct;
  readonly serviceLevel?: ServiceLevel;
  readonly chargeBearer?: ChargeBearer;
  readonly fixed: number;
  /** Millionths of the amount, on top of `fixed`. */
  readonly share?: number;
  readonly least?: number;
  readonly most?: number;
}

/** The properties of a payment on which its fee depends. */
export interface FeeBasis {
  readonly product: PaymentProduct;
  readonly serviceLevel: string;
  /** Absent: the product knows no such thing. */
  readonly chargeBearer?: string;
  readonly amount: MinorAmount;
}

const fits = (row: FeeRow, basis: FeeBasis): boolean =>
  row.product === basis.product &&
  (row.serviceLevel ?? basis.serviceLevel) === basis.serviceLevel &&
  (row.chargeBearer ?? basis.chargeBearer) === basis.chargeBearer;

/**
 * What the debtor pays for the transfer itself, in minor units of the home currency (spec 1.8): the first row that fits;
 * none means free. The share is rounded half up before the bounds are laid on it.
 */
export function feeInHomeCurrency(basis: FeeBasis, tariff: readonly FeeRow[], table: ExchangeRates): number {
  const row = tariff.find((candidate) => fits(candidate, basis));
  if (row === undefined) return 0;
  const { amount: home } = exchange(basis.amount, table.homeCurrency, table) ?? { amount: basis.amount };
  const share = (BigInt(home.minor) * BigInt(row.share ?? 0) * 2n + millionths) / (2n * millionths);
  const fee = row.fixed + Number(share);
  return Math.min(Math.max(fee, row.least ?? 0), row.most ?? Number.MAX_SAFE_INTEGER);
}
