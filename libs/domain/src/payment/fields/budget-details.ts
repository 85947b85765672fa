import { type Failure, fail } from '../../failure/failures.js';
import { isJsonObject, getMember, unknownMembers } from '../../form/form-checks.js';
import { isMaxText } from '../../text/text.js';
import { isIsoDate } from '../../time/bank-calendar.js';
import {
  type CodeTable,
  isCodeIn,
  paymentCategories,
  regulatoryReportTypes,
  taxpayerTypes,
} from './code-tables.js';

/** The allowed characters and length of an attribute. */
export type BudgetForm =
  | { readonly kind: 'code'; readonly codes: CodeTable }
  | { readonly kind: 'text'; readonly max: number }
  | { readonly kind: 'digits'; readonly length: number }
  | { readonly kind: 'date' };

interface Attribute {
  readonly name: string;
  /** An alternative spelling used by TPPs (contract 8). */
  readonly alias?: string;
  readonly mandatory: boolean;
  readonly form: BudgetForm;
}

const code = (codes: CodeTable): BudgetForm => ({ kind: 'code', codes });
const text = (max: number): BudgetForm => ({ kind: 'text', max });
const date: BudgetForm = { kind: 'date' };

/** The Budget Payment Details of spec 2.4, one row per attribute, in the order of the specification. */
export const budgetAttributes: readonly Attribute[] = [
  { name: 'regulatoryReportType', mandatory: true, form: code(regulatoryReportTypes) },
  { name: 'documentNumber', mandatory: false, form: text(35) },
  { name: 'documentDate', mandatory: false, form: date },
  { name: 'taxpayerId', alias: 'taxPayerId', mandatory: false, form: { kind: 'digits', length: 10 } },
  { name: 'taxpayerType', alias: 'taxPayerType', mandatory: false, form: code(taxpayerTypes) },
  { name: 'paymentCategory', mandatory: false, form: code(paymentCategories) },
  { name: 'fromDate', mandatory: false, form: date },
  { name: 'endDate', mandatory: false, form: date },
  { name: 'obligedPersonName', mandatory: true, form: text(70) },
];
const known = budgetAttributes.flatMap(({ name, alias }) => (alias === undefined ? [name] : [name, alias]));

/**
 * Validates the format of a value. Returns a description of the required format, or undefined if the value is
 * valid.
 */
function wrongForm(form: BudgetForm, value: unknown): string | undefined {
  switch (form.kind) {
    case 'code':
      return isCodeIn(form.codes, value) ? undefined : `Send one of ${Object.keys(form.codes).join(', ')}.`;
    case 'text':
      return isMaxText(value, form.max) ? undefined : `Send 1 to ${form.max} characters.`;
    case 'digits':
      return typeof value === 'string' && value.length === form.length && /^[0-9]+$/.test(value)
        ? undefined
        : `Send ${form.length} digits.`;
    case 'date':
      return isIsoDate(value) ? undefined : 'Send a valid date as YYYY-MM-DD.';
  }
}

/** Violations in `budgetPaymentDetails` (spec 2.4), in attribute order. */
export function budgetDetailsFailures(value: unknown, path: string): Failure[] {
  if (!isJsonObject(value)) return [fail('fieldMalformed', path, 'Send an object.')];
  const [from, end] = [getMember(value, 'fromDate'), getMember(value, 'endDate')];
  const endsTooEarly = isIsoDate(from) && isIsoDate(end) && end < from;
  const found = budgetAttributes.flatMap(({ name, alias, mandatory, form }) => {
    const spellings = [name, ...(alias === undefined ? [] : [alias])];
    const present = spellings.filter((spelling) => getMember(value, spelling) !== undefined);
    const [spelling] = present;
    if (spelling === undefined) return mandatory ? [fail('fieldMissing', `${path}.${name}`)] : [];
    if (present.length > 1)
      return [fail('fieldMalformed', `${path}.${name}`, 'Send this field under only one of its names.')];
    const hint = wrongForm(form, getMember(value, spelling));
    if (hint !== undefined) return [fail('fieldMalformed', `${path}.${spelling}`, hint)];
    if (name === 'endDate' && endsTooEarly) {
      return [
        fail('fieldMalformed', `${path}.endDate`, 'The period ends before it starts. Correct its dates.'),
      ];
    }
    return [];
  });
  return [...found, ...unknownMembers(value, known, path)];
}
