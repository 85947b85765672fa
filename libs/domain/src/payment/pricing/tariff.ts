import { exchange, type ExchangeRates, millionths } from '../../money/exchange.js';
import type { ChargeBearer, ServiceLevel } from '../fields/code-tables.js';
import type { MinorAmount } from '../payment-events.js';
import type { PaymentProduct } from '../payment-products.js';

/**
 * A row in the bank's tariff. An absent member matches every payment. Amounts are in minor units of the home
 * currency.
 */
export interface FeeRow {
  readonly product: PaymentProduct;
  readonly serviceLevel?: ServiceLevel;
  readonly chargeBearer?: ChargeBearer;
  readonly fixed: number;
  /** The proportional part of the fee, in millionths of the amount, which is added to `fixed`. */
  readonly share?: number;
  readonly least?: number;
  readonly most?: number;
}

/** The properties of a payment that determine its fee. */
export interface FeeBasis {
  readonly product: PaymentProduct;
  readonly serviceLevel: string;
  /** Absent if the product has no charge bearer. */
  readonly chargeBearer?: string;
  readonly amount: MinorAmount;
}

const fits = (row: FeeRow, basis: Omit<FeeBasis, 'amount'>): boolean =>
  row.product === basis.product &&
  (row.serviceLevel ?? basis.serviceLevel) === basis.serviceLevel &&
  (row.chargeBearer ?? basis.chargeBearer) === basis.chargeBearer;

/** The first row of the tariff that matches a payment. */
export const tariffRow = (basis: Omit<FeeBasis, 'amount'>, tariff: readonly FeeRow[]): FeeRow | undefined =>
  tariff.find((candidate) => fits(candidate, basis));

/**
 * The fee for a transfer in minor units of the home currency (spec 1.8), from the first matching row; 0 if no row
 * matches. The proportional part is rounded half up before the minimum and maximum are applied.
 */
export function feeInHomeCurrency(basis: FeeBasis, tariff: readonly FeeRow[], table: ExchangeRates): number {
  const row = tariffRow(basis, tariff);
  if (row === undefined) return 0;
  const { amount: home } = exchange(basis.amount, table.homeCurrency, table) ?? { amount: basis.amount };
  const share = (BigInt(home.minor) * BigInt(row.share ?? 0) * 2n + millionths) / (2n * millionths);
  const fee = row.fixed + Number(share);
  return Math.min(Math.max(fee, row.least ?? 0), row.most ?? Number.MAX_SAFE_INTEGER);
}
