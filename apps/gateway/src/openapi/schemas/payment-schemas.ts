import type { AddressForm } from '@xs2a/domain/payment/fields/address';
import type { BudgetAttribute, BudgetForm } from '@xs2a/domain/payment/fields/budget-details';
import {
  budgetPurposes,
  chargeBearers,
  chargeBearersByProduct,
  type CodeTable,
  serviceLevels,
  serviceLevelsByProduct,
} from '@xs2a/domain/payment/fields/code-tables';
import type { PaymentField } from '@xs2a/domain/payment/fields/payment-fields';
import type { PaymentProduct } from '@xs2a/domain/payment/payment-products';
import type { PaymentStandard } from '@xs2a/domain/payment/standards/payment-standard';
import { countryPattern, purposePattern } from './patterns.js';
import { date, flag, listOf, matching, object, oneOf, ref, type Schema, sentText } from './schema-parts.js';

const addressNames = {
  streetName: 'Street',
  buildingNumber: 'Building number',
  townName: 'Town',
  postCode: 'Postal code',
} as const;

/** An address; lines of text exclude street and building number. */
export const addressSchema = ({ parts, lines }: AddressForm): Schema => ({
  ...object({
    ...Object.fromEntries(
      parts.map(({ name, max, mandatory }) => [
        mandatory ? name : `${name}?`,
        sentText(addressNames[name], max),
      ]),
    ),
    ...(lines === undefined
      ? {}
      : {
          'addressLine?': {
            ...listOf(sentText('Line', lines.max), 'In place of street and building number'),
            minItems: 1,
            maxItems: lines.most,
          },
        }),
    country: matching('ISO 3166 code.', countryPattern),
  }),
  ...(lines === undefined
    ? {}
    : {
        not: {
          anyOf: ['streetName', 'buildingNumber'].map((name) => ({ required: ['addressLine', name] })),
        },
      }),
});

/** The schema of an attribute; none if the attribute has ended. */
const schemaOfBudgetForm = (form: BudgetForm, name: string): Schema | undefined => {
  switch (form.kind) {
    case 'code':
      return oneOf(meanings(name, form.codes), ...Object.keys(form.codes));
    case 'text':
      return sentText(name, form.max);
    case 'digits':
      return matching(name, digitsPattern(form.lengths));
    case 'date':
      return date(name);
    case 'ended':
      return undefined;
  }
};
const digitsPattern = (lengths: readonly number[]): string => {
  const forms = lengths.map((length) => `[0-9]{${length}}`);
  return forms.length === 1 ? `^${forms.join('')}$` : `^(?:${forms.join('|')})$`;
};
const meanings = (name: string, codes: CodeTable, among = Object.keys(codes)): string =>
  `${name}: ${among.map((code) => `${code} ${codes[code]}`).join('; ')}`;

export const budgetDetailsSchema = (attributes: readonly BudgetAttribute[]): Schema => ({
  ...object(
    Object.fromEntries(
      attributes.flatMap(({ name, alias, mandatory, form }) =>
        [name, ...(alias === undefined ? [] : [alias])].flatMap((spelling) => {
          const schema = schemaOfBudgetForm(form, spelling);
          return schema === undefined ? [] : [[mandatory ? spelling : `${spelling}?`, schema]];
        }),
      ),
    ),
  ),
  // Allows only one spelling of each field.
  not: {
    anyOf: attributes.flatMap(({ name, alias }) =>
      alias === undefined ? [] : [{ required: [name, alias] }],
    ),
  },
});

const purposeText = 'begins with a purpose code: <code>%%<text>, or <code>%<reference number>%<text>';

const codes = (name: string, table: CodeTable, among: readonly string[]): Schema =>
  oneOf(meanings(name, table, [...among]), ...among);

/** The JSON Schema for each field type of spec 2.4. */
const schemaOfType = (
  { type, name, path }: PaymentField,
  product: PaymentProduct,
  { purposeCodeProducts }: PaymentStandard,
): Schema => {
  const maxLength = /^Max(\d+)Text$/.exec(type)?.[1];
  if (maxLength !== undefined) {
    const schema = sentText(name, Number(maxLength));
    return path === 'remittanceInformationUnstructured' && purposeCodeProducts.includes(product)
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
  standard: PaymentStandard,
  fields: readonly PaymentField[] = standard.fields,
): Readonly<Record<string, Schema>> =>
  Object.fromEntries(
    fields
      .filter(({ rules }) => rules[product] !== 'n.a.')
      .map((field) => [
        field.rules[product] === 'mandatory' ? field.path : `${field.path}?`,
        schemaOfType(field, product, standard),
      ]),
  );

/**
 * One schema for the payments of all products rather than a `oneOf`: a payment could match two of the variants, and a
 * client would then reject it or pick the wrong one.
 */
export const submittedMembers = (
  products: readonly PaymentProduct[],
  standard: PaymentStandard,
  fields: readonly PaymentField[] = standard.fields,
): Readonly<Record<string, Schema>> =>
  Object.fromEntries(
    fields.flatMap((field) => {
      const own = products.filter((product) => field.rules[product] !== 'n.a.');
      const [first] = own;
      if (first === undefined) return [];
      const isAlways = products.every((product) => field.rules[product] === 'mandatory');
      return [[isAlways ? field.path : `${field.path}?`, submittedSchema(field, own, first, standard)]];
    }),
  );

const submittedSchema = (
  field: PaymentField,
  products: readonly PaymentProduct[],
  first: PaymentProduct,
  standard: PaymentStandard,
): Schema => {
  const among = (of: Readonly<Record<PaymentProduct, readonly string[]>>): string[] => [
    ...new Set(products.flatMap((product) => of[product])),
  ];
  if (field.type === 'ServiceLevelCode')
    return codes(field.name, serviceLevels, among(serviceLevelsByProduct));
  if (field.type === 'ChargeBearerCode')
    return codes(field.name, chargeBearers, among(chargeBearersByProduct));
  const { purposeCodeProducts } = standard;
  const freest = products.find((product) => !purposeCodeProducts.includes(product)) ?? first;
  return schemaOfType(field, freest, standard);
};

/** The fields that GET adds to the body of a payment, a periodic order or a bulk payment. */
export const describeStatusAfter = (status: string): Readonly<Record<string, Schema>> => ({
  transactionStatus: ref(status),
  'fundsAvailable?': flag('Whether the payment was covered when it was due; absent until then.'),
  paymentType: oneOf('The type that the bank chose from the details', 'DOMESTIC', 'SEPA', 'FOREIGN'),
});

export const paymentSchemas = (
  products: readonly PaymentProduct[],
  standard: PaymentStandard,
): Readonly<Record<string, Schema>> => ({
  ...Object.fromEntries(
    products.map((product) => [
      `Payment.${product}`,
      object(paymentMembers(product, standard), `Body of ${product}`),
    ]),
  ),
  PaymentDetails: object(
    { ...submittedMembers(products, standard), ...describeStatusAfter('TransactionStatus') },
    'The payment as submitted, and its current state',
  ),
});
