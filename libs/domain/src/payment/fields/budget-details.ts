import { type Failure, fail } from '../../failure/failures.js';
import { isJsonObject, type JsonObject, getMember, unknownMembers } from '../../form/form-checks.js';
import { isMaxText } from '../../text/text.js';
import { isIsoDate } from '../../time/bank-calendar.js';
import {
  type CodeTable,
  isCodeIn,
  paymentCategories,
  regulatoryReportTypes,
  taxpayerTypes,
} from './code-tables.js';
import type { FieldCheck, Submission } from './field-check.js';

/** The allowed characters and length of an attribute. */
export type BudgetForm =
  | { readonly kind: 'code'; readonly codes: CodeTable }
  | { readonly kind: 'text'; readonly max: number }
  | { readonly kind: 'digits'; readonly lengths: readonly number[] }
  | { readonly kind: 'date' }
  /** The attribute is no longer part of the layout since this ISO date. */
  | { readonly kind: 'ended'; readonly on: string };

export interface BudgetAttribute {
  readonly name: string;
  /** An alternative spelling used by TPPs (contract 8). */
  readonly alias?: string;
  /** The meaning of the attribute, as the OpenAPI document describes it to the developer of a TPP. */
  readonly meaning: string;
  readonly mandatory: boolean;
  readonly form: BudgetForm;
}

/** What is wrong with an attribute whose own format is valid, or that is absent. */
export type AttributeProblem = Pick<Failure, 'failure' | 'text'>;

/** The attributes of `budgetPaymentDetails`, and the rules between them. */
export interface BudgetLayout {
  readonly attributes: readonly BudgetAttribute[];
  /** `given` returns the value of an attribute under any of its names. */
  readonly between: (
    name: string,
    given: (name: string) => unknown,
    submission: Submission,
  ) => AttributeProblem | undefined;
}

const code = (codes: CodeTable): BudgetForm => ({ kind: 'code', codes });
const text = (max: number): BudgetForm => ({ kind: 'text', max });
const date: BudgetForm = { kind: 'date' };

/** The Budget Payment Details of spec 2.4 in the lev standard, one row per attribute, in the order of the specification. */
export const budgetAttributes: readonly BudgetAttribute[] = [
  {
    name: 'regulatoryReportType',
    meaning: 'Kind of the document on which the payment is based',
    mandatory: true,
    form: code(regulatoryReportTypes),
  },
  {
    name: 'documentNumber',
    meaning: 'Number of the document that an authority issued',
    mandatory: false,
    form: text(35),
  },
  {
    name: 'documentDate',
    meaning: 'Date of the document that an authority issued',
    mandatory: false,
    form: date,
  },
  {
    name: 'taxpayerId',
    alias: 'taxPayerId',
    meaning: 'Identifier of the taxpayer: 10 digits, of the kind that taxpayerType names',
    mandatory: false,
    form: { kind: 'digits', lengths: [10] },
  },
  {
    name: 'taxpayerType',
    alias: 'taxPayerType',
    meaning: 'Kind of the identifier in taxpayerId',
    mandatory: false,
    form: code(taxpayerTypes),
  },
  {
    name: 'paymentCategory',
    meaning: 'Institution that receives the revenue',
    mandatory: false,
    form: code(paymentCategories),
  },
  {
    name: 'fromDate',
    meaning: 'First day of the period for which the payment is',
    mandatory: false,
    form: date,
  },
  {
    name: 'endDate',
    meaning: 'Last day of the period for which the payment is; not before fromDate',
    mandatory: false,
    form: date,
  },
  {
    name: 'obligedPersonName',
    meaning: 'Name of the person who owes the payment',
    mandatory: true,
    form: text(70),
  },
];

/** The layout of the lev standard. */
export const levBudgetLayout: BudgetLayout = {
  attributes: budgetAttributes,
  between: (name, given) => {
    const [from, end] = [given('fromDate'), given('endDate')];
    const endsTooEarly = name === 'endDate' && isIsoDate(from) && isIsoDate(end) && end < from;
    return endsTooEarly
      ? { failure: 'fieldMalformed', text: 'The period ends before it starts. Correct its dates.' }
      : undefined;
  },
};

const malformed = (hint: string): AttributeProblem => ({ failure: 'fieldMalformed', text: hint });

/** What is wrong with the format of a value. Undefined if the value is valid. */
function wrongForm(form: BudgetForm, value: unknown): AttributeProblem | undefined {
  switch (form.kind) {
    case 'code':
      return isCodeIn(form.codes, value)
        ? undefined
        : malformed(`Send one of ${Object.keys(form.codes).join(', ')}.`);
    case 'text':
      return isMaxText(value, form.max) ? undefined : malformed(`Send 1 to ${form.max} characters.`);
    case 'digits':
      return typeof value === 'string' && form.lengths.includes(value.length) && /^[0-9]+$/.test(value)
        ? undefined
        : malformed(`Send ${form.lengths.join(' or ')} digits.`);
    case 'date':
      return isIsoDate(value) ? undefined : malformed('Send a valid date as YYYY-MM-DD.');
    case 'ended':
      return { failure: 'fieldNotApplicable', text: `This attribute ended on ${form.on}. Remove it.` };
  }
}

const spellings = ({ name, alias }: BudgetAttribute): readonly string[] =>
  alias === undefined ? [name] : [name, alias];

/** The value of an attribute under the first of its names that is present. */
export const readAttribute = (
  details: JsonObject,
  attributes: readonly BudgetAttribute[],
  name: string,
): unknown => {
  const attribute = attributes.find((one) => one.name === name);
  return (attribute === undefined ? [] : spellings(attribute))
    .map((spelling) => getMember(details, spelling))
    .find((value) => value !== undefined);
};

/** The check of `budgetPaymentDetails` in a layout: the violations in the order of its attributes. */
export const budgetDetailsCheck =
  ({ attributes, between }: BudgetLayout): FieldCheck =>
  (value, path, submission) => {
    if (!isJsonObject(value)) return [fail('fieldMalformed', path, 'Send an object.')];
    const given = (name: string): unknown => readAttribute(value, attributes, name);
    const found = attributes.flatMap((attribute) => {
      const { name, mandatory, form } = attribute;
      const present = spellings(attribute).filter((spelling) => getMember(value, spelling) !== undefined);
      const [spelling = name] = present;
      if (present.length > 1)
        return [fail('fieldMalformed', `${path}.${name}`, 'Send this field under only one of its names.')];
      if (present.length === 0 && mandatory) return [fail('fieldMissing', `${path}.${name}`)];
      const wrong = present.length === 0 ? undefined : wrongForm(form, given(name));
      const problem = wrong ?? between(name, given, submission);
      return problem === undefined ? [] : [fail(problem.failure, `${path}.${spelling}`, problem.text)];
    });
    return [...found, ...unknownMembers(value, attributes.flatMap(spellings), path)];
  };
