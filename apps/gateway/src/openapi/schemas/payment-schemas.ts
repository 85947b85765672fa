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
import type { FieldRule, PaymentField } from '@xs2a/domain/payment/fields/payment-fields';
import type { PaymentProduct } from '@xs2a/domain/payment/payment-products';
import type { PaymentService } from '@xs2a/domain/payment/payment-services';
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

/** An address as submitted under this standard or the one before it, whose limits are wider. */
export const submittedAddress = ({ lines }: AddressForm, before: AddressForm): Schema => {
  const { not: _not, ...schema } = addressSchema({ ...before, lines });
  return schema;
};

/** Budget details as submitted under this standard or the one before it. */
export const submittedBudgetDetails = (
  attributes: readonly BudgetAttribute[],
  before: readonly BudgetAttribute[],
): Schema =>
  budgetDetailsSchema(
    attributes.map((attribute) => {
      const former = before.find(({ name }) => name === attribute.name);
      const { form } = attribute.form.kind === 'ended' ? (former ?? attribute) : attribute;
      return { ...attribute, form, mandatory: false };
    }),
  );

/** The schema of an attribute; none if the attribute has ended. */
const schemaOfBudgetForm = (form: BudgetForm, meaning: string): Schema | undefined => {
  switch (form.kind) {
    case 'code':
      return oneOf(meanings(meaning, form.codes), ...Object.keys(form.codes));
    case 'text':
      return sentText(meaning, form.max);
    case 'digits':
      return matching(meaning, digitsPattern(form.lengths));
    case 'date':
      return date(meaning);
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
      attributes.flatMap(({ name, alias, mandatory, form, meaning }) =>
        [name, ...(alias === undefined ? [] : [alias])].flatMap((spelling) => {
          const words = spelling === name ? meaning : `Other spelling of ${name}; send only one of the two`;
          const schema = schemaOfBudgetForm(form, words);
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

/** Payments that were submitted under a standard, with its table of their fields. */
export interface Submitted {
  readonly products: readonly PaymentProduct[];
  readonly standard: PaymentStandard;
  readonly fields: readonly PaymentField[];
}

/**
 * One schema for the payments of all products rather than a `oneOf`: a payment could match two of the variants, and a
 * client would then reject it or pick the wrong one. `previous`: payments of the previous standard, which are read
 * too.
 */
export const submittedMembers = (
  current: Submitted,
  previous?: Submitted,
): Readonly<Record<string, Schema>> => {
  const all = previous === undefined ? [current] : [current, previous];
  const rulesOf = (path: string): FieldRule[] =>
    all.flatMap(({ fields, products }) =>
      products.map((product) => fields.find((one) => one.path === path)?.rules[product] ?? 'n.a.'),
    );
  return Object.fromEntries(
    current.fields.flatMap((field) => {
      const own = all.flatMap(({ fields, products }) =>
        products.filter((product) =>
          fields.some((one) => one.path === field.path && one.rules[product] !== 'n.a.'),
        ),
      );
      if (own.length === 0) return [];
      const isAlways = rulesOf(field.path).every((rule) => rule === 'mandatory');
      return [[isAlways ? field.path : `${field.path}?`, submittedSchema(field, own, current.standard)]];
    }),
  );
};

const submittedSchema = (
  field: PaymentField,
  products: readonly PaymentProduct[],
  standard: PaymentStandard,
): Schema => {
  const among = (of: Readonly<Record<PaymentProduct, readonly string[]>>): string[] => [
    ...new Set(products.flatMap((product) => of[product])),
  ];
  if (field.type === 'ServiceLevelCode')
    return codes(field.name, serviceLevels, among(serviceLevelsByProduct));
  if (field.type === 'ChargeBearerCode')
    return codes(field.name, chargeBearers, among(chargeBearersByProduct));
  if (standard.previous !== undefined && field.type === 'Address') return ref('SubmittedAddress');
  if (standard.previous !== undefined && field.type === 'BudgetPaymentDetails')
    return ref('SubmittedBudgetPaymentDetails');
  const [first = standard.periodicProduct] = products;
  const freest = products.find((product) => !standard.purposeCodeProducts.includes(product)) ?? first;
  return schemaOfType(field, freest, standard);
};

/** The payments of a service under a standard and, if there is one, under the standard before it. */
export const submittedUnder = (
  service: PaymentService,
  products: readonly PaymentProduct[],
  standard: PaymentStandard,
  fieldsOf: (standard: PaymentStandard) => readonly PaymentField[],
): [Submitted, Submitted?] => {
  const current = { products, standard, fields: fieldsOf(standard) };
  const { previous } = standard;
  return previous === undefined
    ? [current]
    : [
        current,
        { products: previous.productsByService[service], standard: previous, fields: fieldsOf(previous) },
      ];
};

/** The amount that GET adds to a payment from before the switch-over to euro. */
export const describeConverted = ({ closedProducts }: PaymentStandard): Readonly<Record<string, Schema>> =>
  Object.keys(closedProducts).length === 0 ? {} : { 'convertedAmount?': ref('Amount') };

/** The fields that GET adds to the body of a payment, a periodic order or a bulk payment. */
export const describeStatusAfter = (
  status: string,
  standard: PaymentStandard,
): Readonly<Record<string, Schema>> => ({
  transactionStatus: ref(status),
  'fundsAvailable?': flag('Whether the payment was covered when it was due; absent until then.'),
  ...describeConverted(standard),
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
    {
      ...submittedMembers(...submittedUnder('payments', products, standard, ({ fields }) => fields)),
      ...describeStatusAfter('TransactionStatus', standard),
    },
    'The payment as submitted, and its current state',
  ),
});
