import { type Failure, fail } from '../failure/failures.js';
import { isJsonObject, memberOf, unknownMembers } from '../form/form-checks.js';
import { isMaxText } from '../text/text.js';
import { isIsoDate } from '../time/bank-calendar.js';
import { isCodeOf, paymentCategories, regulatoryReportTypes, taxpayerTypes } from './code-tables.js';

interface Attribute {
  readonly name: string;
  /** Another spelling that TPPs use (contract 8). */
  readonly alias?: string;
  readonly mandatory: boolean;
  readonly admits: (value: unknown) => boolean;
  readonly hint: string;
}

const dateHint = 'Send a day that exists as YYYY-MM-DD.';
const oneOf = (table: object): string => `Send one of ${Object.keys(table).join(', ')}.`;

/** Budget Payment Details of spec 2.4, one row an attribute, in its order. */
const attributes: readonly Attribute[] = [
  {
    name: 'regulatoryReportType',
    mandatory: true,
    admits: (value) => isCodeOf(regulatoryReportTypes, value),
    hint: oneOf(regulatoryReportTypes),
  },
  {
    name: 'documentNumber',
    mandatory: false,
    admits: (value) => isMaxText(value, 35),
    hint: 'Send 1 to 35 characters.',
  },
  { name: 'documentDate', mandatory: false, admits: isIsoDate, hint: dateHint },
  {
    name: 'taxpayerId',
    alias: 'taxPayerId',
    mandatory: false,
    admits: (value) => typeof value === 'string' && /^[0-9]{10}$/.test(value),
    hint: 'Send ten digits.',
  },
  {
    name: 'taxpayerType',
    alias: 'taxPayerType',
    mandatory: false,
    admits: (value) => isCodeOf(taxpayerTypes, value),
    hint: oneOf(taxpayerTypes),
  },
  {
    name: 'paymentCategory',
    mandatory: false,
    admits: (value) => isCodeOf(paymentCategories, value),
    hint: oneOf(paymentCategories),
  },
  { name: 'fromDate', mandatory: false, admits: isIsoDate, hint: dateHint },
  { name: 'endDate', mandatory: false, admits: isIsoDate, hint: dateHint },
  {
    name: 'obligedPersonName',
    mandatory: true,
    admits: (value) => isMaxText(value, 70),
    hint: 'Send 1 to 70 characters.',
  },
];
const known = attributes.flatMap(({ name, alias }) => (alias === undefined ? [name] : [name, alias]));

/** Violations in `budgetPaymentDetails` (spec 2.4), in the order of its attributes. */
export function budgetDetailsFailures(value: unknown, path: string): Failure[] {
  if (!isJsonObject(value)) return [fail('fieldMalformed', path, 'Send an object.')];
  const [from, end] = [memberOf(value, 'fromDate'), memberOf(value, 'endDate')];
  const endsTooEarly = isIsoDate(from) && isIsoDate(end) && end < from;
  const found = attributes.flatMap(({ name, alias, mandatory, admits, hint }) => {
    const spellings = [name, ...(alias === undefined ? [] : [alias])];
    const present = spellings.filter((spelling) => memberOf(value, spelling) !== undefined);
    const [spelling] = present;
    if (spelling === undefined) return mandatory ? [fail('fieldMissing', `${path}.${name}`)] : [];
    if (present.length > 1)
      return [fail('fieldMalformed', `${path}.${name}`, 'Send this field in one spelling.')];
    if (!admits(memberOf(value, spelling))) return [fail('fieldMalformed', `${path}.${spelling}`, hint)];
    if (name === 'endDate' && endsTooEarly) {
      return [
        fail('fieldMalformed', `${path}.endDate`, 'The period ends before it starts. Correct its dates.'),
      ];
    }
    return [];
  });
  return [...found, ...unknownMembers(value, known, path)];
}
