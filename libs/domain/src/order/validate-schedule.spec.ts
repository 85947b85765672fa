import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import type { JsonObject } from '../form/form-checks.js';
import { makeProfile } from '../testing/profiles.js';
import { frequencies, type PeriodicSchedule } from './periodic-schedule.js';
import { periodFailure, scheduleFields, validateSchedule } from './validate-schedule.js';

const body = { startDate: '2027-01-15', frequency: 'Monthly' };
const validationFailures = (submitted: JsonObject): string[] => {
  const result = validateSchedule(submitted);
  return 'failures' in result ? result.failures.map(({ failure, path }) => `${failure} ${path ?? '-'}`) : [];
};
const texts = (submitted: JsonObject): (string | undefined)[] => {
  const result = validateSchedule(submitted);
  return 'failures' in result ? result.failures.map(({ text }) => text) : [];
};

describe('validation of the schedule of a periodic order (contract 9)', () => {
  it('accepts a schedule with only startDate and frequency', () => {
    expect(validateSchedule(body)).toEqual({ valid: { startDate: '2027-01-15', frequency: 'Monthly' } });
  });

  it('accepts every schedule field and ignores the payment fields', () => {
    const submitted = {
      creditorName: 'x',
      startDate: '2027-01-15',
      endDate: '2028-01-15',
      executionRule: 'preceding',
      frequency: 'MonthlyVariable',
      dayOfExecution: '31',
      monthsOfExecution: ['12', '1'],
    };
    expect(validateSchedule(submitted)).toEqual({
      valid: {
        startDate: '2027-01-15',
        endDate: '2028-01-15',
        executionRule: 'preceding',
        frequency: 'MonthlyVariable',
        dayOfExecution: 31,
        monthsOfExecution: [12, 1],
      },
    });
  });

  it.each(Object.keys(frequencies))('accepts the frequency %s', (frequency) => {
    const months = frequency === 'MonthlyVariable' ? { monthsOfExecution: ['1'] } : {};
    expect(validationFailures({ ...body, frequency, ...months })).toEqual([]);
  });

  it.each(['startDate', 'frequency'])('requires %s', (name) => {
    expect(validationFailures({ ...body, [name]: undefined })).toEqual([`fieldMissing ${name}`]);
  });

  it.each<[string, unknown]>([
    ['startDate', '2027-02-29'],
    ['startDate', '15.01.2027'],
    ['startDate', null],
    ['endDate', '2027-13-01'],
    ['endDate', 20_270_131],
    ['endDate', null],
    ['numberOfPayments', 0],
    ['numberOfPayments', 1000],
    ['numberOfPayments', -1],
    ['numberOfPayments', 1.5],
    ['numberOfPayments', '12'],
    ['numberOfPayments', null],
    ['executionRule', 'preceeding'],
    ['executionRule', 'Following'],
    ['executionRule', null],
    ['frequency', 'monthly'],
    ['frequency', 'Biennial'],
    ['frequency', 'toString'],
    ['frequency', ['Monthly']],
    ['frequency', null],
    ['dayOfExecution', '0'],
    ['dayOfExecution', '32'],
    ['dayOfExecution', '01'],
    ['dayOfExecution', '100'],
    ['dayOfExecution', '1.5'],
    ['dayOfExecution', ' 1'],
    ['dayOfExecution', 31],
    ['dayOfExecution', ''],
    ['dayOfExecution', null],
  ])('refuses %s with the value %j', (name, value) => {
    expect(validationFailures({ ...body, [name]: value })).toEqual([`fieldMalformed ${name}`]);
  });

  it.each([1, 999])('accepts %d as numberOfPayments', (numberOfPayments) => {
    expect(validationFailures({ ...body, numberOfPayments })).toEqual([]);
  });

  it.each(['1', '9', '10', '28', '29', '30', '31'])('accepts %j as dayOfExecution', (dayOfExecution) => {
    expect(validationFailures({ ...body, dayOfExecution })).toEqual([]);
  });

  it('refuses endDate together with numberOfPayments', () => {
    const both = { ...body, endDate: '2028-01-15', numberOfPayments: 3 };
    expect(validationFailures(both)).toEqual(['fieldNotApplicable numberOfPayments']);
    expect(texts(both)).toEqual(['Send endDate or numberOfPayments, not both.']);
  });

  it.each(['Daily', 'Weekly', 'EveryTwoWeeks'])('refuses dayOfExecution with %s', (frequency) => {
    for (const dayOfExecution of ['15', 'x'])
      expect(validationFailures({ ...body, frequency, dayOfExecution })).toEqual([
        'fieldNotApplicable dayOfExecution',
      ]);
  });

  it.each(['Monthly', 'EveryTwoMonths', 'Quarterly', 'SemiAnnual', 'Annual'])(
    'accepts dayOfExecution with %s',
    (frequency) => {
      expect(validationFailures({ ...body, frequency, dayOfExecution: '31' })).toEqual([]);
    },
  );
});

describe('monthsOfExecution, allowed only with MonthlyVariable (contract 9)', () => {
  const variable = { ...body, frequency: 'MonthlyVariable' };
  const months = (count: number): string[] => Array.from({ length: count }, (_, n) => String(n + 1));

  it('is mandatory with MonthlyVariable', () => {
    expect(validationFailures(variable)).toEqual(['fieldMissing monthsOfExecution']);
  });

  it.each(Object.keys(frequencies).filter((name) => name !== 'MonthlyVariable'))(
    'does not apply to %s',
    (frequency) => {
      expect(validationFailures({ ...body, frequency, monthsOfExecution: ['1'] })).toEqual([
        'fieldNotApplicable monthsOfExecution',
      ]);
    },
  );

  it.each([1, 11])('may list %d months', (count) => {
    expect(validationFailures({ ...variable, monthsOfExecution: months(count) })).toEqual([]);
  });

  it.each<[string, unknown, string[]]>([
    ['none', [], ['monthsOfExecution']],
    ['twelve', months(12), ['monthsOfExecution']],
    ['a thousand', Array.from({ length: 1000 }, () => 'x'), ['monthsOfExecution']],
    ['no array', '1', ['monthsOfExecution']],
    ['null', null, ['monthsOfExecution']],
    ['one twice', ['1', '7', '1'], ['monthsOfExecution[2]']],
    ['one three times', ['7', '7', '7'], ['monthsOfExecution[1]', 'monthsOfExecution[2]']],
    ['no months', ['0', '13', '01', 1, null], [0, 1, 2, 3, 4].map((index) => `monthsOfExecution[${index}]`)],
  ])('must not be %s', (_what, monthsOfExecution, paths) => {
    expect(validationFailures({ ...variable, monthsOfExecution })).toEqual(
      paths.map((path) => `fieldMalformed ${path}`),
    );
  });
});

describe('the errors of a schedule', () => {
  it('are all reported together, in field order', () => {
    const wrong = {
      monthsOfExecution: ['13'],
      dayOfExecution: '32',
      frequency: 'Yearly',
      executionRule: 'next',
      numberOfPayments: 3,
      endDate: 'never',
    };
    expect(validationFailures(wrong)).toEqual([
      'fieldMissing startDate',
      'fieldMalformed endDate',
      'fieldNotApplicable numberOfPayments',
      'fieldMalformed executionRule',
      'fieldMalformed frequency',
      'fieldMalformed dayOfExecution',
      'fieldMalformed monthsOfExecution[0]',
    ]);
    expect(texts(wrong).slice(1)).toEqual([
      'Send a valid date as YYYY-MM-DD.',
      'Send endDate or numberOfPayments, not both.',
      'Send one of following, preceding.',
      `Send one of ${Object.keys(frequencies).join(', ')}.`,
      'Send a day of the month from "1" to "31", without a leading zero.',
      'Send a month from "1" to "12", without a leading zero.',
    ]);
  });

  it('name only fields of the schedule', () => {
    expect(scheduleFields).toEqual([
      'startDate',
      'endDate',
      'numberOfPayments',
      'executionRule',
      'frequency',
      'dayOfExecution',
      'monthsOfExecution',
    ]);
  });

  it('are returned for any JSON without throwing an exception or echoing the JSON', () => {
    fc.assert(
      fc.property(fc.constantFrom(...scheduleFields), fc.jsonValue(), (name, value) => {
        const result = validateSchedule({ ...body, [name]: value });
        const failures = 'failures' in result ? result.failures : [];
        expect('valid' in result || failures.length > 0).toBe(true);
        const others = failures.filter(
          ({ path }) => path !== name && path?.startsWith(`${name}[`) !== true && name !== 'frequency',
        );
        expect(others).toEqual([]);
      }),
      { numRuns: 10_000 },
    );
    expect(texts({ ...body, frequency: 'zqxj', dayOfExecution: 'zqxj' }).join(' ')).not.toContain('zqxj');
  });
});

describe('the period of a schedule (contract 3, 9)', () => {
  const rules = { today: '2027-02-06', holidays: makeProfile('production').holidays };
  const failure = (schedule: PeriodicSchedule): string | undefined => {
    const found = periodFailure(schedule, rules);
    return found && `${found.failure} ${found.path ?? '-'}`;
  };
  const daily = { startDate: '2027-02-06', frequency: 'Daily' } as const;

  it('must start today or later', () => {
    expect(failure(daily)).toBeUndefined();
    expect(failure({ ...daily, startDate: '2027-02-05' })).toBe('executionDateInvalid startDate');
  });

  it('must not end before startDate', () => {
    expect(failure({ ...daily, endDate: '2027-02-06' })).toBeUndefined();
    expect(failure({ ...daily, endDate: '2027-02-05' })).toBe('periodInvalid endDate');
  });

  it('is refused because of a start in the past, even if its end also precedes its start', () => {
    expect(failure({ ...daily, startDate: '2027-02-05', endDate: '2027-02-04' })).toBe(
      'executionDateInvalid startDate',
    );
  });

  it('is refused with PERIOD_INVALID if it contains no occurrence', () => {
    const weekend = { ...daily, endDate: '2027-02-07' };
    expect(failure({ ...weekend, executionRule: 'following' })).toBe('periodInvalid endDate');
    expect(failure({ ...weekend, executionRule: 'preceding' })).toBe('periodInvalid endDate');
    expect(failure(weekend)).toBeUndefined();
    expect(failure({ ...weekend, endDate: '2027-02-08', executionRule: 'following' })).toBeUndefined();
    const late = { startDate: '9999-12-31', frequency: 'Monthly', dayOfExecution: 30 } as const;
    expect(failure(late)).toBe('periodInvalid startDate');
  });

  it('has a specific error text if it contains no occurrence, and the standard one if its end precedes its start', () => {
    const before = periodFailure({ ...daily, endDate: '2027-02-05' }, rules);
    const empty = periodFailure({ ...daily, endDate: '2027-02-07', executionRule: 'following' }, rules);
    expect(before?.text).toBeUndefined();
    expect(empty?.text).toBe(
      'No payment falls within this period. Correct its dates or the days of execution.',
    );
  });
});
