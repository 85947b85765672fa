import type { PaymentProduct } from '../payment-products.js';

/**
 * States whether the field may be in the body of this product. Conditions between fields are in
 * payment-conditions.ts.
 */
export type FieldRule = 'mandatory' | 'optional' | 'conditional' | 'n.a.';

/** Field types of spec 2.4; payment-field-types.ts defines what each accepts. */
export type FieldType =
  | 'Max35Text'
  | 'Max70Text'
  | 'Max140Text'
  | 'Max140TextArray'
  | 'DebtorAccount'
  | 'CreditorAccount'
  | 'Amount'
  | 'CurrencyCode'
  | 'BICFI'
  | 'Address'
  | 'PurposeCode'
  | 'ChargeBearerCode'
  | 'ServiceLevelCode'
  | 'BudgetPaymentDetails'
  | 'Remittance'
  | 'ISODate'
  | 'ISODateTime';

/** A row of the field table: the name, the path in the body, the type, and the rule for each product. */
export interface PaymentField {
  readonly name: string;
  readonly path: string;
  readonly type: FieldType;
  readonly rules: Readonly<Record<PaymentProduct, FieldRule>>;
  /** What the TPP should do if the field does not apply. Default: remove the field. */
  readonly insteadOf?: string;
}

type Short = 'M' | 'O' | 'C' | '-';
const long: Readonly<Record<Short, FieldRule>> = {
  M: 'mandatory',
  O: 'optional',
  C: 'conditional',
  '-': 'n.a.',
};

const field = (
  path: string,
  name: string,
  type: FieldType,
  [budget, domestic, sepa, crossBorder]: readonly [Short, Short, Short, Short],
): PaymentField => ({
  name,
  path,
  type,
  rules: {
    'domestic-budget-transfer-BGN': long[budget],
    'domestic-credit-transfer-BGN': long[domestic],
    'SEPA-Credit-Transfer': long[sepa],
    'cross-border-credit-transfer': long[crossBorder],
    'instant-SEPA-credit-transfer': 'n.a.',
    'domestic-budget-transfer-EUR': 'n.a.',
  },
});

/**
 * The field × product table of spec 2.4 in the lev standard, in the order of the specification, in which violations are also reported.
 * Columns: domestic budget, domestic, SEPA, cross-border. M mandatory, O optional, C conditional, - not
 * applicable. The execution date is optional for all products, as spec 1.4 requires (contract 8).
 */
export const paymentFields: readonly PaymentField[] = [
  field('endToEndIdentification', 'End-to-end identification', 'Max35Text', ['O', 'O', 'O', 'O']),
  field('debtorAccount', 'Account debited', 'DebtorAccount', ['M', 'M', 'M', 'M']),
  field('ultimateDebtor', 'On whose behalf the payment is made', 'Max70Text', ['M', '-', '-', '-']),
  field('instructedAmount', 'Amount and currency', 'Amount', ['M', 'M', 'M', 'M']),
  field('creditorAccount', 'Account credited', 'CreditorAccount', ['M', 'M', 'M', 'M']),
  field('creditorAgent', 'BIC of the creditor’s bank', 'BICFI', ['O', 'O', 'O', 'O']),
  field('creditorAgentName', 'Name of the creditor’s bank', 'Max70Text', ['-', '-', '-', 'O']),
  field('creditorAgentAddress', 'Address of the creditor’s bank', 'Address', ['-', '-', '-', 'O']),
  field('creditorName', 'Name of the creditor', 'Max70Text', ['M', 'M', 'M', 'M']),
  field('creditorAddress', 'Address of the creditor', 'Address', ['O', 'O', 'O', 'M']),
  field('purposeCode', 'Marker of a budget payment', 'PurposeCode', ['M', '-', '-', '-']),
  field('chargeBearer', 'Who bears the charges', 'ChargeBearerCode', ['-', '-', 'O', 'C']),
  field('remittanceInformationUnstructured', 'Payment text', 'Max140Text', ['M', 'M', 'M', 'M']),
  field('serviceLevel', 'Service level', 'ServiceLevelCode', ['M', 'M', 'M', 'M']),
  field('budgetPaymentDetails', 'Details of a budget payment', 'BudgetPaymentDetails', ['M', '-', '-', '-']),
  field('debtorId', 'Identification of the debtor', 'Max35Text', ['-', '-', '-', '-']),
  field('transactionCurrency', 'Currency of the transaction', 'CurrencyCode', ['-', '-', '-', '-']),
  field('creditorId', 'Identification of the creditor', 'Max35Text', ['-', '-', '-', '-']),
  field('ultimateCreditor', 'Final recipient', 'Max70Text', ['-', '-', '-', '-']),
  field('remittanceInformationUnstructuredArray', 'Payment texts', 'Max140TextArray', ['-', '-', '-', '-']),
  field('remittanceInformationStructured', 'Structured reference', 'Remittance', ['-', '-', '-', '-']),
  field('requestedExecutionDate', 'Day of execution', 'ISODate', ['O', 'O', 'O', 'O']),
  field('requestedExecutionTime', 'Time of execution', 'ISODateTime', ['-', '-', '-', '-']),
];

/** The body members that the table allows. */
export const paymentPaths: readonly string[] = paymentFields.map(({ path }) => path);

/** The field table with one field marked as not applicable for all products and given this advice. */
export const withoutField = (
  fields: readonly PaymentField[],
  path: string,
  insteadOf: string,
): readonly PaymentField[] =>
  fields.map((one) => {
    if (one.path !== path) return one;
    const { rules } = field(path, one.name, one.type, ['-', '-', '-', '-']);
    return { ...one, rules, insteadOf };
  });
