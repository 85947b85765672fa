import { type Failure, fail } from '../failure/failures.js';
import { type JsonObject, getMember } from '../form/form-checks.js';
import { isIsoDate } from '../time/bank-calendar.js';
import { nthOccurrence } from './occurrence-calendar.js';
import {
  type ExecutionRule,
  executionRules,
  frequencies,
  type Frequency,
  type PeriodicSchedule,
} from './periodic-schedule.js';

const maxPayments = 999;
const maxMonths = 11;

const isFrequency = (value: unknown): value is Frequency =>
  typeof value === 'string' && Object.hasOwn(frequencies, value);
const isExecutionRule = (value: unknown): value is ExecutionRule =>
  executionRules.some((rule) => rule === value);
const isNumberOfPayments = (value: unknown): value is number =>
  Number.isSafeInteger(value) && Number(value) >= 1 && Number(value) <= maxPayments;
/** True for a positive whole number as text, without leading zeros and not above `max`. */
const isNumberUpTo = (max: number, value: unknown): value is string =>
  typeof value === 'string' && /^[1-9][0-9]?$/.test(value) && Number(value) <= max;

const malformed = (path: string, text: string): Failure[] => [fail('fieldMalformed', path, text)];
const notApplicable = (path: string, text: string): Failure[] => [fail('fieldNotApplicable', path, text)];

const date = (value: unknown, path: string): Failure[] =>
  isIsoDate(value) ? [] : malformed(path, 'Send a valid date as YYYY-MM-DD.');

function monthsFailures(months: unknown, path: string): Failure[] {
  if (!Array.isArray(months) || months.length < 1 || months.length > maxMonths)
    return malformed(path, `Send an array of 1 to ${maxMonths} months. For every month, use Monthly.`);
  return months.flatMap((month: unknown, index) => {
    const at = `${path}[${index}]`;
    if (!isNumberUpTo(12, month))
      return malformed(at, 'Send a month from "1" to "12", without a leading zero.');
    return months.indexOf(month) === index ? [] : malformed(at, 'Name each month once.');
  });
}

interface ScheduleField {
  readonly name: keyof PeriodicSchedule;
  readonly isMandatory?: (body: JsonObject) => boolean;
  /** Returns the errors in a value that is present. */
  readonly check: (value: unknown, path: string, body: JsonObject) => Failure[];
}

const isMonthlyVariable = (body: JsonObject): boolean => getMember(body, 'frequency') === 'MonthlyVariable';

/** The fields of a periodic order's schedule, one row per field, in the order in which errors are reported (contract 9). */
const fields: readonly ScheduleField[] = [
  { name: 'startDate', isMandatory: () => true, check: date },
  { name: 'endDate', check: date },
  {
    name: 'numberOfPayments',
    check: (value, path, body) => {
      if (getMember(body, 'endDate') !== undefined)
        return notApplicable(path, 'Send endDate or numberOfPayments, not both.');
      return isNumberOfPayments(value)
        ? []
        : malformed(path, `Send a whole number from 1 to ${maxPayments}.`);
    },
  },
  {
    name: 'executionRule',
    check: (value, path) =>
      isExecutionRule(value) ? [] : malformed(path, `Send one of ${executionRules.join(', ')}.`),
  },
  {
    name: 'frequency',
    isMandatory: () => true,
    check: (value, path) =>
      isFrequency(value) ? [] : malformed(path, `Send one of ${Object.keys(frequencies).join(', ')}.`),
  },
  {
    name: 'dayOfExecution',
    check: (value, path, body) => {
      const frequency = getMember(body, 'frequency');
      if (isFrequency(frequency) && 'days' in frequencies[frequency])
        return notApplicable(
          path,
          'Remove this field: Daily, Weekly and EveryTwoWeeks count from startDate.',
        );
      return isNumberUpTo(31, value)
        ? []
        : malformed(path, 'Send a day of the month from "1" to "31", without a leading zero.');
    },
  },
  {
    name: 'monthsOfExecution',
    isMandatory: isMonthlyVariable,
    check: (value, path, body) =>
      isFrequency(getMember(body, 'frequency')) && !isMonthlyVariable(body)
        ? notApplicable(path, 'Remove this field: it applies to the frequency MonthlyVariable only.')
        : monthsFailures(value, path),
  },
];

/** The body fields that make up the schedule. */
export const scheduleFields: readonly string[] = fields.map(({ name }) => name);

/** The schedule in a well-formed body. Undefined if a mandatory part is missing. */
function scheduleFrom(body: JsonObject): PeriodicSchedule | undefined {
  const [startDate, endDate, numberOfPayments, executionRule, frequency, day, months] = fields.map(
    ({ name }) => getMember(body, name),
  );
  if (!isIsoDate(startDate) || !isFrequency(frequency)) return undefined;
  return {
    startDate,
    frequency,
    endDate: isIsoDate(endDate) ? endDate : undefined,
    numberOfPayments: isNumberOfPayments(numberOfPayments) ? numberOfPayments : undefined,
    executionRule: isExecutionRule(executionRule) ? executionRule : undefined,
    dayOfExecution: day === undefined ? undefined : Number(day),
    monthsOfExecution: Array.isArray(months) ? months.map(Number) : undefined,
  };
}

/**
 * Validates the format of a periodic order's schedule (contract 9). Returns all errors together, in field order.
 * Ignores the other members of the body.
 */
export function validateSchedule(
  body: JsonObject,
): { readonly valid: PeriodicSchedule } | { readonly failures: Failure[] } {
  const failures = fields.flatMap(({ name, isMandatory, check }) => {
    const value = getMember(body, name);
    if (value !== undefined) return check(value, name, body);
    return isMandatory?.(body) === true ? [fail('fieldMissing', name)] : [];
  });
  const valid = failures.length === 0 ? scheduleFrom(body) : undefined;
  return valid === undefined ? { failures } : { valid };
}

/**
 * Returns the first rule broken by the dates of a well-formed schedule, for the execution date stage (contract 3,
 * 9): a start in the past, an end before the start, or no occurrence. `today` is an ISO date in the bank's zone,
 * `holidays` the profile's holiday table.
 */
export function periodFailure(
  schedule: PeriodicSchedule,
  { today, holidays }: { readonly today: string; readonly holidays: readonly string[] },
): Failure | undefined {
  const { startDate, endDate } = schedule;
  if (startDate < today)
    return fail(
      'executionDateInvalid',
      'startDate',
      'The order starts in the past. Send today or a later day.',
    );
  if (endDate !== undefined && endDate < startDate) return fail('periodInvalid', 'endDate');
  if (nthOccurrence(schedule, 1, holidays) === undefined) {
    const text = 'No payment falls within this period. Correct its dates or the days of execution.';
    return fail('periodInvalid', endDate === undefined ? 'startDate' : 'endDate', text);
  }
  return undefined;
}
