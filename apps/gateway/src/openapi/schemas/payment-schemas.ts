import { budgetAttributes, type BudgetForm } from '@xs2a/domain/payment/fields/budget-details';
import {
  budgetPurposes,
  chargeBearers,
  chargeBearersByProduct,
  type CodeTable,
  serviceLevels,
  serviceLevelsByProduct,
} from '@xs2a/domain/payment/fields/code-tables';
import { type PaymentField, paymentFields } from '@xs2a/domain/payment/fields/payment-fields';
import type { PaymentProduct } from '@xs2a/domain/payment/payment-products';
import { countryPattern, purposePattern } from './patterns.js';
import { date, flag, matching, object, oneOf, ref, type Schema, sentText } from './schema-parts.js';

export const address = object({
  'streetName?': sentText('Street', 70),
  'buildingNumber?': sentText('Building number', 70),
  'townName?': sentText('Town', 70),
  'postCode?': sentText('Postal code', 70),
  country: matching('ISO 3166 code.', countryPattern),
});

const schemaOfBudgetForm = (form: BudgetForm, name: string): Schema => {
  switch (form.kind) {
    case 'code':
      return oneOf(meanings(name, form.codes), ...Object.keys(form.codes));
    case 'text':
      return sentText(name, form.max);
    case 'digits':
      return matching(name, `^[0-9]{${form.length}}$`);
    case 'date':
      return date(name);
  }
};
const meanings = (name: string, codes: CodeTable, among = Object.keys(codes)): string =>
  `${name}: ${among.map((code) => `${code} ${codes[code]}`).join('; ')}`;

export const budgetPaymentDetails: Schema = {
  ...object(
    Object.fromEntries(
      budgetAttributes.flatMap(({ name, alias, mandatory, form }) =>
        [name, ...(alias === undefined ? [] : [alias])].map((spelling) => [
          mandatory ? spelling : `${spelling}?`,
          schemaOfBudgetForm(form, spelling),
        ]),
      ),
    ),
  ),
  // Allows only one spelling of each field.
  not: {
    anyOf: budgetAttributes.flatMap(({ name, alias }) =>
      alias === undefined ? [] : [{ required: [name, alias] }],
    ),
  },
};

const hasPurpose = (product: PaymentProduct): boolean =>
  product === 'SEPA-Credit-Transfer' || product === 'cross-border-credit-transfer';
const purposeText = 'begins with a purpose code: <code>%%<text>, or <code>%<reference number>%<text>';

const codes = (name: string, table: CodeTable, among: readonly string[]): Schema =>
  oneOf(meanings(name, table, [...among]), ...among);

/** The JSON Schema for each field type of spec 2.4. */
const schemaOfType = ({ type, name, path }: PaymentField, product: PaymentProduct): Schema => {
  const maxLength = /^Max(\d+)Text$/.exec(type)?.[1];
  if (maxLength !== undefined) {
    const schema = sentText(name, Number(maxLength));
    return path === 'remittanceInformationUnstructured' && hasPurpose(product)
      ? { ...schema, description: `${name}; ${purposeText}`, pattern: purposePattern }
      : schema;
  }
  switch (type) {
    case 'DebtorAccount':
      return ref('AccountReference');
    case 'CreditorAccount':
      return ref('CreditorAccount');
    case 'Amount':
      return ref('InstructedAmount');
    case 'BICFI':
      return ref('BICFI');
    case 'Address':
      return ref('Address');
    case 'ISODate':
      return date(name);
    case 'ServiceLevelCode':
      return codes(name, serviceLevels, serviceLevelsByProduct[product]);
    case 'ChargeBearerCode':
      return codes(name, chargeBearers, chargeBearersByProduct[product]);
    case 'PurposeCode':
      return codes(name, budgetPurposes, Object.keys(budgetPurposes));
    case 'BudgetPaymentDetails':
      return ref('BudgetPaymentDetails');
    default:
      return { description: name };
  }
};

/** The fields of a product's request body, from the table of spec 2.4 or from a table derived from it. */
export const paymentMembers = (
  product: PaymentProduct,
  fields: readonly PaymentField[] = paymentFields,
): Readonly<Record<string, Schema>> =>
  Object.fromEntries(
    fields
      .filter(({ rules }) => rules[product] !== 'n.a.')
      .map((field) => [
        field.rules[product] === 'mandatory' ? field.path : `${field.path}?`,
        schemaOfType(field, product),
      ]),
  );

/**
 * One schema for the payments of all products rather than a `oneOf`: a payment could match two of the variants, and a
 * client would then reject it or pick the wrong one.
 */
export const submittedMembers = (
  products: readonly PaymentProduct[],
  fields: readonly PaymentField[] = paymentFields,
): Readonly<Record<string, Schema>> =>
  Object.fromEntries(
    fields.flatMap((field) => {
      const own = products.filter((product) => field.rules[product] !== 'n.a.');
      const [first] = own;
      if (first === undefined) return [];
      const isAlways = products.every((product) => field.rules[product] === 'mandatory');
      return [[isAlways ? field.path : `${field.path}?`, submittedSchema(field, own, first)]];
    }),
  );

const submittedSchema = (
  field: PaymentField,
  products: readonly PaymentProduct[],
  first: PaymentProduct,
): Schema => {
  const among = (of: Readonly<Record<PaymentProduct, readonly string[]>>): string[] => [
    ...new Set(products.flatMap((product) => of[product])),
  ];
  if (field.type === 'ServiceLevelCode')
    return codes(field.name, serviceLevels, among(serviceLevelsByProduct));
  if (field.type === 'ChargeBearerCode')
    return codes(field.name, chargeBearers, among(chargeBearersByProduct));
  return schemaOfType(field, products.find((product) => !hasPurpose(product)) ?? first);
};

/** The fields that GET adds to the body of a payment, a periodic order or a bulk payment. */
export const describeStatusAfter = (status: string): Readonly<Record<string, Schema>> => ({
  transactionStatus: ref(status),
  'fundsAvailable?': flag('Whether the payment was covered when it was due; absent until then.'),
  paymentType: oneOf('The type that the bank chose from the details', 'DOMESTIC', 'SEPA', 'FOREIGN'),
});

export const paymentSchemas = (products: readonly PaymentProduct[]): Readonly<Record<string, Schema>> => ({
  ...Object.fromEntries(
    products.map((product) => [`Payment.${product}`, object(paymentMembers(product), `Body of ${product}`)]),
  ),
  PaymentDetails: object(
    { ...submittedMembers(products), ...describeStatusAfter('TransactionStatus') },
    'The payment as submitted, and its current state',
  ),
});
