import { budgetAttributes, type BudgetForm } from '@xs2a/domain/payment/budget-details';
import {
  budgetPurposes,
  chargeBearers,
  chargeBearersOf,
  type CodeTable,
  serviceLevels,
  serviceLevelsOf,
} from '@xs2a/domain/payment/code-tables';
import { type PaymentField, paymentFields } from '@xs2a/domain/payment/payment-fields';
import type { PaymentProduct } from '@xs2a/domain/payment/payment-products';
import type { Profile } from '@xs2a/domain/profile/profile';
import { countryPattern, purposePattern } from './patterns.js';
import { date, flag, matching, object, oneOf, ref, type Schema, sentText } from './schema-parts.js';

export const address = object({
  'streetName?': sentText('Street', 70),
  'buildingNumber?': sentText('Number of the building', 70),
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
  // Each in one spelling.
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

/** The JSON Schema of each field type of spec 2.4. */
const schemaOfType = ({ type, name, path }: PaymentField, product: PaymentProduct): Schema => {
  const longest = /^Max(\d+)Text$/.exec(type)?.[1];
  if (longest !== undefined) {
    const schema = sentText(name, Number(longest));
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
      return codes(name, serviceLevels, serviceLevelsOf[product]);
    case 'ChargeBearerCode':
      return codes(name, chargeBearers, chargeBearersOf[product]);
    case 'PurposeCode':
      return codes(name, budgetPurposes, Object.keys(budgetPurposes));
    case 'BudgetPaymentDetails':
      return ref('BudgetPaymentDetails');
    default:
      return { description: name };
  }
};

/** The fields that a product's body may have, from the table of spec 2.4. */
const paymentMembers = (product: PaymentProduct): Readonly<Record<string, Schema>> =>
  Object.fromEntries(
    paymentFields
      .filter(({ rules }) => rules[product] !== 'n.a.')
      .map((field) => [
        field.rules[product] === 'mandatory' ? field.path : `${field.path}?`,
        schemaOfType(field, product),
      ]),
  );

/** One object for the payments of all products, since a client that reads alternatives may find two that fit. */
const submittedMembers = (products: readonly PaymentProduct[]): Readonly<Record<string, Schema>> =>
  Object.fromEntries(
    paymentFields.flatMap((field) => {
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
  if (field.type === 'ServiceLevelCode') return codes(field.name, serviceLevels, among(serviceLevelsOf));
  if (field.type === 'ChargeBearerCode') return codes(field.name, chargeBearers, among(chargeBearersOf));
  return schemaOfType(field, products.find((product) => !hasPurpose(product)) ?? first);
};

const bodyName = (product: PaymentProduct): string => `Payment.${product}`;
export const paymentBodySchema = ({ products }: Pick<Profile, 'products'>): Schema =>
  products.length === 1 && products[0] !== undefined
    ? ref(bodyName(products[0]))
    : { anyOf: products.map((product) => ref(bodyName(product))) };

export const paymentSchemas = (products: readonly PaymentProduct[]): Readonly<Record<string, Schema>> => ({
  ...Object.fromEntries(
    products.map((product) => [bodyName(product), object(paymentMembers(product), `Body of ${product}`)]),
  ),
  PaymentDetails: object(
    {
      ...submittedMembers(products),
      transactionStatus: ref('TransactionStatus'),
      'fundsAvailable?': flag('Was the payment covered when it was due? Absent before.'),
      paymentType: oneOf('The type that the bank chose from the details', 'DOMESTIC', 'SEPA', 'FOREIGN'),
    },
    'The payment as submitted, with what has become of it',
  ),
});
