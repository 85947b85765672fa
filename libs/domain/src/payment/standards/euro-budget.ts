import { isJsonObject, type JsonObject, getMember } from '../../form/form-checks.js';
import { isEgn } from '../../identifiers/egn.js';
import { isEik } from '../../identifiers/eik.js';
import { isPnf } from '../../identifiers/pnf.js';
import { getCountry, position13 } from '../../iban/iban.js';
import {
  type AttributeProblem,
  type BudgetAttribute,
  type BudgetForm,
  type BudgetLayout,
  readAttribute,
} from '../fields/budget-details.js';
import { euroTaxpayerTypes } from '../fields/code-tables.js';
import { creditorIdentification } from '../fields/payment-conditions.js';

type TaxpayerType = keyof typeof euroTaxpayerTypes;

const isIdentifier: Readonly<Record<TaxpayerType, (value: string) => boolean>> = {
  EIK: isEik,
  EGN: isEgn,
  PNF: isPnf,
  LNC: isPnf,
};
const isTaxpayerType = (value: unknown): value is TaxpayerType =>
  typeof value === 'string' && Object.hasOwn(isIdentifier, value);

const ended: BudgetForm = { kind: 'ended', on: '2023-10-01' };

/** The Budget Payment Details since 2023-10-01 (contract E2.5), in the order of spec 2.4. */
export const euroBudgetAttributes: readonly BudgetAttribute[] = [
  {
    name: 'regulatoryReportType',
    meaning: 'Kind of the document on which the payment is based',
    mandatory: false,
    form: ended,
  },
  {
    name: 'documentNumber',
    meaning: 'Number of the document that an authority issued',
    mandatory: false,
    form: ended,
  },
  {
    name: 'documentDate',
    meaning: 'Date of the document that an authority issued',
    mandatory: false,
    form: ended,
  },
  {
    name: 'taxpayerId',
    alias: 'taxPayerId',
    meaning:
      'Identifier of the taxpayer: EIK with 9 or 13 digits, EGN or PNF with 10; required with taxpayerType, and if position 13 of the creditor’s IBAN is 8',
    mandatory: false,
    form: { kind: 'digits', lengths: [9, 10, 13] },
  },
  {
    name: 'taxpayerType',
    alias: 'taxPayerType',
    meaning:
      'Kind of the identifier in taxpayerId; required with taxpayerId, and if position 13 of the creditor’s IBAN is 8',
    mandatory: false,
    form: { kind: 'code', codes: euroTaxpayerTypes },
  },
  {
    name: 'paymentCategory',
    meaning: 'Category of the payment; only if positions 13 and 14 of the creditor’s IBAN are 84',
    mandatory: false,
    form: { kind: 'digits', lengths: [6] },
  },
  {
    name: 'fromDate',
    meaning: 'First day of the period for which the payment is',
    mandatory: false,
    form: ended,
  },
  {
    name: 'endDate',
    meaning: 'Last day of the period for which the payment is; not before fromDate',
    mandatory: false,
    form: ended,
  },
  {
    name: 'obligedPersonName',
    meaning: 'Name of the person who owes the payment',
    mandatory: false,
    form: { kind: 'text', max: 70 },
  },
];

/** True if the creditor's account belongs to an administrator of revenue, which needs the taxpayer's identifier. */
export const needsTaxpayer = (body: JsonObject): boolean => {
  const { iban } = creditorIdentification(body);
  return iban !== undefined && getCountry(iban) === 'BG' && position13(iban) === '8';
};

/** True if positions 13 and 14 of the creditor's IBAN are 84, which is an account with payment categories. */
const hasCategories = (body: JsonObject): boolean => {
  const { iban = '' } = creditorIdentification(body);
  return iban.slice(12, 14) === '84';
};

const malformed = (text: string): AttributeProblem => ({ failure: 'fieldMalformed', text });

/** The rules between the attributes, the type of the identifier and the creditor's IBAN (contract E2.5). */
export const euroBudgetLayout: BudgetLayout = {
  attributes: euroBudgetAttributes,
  between: (name, given, { body }) => {
    const [id, type] = [given('taxpayerId'), given('taxpayerType')];
    switch (name) {
      case 'taxpayerId':
        if (id === undefined)
          return type !== undefined || needsTaxpayer(body) ? { failure: 'fieldMissing' } : undefined;
        return !isTaxpayerType(type) || isIdentifier[type](String(id))
          ? undefined
          : malformed(`This is no valid ${type}. Correct its digits or taxpayerType.`);
      case 'taxpayerType':
        return type === undefined && (id !== undefined || needsTaxpayer(body))
          ? { failure: 'fieldMissing' }
          : undefined;
      case 'paymentCategory':
        return given('paymentCategory') === undefined || hasCategories(body)
          ? undefined
          : {
              failure: 'fieldNotApplicable',
              text: 'Only an account with 84 at positions 13 and 14 of its IBAN takes a category. Remove it.',
            };
      default:
        return undefined;
    }
  },
};

/** The number of characters in front of the payment text that the identifier takes. */
export const identifierLength = 13;

/** The taxpayer's identifier as the transfer carries it, with blanks to 13 characters. Undefined if none was sent. */
export function carriedIdentifier(body: JsonObject): string | undefined {
  const details = getMember(body, 'budgetPaymentDetails');
  if (!isJsonObject(details)) return undefined;
  const [id, type] = ['taxpayerId', 'taxpayerType'].map((name) =>
    readAttribute(details, euroBudgetAttributes, name),
  );
  if (typeof id !== 'string') return undefined;
  const isForeigner = type === 'PNF' || type === 'LNC';
  return `${isForeigner ? 'LNC' : ''}${id}`.padEnd(identifierLength);
}
