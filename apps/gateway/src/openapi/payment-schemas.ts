import { budgetAttributes, type BudgetForm } from '@xs2a/domain/payment/budget-details';
import {
  budgetPurposes,
  chargeBearersOf,
  type CodeTable,
  serviceLevelsOf,
} from '@xs2a/domain/payment/code-tables';
import { type FieldType, paymentFields } from '@xs2a/domain/payment/payment-fields';
import type { PaymentProduct } from '@xs2a/domain/payment/payment-products';
import type { Profile } from '@xs2a/domain/profile/profile';
import { date, flag, object, oneOf, ref, type Schema, text } from './schema-parts.js';

export const address = object({
  'streetName?': text('Street', 70),
  'buildingNumber?': text('Number of the building', 70),
  'townName?': text('Town', 70),
  'postCode?': text('Postal code', 70),
  country: { type: 'string', pattern: '^[A-Z]{2}$', description: 'ISO 3166 code.' },
});

const schemaOfBudgetForm = (form: BudgetForm, name: string): Schema => {
  switch (form.kind) {
    case 'code':
      return oneOf(meanings(name, form.codes), ...Object.keys(form.codes));
    case 'text':
      return text(name, form.max);
    case 'digits':
      return { type: 'string', pattern: `^[0-9]{${form.length}}$`, description: name };
    case 'date':
      return date(name);
  }
};
const meanings = (name: string, codes: CodeTable): string =>
  `${name}: ${Object.entries(codes)
    .map(([code, meaning]) => `${code} ${meaning}`)
    .join('; ')}`;

export const budgetPaymentDetails = object(
  Object.fromEntries(
    budgetAttributes.flatMap(({ name, alias, mandatory, form }) =>
      [name, ...(alias === undefined ? [] : [alias])].map((spelling) => [
        mandatory ? spelling : `${spelling}?`,
        schemaOfBudgetForm(form, spelling),
      ]),
    ),
  ),
);

/** What each type of spec 2.4 is on the wire. */
const schemaOfType = (type: FieldType, name: string, product: PaymentProduct): Schema => {
  const longest = /^Max(\d+)Text$/.exec(type)?.[1];
  if (longest !== undefined) return text(name, Number(longest));
  switch (type) {
    case 'DebtorAccount':
      return ref('AccountReference');
    case 'CreditorAccount':
      return ref('CreditorAccount');
    case 'Amount':
      return ref('InstructedAmount');
    case 'BICFI':
      return { type: 'string', pattern: '^[A-Z0-9]{8}([A-Z0-9]{3})?$', description: name };
    case 'Address':
      return ref('Address');
    case 'ISODate':
      return date(name);
    case 'ServiceLevelCode':
      return oneOf(name, ...serviceLevelsOf[product]);
    case 'ChargeBearerCode':
      return oneOf(name, ...chargeBearersOf[product]);
    case 'PurposeCode':
      return oneOf(name, ...Object.keys(budgetPurposes));
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
      .map(({ path, name, type, rules }) => [
        rules[product] === 'mandatory' ? path : `${path}?`,
        schemaOfType(type, name, product),
      ]),
  );

const bodyName = (product: PaymentProduct): string => `Payment.${product}`;
export const paymentBodySchema = ({ products }: Pick<Profile, 'products'>): Schema =>
  products.length === 1 && products[0] !== undefined
    ? ref(bodyName(products[0]))
    : { anyOf: products.map((product) => ref(bodyName(product))) };

export const paymentSchemas = (products: readonly PaymentProduct[]): Readonly<Record<string, Schema>> => ({
  ...Object.fromEntries(
    products.map((product) => [bodyName(product), object(paymentMembers(product), `Body of ${product}`)]),
  ),
  ...Object.fromEntries(
    products.map((product) => [
      `PaymentDetails.${product}`,
      object(
        {
          ...paymentMembers(product),
          transactionStatus: ref('TransactionStatus'),
          'fundsAvailable?': flag('Was the payment covered when it was due? Absent before.'),
          paymentType: oneOf('The type that the bank chose from the details', 'DOMESTIC', 'SEPA', 'FOREIGN'),
        },
        `${product} as submitted, with what has become of it`,
      ),
    ]),
  ),
  PaymentDetails:
    products.length === 1
      ? ref(`PaymentDetails.${products[0]}`)
      : { anyOf: products.map((product) => ref(`PaymentDetails.${product}`)) },
});
