import { paymentBody, type EnteredPayment } from '../payments/entered-payment.js';

export const frequencies = [
  'Daily',
  'Weekly',
  'EveryTwoWeeks',
  'Monthly',
  'EveryTwoMonths',
  'Quarterly',
  'SemiAnnual',
  'Annual',
  'MonthlyVariable',
] as const;
export type Frequency = (typeof frequencies)[number];
export const orderEnds = ['none', 'day', 'number'] as const;
export type OrderEnd = (typeof orderEnds)[number];
export const weekendRules = ['none', 'following', 'preceding'] as const;
export type WeekendRule = (typeof weekendRules)[number];

/** A standing order as the person filled it in. Texts that may be empty are left out of what is sent. */
export interface EnteredOrder extends EnteredPayment {
  readonly startDate: string;
  readonly frequency: Frequency;
  readonly dayOfExecution: string;
  /** "1" to "12"; for the frequency MonthlyVariable. */
  readonly months: readonly string[];
  readonly end: OrderEnd;
  readonly endDate: string;
  readonly numberOfPayments: string;
  readonly weekend: WeekendRule;
}

const oneOf = <Word extends string>(words: readonly Word[], text: string, otherwise: Word): Word =>
  words.find((word) => word === text) ?? otherwise;

/** Reads the form. An invalid choice becomes the first choice of the form. */
export const readOrder = (form: URLSearchParams): EnteredOrder => {
  const field = (name: string): string => (form.get(name) ?? '').trim().slice(0, 140);
  const iban = (name: string): string => field(name).replaceAll(/\s/g, '').toUpperCase();
  return {
    debtorIban: iban('debtorIban'),
    amount: field('amount'),
    creditorName: field('creditorName'),
    creditorIban: iban('creditorIban'),
    remittance: field('remittance'),
    startDate: field('startDate'),
    frequency: oneOf(frequencies, field('frequency'), 'Monthly'),
    dayOfExecution: field('dayOfExecution'),
    months: form.getAll('months').slice(0, 12),
    end: oneOf(orderEnds, field('end'), 'none'),
    endDate: field('endDate'),
    numberOfPayments: field('numberOfPayments'),
    weekend: oneOf(weekendRules, field('weekend'), 'none'),
  };
};

/** The body of POST /v1/periodic-payments: only the filled-in fields, and only the chosen end. */
export const orderBody = (entered: EnteredOrder): Readonly<Record<string, unknown>> => ({
  ...paymentBody(entered),
  startDate: entered.startDate,
  frequency: entered.frequency,
  ...(entered.dayOfExecution === '' ? {} : { dayOfExecution: entered.dayOfExecution }),
  ...(entered.months.length === 0 ? {} : { monthsOfExecution: entered.months }),
  ...(entered.end === 'day' ? { endDate: entered.endDate } : {}),
  ...(entered.end === 'number' ? { numberOfPayments: Number(entered.numberOfPayments) } : {}),
  ...(entered.weekend === 'none' ? {} : { executionRule: entered.weekend }),
});

const fieldsByPath: Readonly<Record<string, string>> = {
  'debtorAccount.iban': 'debtorIban',
  debtorAccount: 'debtorIban',
  'creditorAccount.iban': 'creditorIban',
  creditorAccount: 'creditorIban',
  creditorName: 'creditorName',
  'instructedAmount.amount': 'amount',
  remittanceInformationUnstructured: 'remittance',
  startDate: 'startDate',
  frequency: 'frequency',
  dayOfExecution: 'dayOfExecution',
  monthsOfExecution: 'months',
  endDate: 'endDate',
  numberOfPayments: 'numberOfPayments',
  executionRule: 'weekend',
};

/** The form's field for a path in the bank's answer. */
export const orderField = (path: string): string | undefined => {
  const member = path.replace(/\[\d+\]$/, '');
  return Object.hasOwn(fieldsByPath, member) ? fieldsByPath[member] : undefined;
};
