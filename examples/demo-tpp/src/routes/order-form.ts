import type { Market } from '../bank/market.js';
import { type Html, html } from '@xs2a/html/html';
import { choiceField, textField, tick } from '../page/form-fields.js';
import {
  type EnteredPayment,
  examplePayment,
  findField,
  paymentBody,
  paymentFields,
  readField,
  readPayment,
} from '../page/payment-form.js';
import type { Visit } from '../page/visit.js';

/** The bank's codes, with the texts shown in the form. */
export const frequencies = {
  Daily: 'every day',
  Weekly: 'every week',
  EveryTwoWeeks: 'every two weeks',
  Monthly: 'every month',
  EveryTwoMonths: 'every two months',
  Quarterly: 'every three months',
  SemiAnnual: 'every six months',
  Annual: 'every year',
  MonthlyVariable: 'in the months chosen below',
};
const ends = { none: 'until I cancel', day: 'on a day', number: 'after a number of payments' };
const weekendRules = {
  none: 'pay on that day',
  following: 'pay on the next banking day',
  preceding: 'pay on the banking day before',
};
const monthNames = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];

/** A standing order as entered by the user. Empty optional texts are omitted from the request. */
export interface EnteredOrder extends EnteredPayment {
  readonly startDate: string;
  readonly frequency: keyof typeof frequencies;
  readonly dayOfExecution: string;
  /** "1" to "12", used with the frequency MonthlyVariable. */
  readonly months: readonly string[];
  readonly end: keyof typeof ends;
  readonly endDate: string;
  readonly numberOfPayments: string;
  readonly weekend: keyof typeof weekendRules;
}

export const exampleOrder: EnteredOrder = {
  ...examplePayment,
  startDate: '',
  frequency: 'Monthly',
  dayOfExecution: '',
  months: [],
  end: 'none',
  endDate: '',
  numberOfPayments: '',
  weekend: 'following',
};

const oneOf = <Word extends string>(words: Readonly<Record<Word, string>>, text: string, otherwise: Word) =>
  (Object.keys(words) as Word[]).find((word) => word === text) ?? otherwise;

/** Reads the form. An invalid choice is replaced with the form's first option. */
export const readOrder = (form: URLSearchParams): EnteredOrder => ({
  ...readPayment(form),
  startDate: readField(form, 'startDate'),
  frequency: oneOf(frequencies, readField(form, 'frequency'), 'Monthly'),
  dayOfExecution: readField(form, 'dayOfExecution'),
  months: form.getAll('months').slice(0, 12),
  end: oneOf(ends, readField(form, 'end'), 'none'),
  endDate: readField(form, 'endDate'),
  numberOfPayments: readField(form, 'numberOfPayments'),
  weekend: oneOf(weekendRules, readField(form, 'weekend'), 'none'),
});

/**
 * Builds the body of POST /v1/periodic-payments, with only the fields that were filled in and only the chosen kind
 * of end.
 */
export const orderBody = (entered: EnteredOrder, market: Market): Readonly<Record<string, unknown>> => ({
  ...paymentBody(entered, market),
  startDate: entered.startDate,
  frequency: entered.frequency,
  ...(entered.dayOfExecution === '' ? {} : { dayOfExecution: entered.dayOfExecution }),
  ...(entered.months.length === 0 ? {} : { monthsOfExecution: entered.months }),
  ...(entered.end === 'day' ? { endDate: entered.endDate } : {}),
  ...(entered.end === 'number' ? { numberOfPayments: Number(entered.numberOfPayments) } : {}),
  ...(entered.weekend === 'none' ? {} : { executionRule: entered.weekend }),
});

/** Finds the form field for a path in the bank's response. */
export const orderField = findField({
  startDate: 'startDate',
  frequency: 'frequency',
  dayOfExecution: 'dayOfExecution',
  monthsOfExecution: 'months',
  endDate: 'endDate',
  numberOfPayments: 'numberOfPayments',
  executionRule: 'weekend',
});

export const orderFields = (visit: Visit, entered: EnteredOrder): Html =>
  html`${paymentFields(visit, entered)}
    ${textField('startDate', 'First day', entered.startDate, { type: 'date' })}
    ${choiceField('frequency', 'How often', entered.frequency, frequencies)}
    ${textField('dayOfExecution', 'Day of the month (optional)', entered.dayOfExecution, {
      maxlength: 2,
      inputmode: 'numeric',
      isOptional: true,
      hint: '1 to 31. If it is empty, the day of the first payment. Leave it empty for days and weeks.',
    })}
    <fieldset id="months">
      <legend>Months</legend>
      <p class="hint">Only for “in the months chosen below”.</p>
      <div class="choices">
        ${monthNames.map((name, index) => {
          const month = String(index + 1);
          return tick('checkbox', 'months', month, name, entered.months.includes(month));
        })}
      </div>
    </fieldset>
    <fieldset id="end">
      <legend>End</legend>
      ${Object.entries(ends).map(([end, text]) => tick('radio', 'end', end, text, end === entered.end))}
      ${textField('endDate', 'Last day', entered.endDate, { type: 'date', isOptional: true })}
      ${textField('numberOfPayments', 'Number of payments', entered.numberOfPayments, {
        maxlength: 3,
        inputmode: 'numeric',
        isOptional: true,
      })}
    </fieldset>
    ${choiceField('weekend', 'On a weekend or holiday', entered.weekend, weekendRules)}`;
