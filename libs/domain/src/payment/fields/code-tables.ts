import type { PaymentProduct } from '../payment-products.js';

/** The codes of a standard, with the meaning of each. */
export type CodeTable = Readonly<Record<string, string>>;

/** Service Level Code (spec 2.4). */
export const serviceLevels = {
  SEPA: 'SEPA payment',
  URGP: 'payment through the RTGS system',
  NURG: 'payment through the national clearing system',
  SDVA: 'cross-border, same-day value to the creditor',
  NEXT: 'cross-border, value on the next working day',
  SPOT: 'cross-border, spot working day value',
} as const satisfies CodeTable;
export type ServiceLevel = keyof typeof serviceLevels;

/** The service levels that a product accepts (contract 8, E2.2). */
export const serviceLevelsByProduct: Readonly<Record<PaymentProduct, readonly ServiceLevel[]>> = {
  'domestic-credit-transfer-BGN': ['NURG', 'URGP'],
  'domestic-budget-transfer-BGN': ['NURG', 'URGP'],
  'SEPA-Credit-Transfer': ['SEPA'],
  'cross-border-credit-transfer': ['SDVA', 'NEXT', 'SPOT', 'URGP'],
  'instant-SEPA-credit-transfer': ['SEPA'],
  'domestic-budget-transfer-EUR': ['SEPA'],
};

/** Charge Bearer Code (spec 2.4). */
export const chargeBearers = {
  DEBT: 'borne by the debtor',
  CRED: 'borne by the creditor',
  SHAR: 'shared',
  SLEV: 'according to the service level (SEPA payments)',
} as const satisfies CodeTable;
export type ChargeBearer = keyof typeof chargeBearers;

/** The charge bearers that a product accepts. Empty if the field does not apply to the product (contract 8, E2.2). */
export const chargeBearersByProduct: Readonly<Record<PaymentProduct, readonly ChargeBearer[]>> = {
  'domestic-credit-transfer-BGN': [],
  'domestic-budget-transfer-BGN': [],
  'SEPA-Credit-Transfer': ['SLEV'],
  'cross-border-credit-transfer': ['DEBT', 'CRED', 'SHAR'],
  'instant-SEPA-credit-transfer': ['SLEV'],
  'domestic-budget-transfer-EUR': ['SLEV'],
};

/** Purpose Code: the constant that marks a budget payment (spec 2.4). */
export const budgetPurposes = { GOVT: 'budget payment' } as const satisfies CodeTable;

/** Regulatory Report Type (spec 2.4). */
export const regulatoryReportTypes = {
  '1': 'declaration',
  '2': 'inspection act',
  '3': 'penalty decree',
  '4': 'advance payment',
  '5': 'batch property number',
  '6': 'enforced collection order',
  '9': 'others',
} as const satisfies CodeTable;

/** Tax Type Code (spec 2.4). */
export const taxpayerTypes = {
  EGN: 'personal id',
  EIK: 'corporate id',
  PNF: 'foreign person id',
} as const satisfies CodeTable;

/** The same since the euro: LNC, the Bulgarian abbreviation, is PNF too (contract E2.5). */
export const euroTaxpayerTypes = {
  ...taxpayerTypes,
  LNC: 'foreign person id, as PNF',
} as const satisfies CodeTable;

/** Payment Category Code (spec 2.4). */
export const paymentCategories = {
  '110000': 'tax authority',
  '551111': 'social security',
  '561111': 'health insurance fund',
  '581111': 'supplementary pension',
} as const satisfies CodeTable;

/** True if the table contains the code. */
export const isCodeIn = (table: CodeTable, value: unknown): value is string =>
  typeof value === 'string' && Object.hasOwn(table, value);
