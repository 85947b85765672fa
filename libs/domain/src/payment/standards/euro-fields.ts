import { type FieldRule, type PaymentField, paymentFields } from '../fields/payment-fields.js';
import type { PaymentProduct } from '../payment-products.js';

type Short = 'M' | 'O' | 'C';
const long: Readonly<Record<Short | '-', FieldRule>> = {
  M: 'mandatory',
  O: 'optional',
  C: 'conditional',
  '-': 'n.a.',
};
type Row = readonly [budget: Short | '-', sepa: Short | '-', instant: Short | '-', crossBorder: Short | '-'];

/** The rules that differ by product (contract E2.2). A field that is not listed applies to no product. */
const rows: Readonly<Record<string, Row>> = {
  endToEndIdentification: ['O', 'O', 'O', 'O'],
  debtorAccount: ['M', 'M', 'M', 'M'],
  ultimateDebtor: ['O', '-', '-', '-'],
  instructedAmount: ['M', 'M', 'M', 'M'],
  creditorAccount: ['M', 'M', 'M', 'M'],
  creditorAgent: ['O', 'O', 'O', 'O'],
  creditorAgentName: ['-', '-', '-', 'O'],
  creditorAgentAddress: ['-', '-', '-', 'O'],
  creditorName: ['M', 'M', 'M', 'M'],
  creditorAddress: ['O', 'O', 'O', 'M'],
  purposeCode: ['O', '-', '-', '-'],
  chargeBearer: ['O', 'O', 'O', 'C'],
  remittanceInformationUnstructured: ['C', 'M', 'M', 'M'],
  serviceLevel: ['O', 'O', 'O', 'M'],
  budgetPaymentDetails: ['C', '-', '-', '-'],
  requestedExecutionDate: ['O', 'O', 'O', 'O'],
};
const columns: readonly PaymentProduct[] = [
  'domestic-budget-transfer-EUR',
  'SEPA-Credit-Transfer',
  'instant-SEPA-credit-transfer',
  'cross-border-credit-transfer',
];

/** The field × product table of the euro standard, with the fields and the order of spec 2.4. */
export const euroFields: readonly PaymentField[] = paymentFields.map((field) => {
  const row = rows[field.path];
  const rules = Object.fromEntries(
    Object.keys(field.rules).map((product) => [
      product,
      long[row?.[columns.findIndex((column) => column === product)] ?? '-'],
    ]),
  );
  return { ...field, rules: rules as typeof field.rules };
});
