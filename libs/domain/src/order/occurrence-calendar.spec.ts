import { describe, expect, it } from '@jest/globals';
import { makeProfile } from '../testing/profiles.js';
import { lastOccurrence, nthOccurrence, type Occurrence, occurrences } from './occurrence-calendar.js';
import type { PeriodicSchedule } from './periodic-schedule.js';

const { holidays } = makeProfile('production');

function taken(count: number, from: Iterable<Occurrence>): Occurrence[] {
  const list: Occurrence[] = [];
  for (const occurrence of from) {
    if (list.length === count) break;
    list.push(occurrence);
  }
  return list;
}
const first = (count: number, schedule: PeriodicSchedule): string[] =>
  taken(count, occurrences(schedule, holidays)).map(({ executionDate }) => executionDate);
const all = (schedule: PeriodicSchedule): string[] => first(Infinity, schedule);

describe('the days of each frequency (contract 9)', () => {
  it.each<[PeriodicSchedule['frequency'], string[]]>([
    ['Daily', ['2027-01-15', '2027-01-16', '2027-01-17']],
    ['Weekly', ['2027-01-15', '2027-01-22', '2027-01-29']],
    ['EveryTwoWeeks', ['2027-01-15', '2027-01-29', '2027-02-12']],
    ['Monthly', ['2027-01-15', '2027-02-15', '2027-03-15']],
    ['EveryTwoMonths', ['2027-01-15', '2027-03-15', '2027-05-15']],
    ['Quarterly', ['2027-01-15', '2027-04-15', '2027-07-15']],
    ['SemiAnnual', ['2027-01-15', '2027-07-15', '2028-01-15']],
    ['Annual', ['2027-01-15', '2028-01-15', '2029-01-15']],
  ])(
    'are correct for %s from Friday 2027-01-15, with dayOfExecution defaulting to the day of startDate',
    (frequency, days) => {
      expect(first(3, { startDate: '2027-01-15', frequency })).toEqual(days);
    },
  );

  it('for MonthlyVariable, follow monthsOfExecution in calendar order, starting from the month of startDate', () => {
    const monthsOfExecution = [10, 1, 4];
    const schedule = { startDate: '2027-02-20', frequency: 'MonthlyVariable', monthsOfExecution } as const;
    const days = ['2027-04-20', '2027-10-20', '2028-01-20', '2028-04-20', '2028-10-20', '2029-01-20'];
    expect(first(6, schedule)).toEqual(days);
  });

  it('for MonthlyVariable, include one in the month of startDate if that month is listed and the day is not before startDate', () => {
    const schedule = {
      startDate: '2027-04-20',
      frequency: 'MonthlyVariable',
      monthsOfExecution: [4, 9],
    } as const;
    expect(first(2, { ...schedule, dayOfExecution: 25 })).toEqual(['2027-04-25', '2027-09-25']);
    expect(first(2, { ...schedule, dayOfExecution: 15 })).toEqual(['2027-09-15', '2028-04-15']);
  });
});

describe('the months between executions are counted from the month of startDate (contract 9)', () => {
  it.each<[PeriodicSchedule['frequency'], string[]]>([
    ['Monthly', ['2027-02-10', '2027-03-10']],
    ['EveryTwoMonths', ['2027-03-10', '2027-05-10']],
    ['Quarterly', ['2027-04-10', '2027-07-10']],
    ['SemiAnnual', ['2027-07-10', '2028-01-10']],
    ['Annual', ['2028-01-10', '2029-01-10']],
  ])('for %s from 2027-01-15 on day 10, although January has no occurrence', (frequency, days) => {
    expect(first(2, { startDate: '2027-01-15', frequency, dayOfExecution: 10 })).toEqual(days);
  });
});

describe('a planned day before startDate, which is never an occurrence (contract 9)', () => {
  it('is skipped even if the following banking day is startDate itself', () => {
    const schedule = { frequency: 'Monthly', dayOfExecution: 13, executionRule: 'following' } as const;
    expect(first(2, { startDate: '2027-02-13', ...schedule })).toEqual(['2027-02-15', '2027-03-15']);
    expect(first(2, { startDate: '2027-02-14', ...schedule })).toEqual(['2027-03-15', '2027-04-13']);
    expect(first(2, { startDate: '2027-02-15', ...schedule })).toEqual(['2027-03-15', '2027-04-13']);
  });
});

describe('a day that does not exist in a month becomes the last day of that month (contract 9)', () => {
  it.each<[number, string[]]>([
    [29, ['2027-01-29', '2027-02-28', '2027-03-29', '2027-04-29']],
    [30, ['2027-01-30', '2027-02-28', '2027-03-30', '2027-04-30']],
    [31, ['2027-01-31', '2027-02-28', '2027-03-31', '2027-04-30']],
  ])('for dayOfExecution %d', (dayOfExecution, days) => {
    expect(first(4, { startDate: '2027-01-01', frequency: 'Monthly', dayOfExecution })).toEqual(days);
  });

  it.each<[number, string]>([
    [29, '2028-02-29'],
    [30, '2028-02-29'],
    [31, '2028-02-29'],
    [28, '2028-02-28'],
  ])('for dayOfExecution %d in February of a leap year', (dayOfExecution, day) => {
    expect(first(1, { startDate: '2028-02-01', frequency: 'Monthly', dayOfExecution })).toEqual([day]);
  });

  it('29 February becomes the 28th in other years and the 29th again in the next leap year', () => {
    const days = ['2028-02-29', '2029-02-28', '2030-02-28', '2031-02-28', '2032-02-29'];
    expect(first(5, { startDate: '2028-02-29', frequency: 'Annual' })).toEqual(days);
    expect(first(5, { startDate: '2096-02-29', frequency: 'Annual' }).at(-1)).toBe('2100-02-28');
  });

  it('an order that starts on the 31st returns to the 31st after a shorter month', () => {
    const days = ['2027-01-31', '2027-02-28', '2027-03-31'];
    expect(first(3, { startDate: '2027-01-31', frequency: 'Monthly' })).toEqual(days);
  });
});

describe('executionRule, which moves a day that is not a banking day (contract 9)', () => {
  const on = (
    startDate: string,
    dayOfExecution: number,
    executionRule?: PeriodicSchedule['executionRule'],
  ): string[] =>
    first(1, {
      startDate,
      dayOfExecution,
      frequency: 'Monthly',
      executionRule,
    });

  it.each([
    ['Saturday', 12, '2026-12-14', '2026-12-11'],
    ['Sunday', 13, '2026-12-14', '2026-12-11'],
    ['a banking day', 14, '2026-12-14', '2026-12-14'],
    ['a holiday followed by holidays and a weekend', 24, '2026-12-29', '2026-12-23'],
    ['a weekend between holidays', 26, '2026-12-29', '2026-12-23'],
  ])('%s', (_what, day, following, preceding) => {
    expect(on('2026-12-01', day, 'following')).toEqual([following]);
    expect(on('2026-12-01', day, 'preceding')).toEqual([preceding]);
  });

  it('moves a day into the next or previous month if necessary', () => {
    expect(on('2027-01-01', 31, 'following')).toEqual(['2027-02-01']);
    expect(first(2, { startDate: '2027-07-30', frequency: 'Monthly', dayOfExecution: 1 })).toEqual([
      '2027-08-01',
      '2027-09-01',
    ]);
    expect(on('2027-07-30', 1, 'preceding')).toEqual(['2027-07-30']);
  });

  it('does not move any day if absent', () => {
    expect(on('2026-12-01', 12)).toEqual(['2026-12-12']);
    expect(on('2026-12-01', 24)).toEqual(['2026-12-24']);
  });

  it.each(['sandbox', 'production'] as const)(
    'uses the weekends and the holiday file in the %s profile',
    (name) => {
      const table = makeProfile(name).holidays;
      const schedule = { startDate: '2027-03-03', frequency: 'Weekly', executionRule: 'following' } as const;
      expect(nthOccurrence(schedule, 1, table)?.executionDate).toBe('2027-03-04');
      expect(nthOccurrence({ ...schedule, startDate: '2027-03-06' }, 1, table)?.executionDate).toBe(
        '2027-03-08',
      );
    },
  );

  it('does not shift the planned day of the next occurrence', () => {
    const schedule = { startDate: '2027-03-03', frequency: 'Weekly', executionRule: 'following' } as const;
    expect(taken(2, occurrences(schedule, holidays))).toEqual([
      { number: 1, plannedDate: '2027-03-03', executionDate: '2027-03-04' },
      { number: 2, plannedDate: '2027-03-10', executionDate: '2027-03-10' },
    ]);
  });
});

describe('a day that the preceding rule would move before startDate moves forward instead (contract 9)', () => {
  it.each([
    ['a Saturday', '2027-02-06', '2027-02-08'],
    ['a Sunday', '2027-02-07', '2027-02-08'],
    ['a holiday', '2027-03-03', '2027-03-04'],
    ['a holiday before a weekend', '2026-12-25', '2026-12-29'],
  ])('if the order starts on %s', (_day, startDate, executionDate) => {
    expect(first(1, { startDate, frequency: 'Monthly', executionRule: 'preceding' })).toEqual([
      executionDate,
    ]);
  });

  it('but not if the preceding banking day is startDate itself, which is allowed', () => {
    const schedule = { startDate: '2027-02-05', frequency: 'Monthly', executionRule: 'preceding' } as const;
    expect(first(1, { ...schedule, dayOfExecution: 7 })).toEqual(['2027-02-05']);
  });
});

describe('occurrences that fall on the same day are all executed (contract 9)', () => {
  it('including those of a weekend and the Monday after it', () => {
    const schedule = { startDate: '2027-02-05', frequency: 'Daily', executionRule: 'following' } as const;
    expect(first(5, schedule)).toEqual([
      '2027-02-05',
      '2027-02-08',
      '2027-02-08',
      '2027-02-08',
      '2027-02-09',
    ]);
  });
});

describe('endDate, which limits the moved day (contract 9)', () => {
  const weekly = { startDate: '2027-02-06', frequency: 'Weekly' } as const;

  it('excludes a day planned on endDate but moved beyond it', () => {
    expect(all({ ...weekly, executionRule: 'following', endDate: '2027-02-13' })).toEqual(['2027-02-08']);
    expect(all({ ...weekly, executionRule: 'following', endDate: '2027-02-15' })).toEqual([
      '2027-02-08',
      '2027-02-15',
    ]);
  });

  it('includes a day planned after endDate but moved back to it', () => {
    expect(all({ ...weekly, executionRule: 'preceding', endDate: '2027-02-12' })).toEqual([
      '2027-02-08',
      '2027-02-12',
    ]);
    expect(all({ ...weekly, executionRule: 'preceding', endDate: '2027-02-11' })).toEqual(['2027-02-08']);
  });

  it('includes endDate itself', () => {
    expect(all({ ...weekly, endDate: '2027-02-13' })).toEqual(['2027-02-06', '2027-02-13']);
    expect(all({ ...weekly, endDate: '2027-02-06' })).toEqual(['2027-02-06']);
  });
});

describe('an order without occurrences (contract 9)', () => {
  it.each<[string, PeriodicSchedule]>([
    [
      'its only day is moved beyond endDate',
      { startDate: '2027-02-06', endDate: '2027-02-07', frequency: 'Daily', executionRule: 'following' },
    ],
    [
      'the day of execution is not in the period',
      { startDate: '2027-02-11', endDate: '2027-03-09', frequency: 'Monthly', dayOfExecution: 10 },
    ],
    [
      'no month of execution is in the period',
      {
        startDate: '2027-02-01',
        endDate: '2027-11-30',
        frequency: 'MonthlyVariable',
        monthsOfExecution: [1, 12],
      },
    ],
  ])('%s', (_why, schedule) => {
    expect(nthOccurrence(schedule, 1, holidays)).toBeUndefined();
    expect(all(schedule)).toEqual([]);
    expect(lastOccurrence(schedule, holidays)).toBeUndefined();
  });
});

describe('numberOfPayments instead of endDate (contract 9)', () => {
  const three = { startDate: '2027-01-31', frequency: 'Monthly', numberOfPayments: 3 } as const;

  it('determines how many occurrences the order has', () => {
    expect(all(three)).toEqual(['2027-01-31', '2027-02-28', '2027-03-31']);
    expect(lastOccurrence(three, holidays)).toEqual({
      number: 3,
      plannedDate: '2027-03-31',
      executionDate: '2027-03-31',
    });
  });

  it('does not count a planned day before startDate', () => {
    expect(all({ ...three, startDate: '2027-01-20', dayOfExecution: 10 })).toEqual([
      '2027-02-10',
      '2027-03-10',
      '2027-04-10',
    ]);
  });
});

describe('the search for the next or last occurrence', () => {
  const endless = { startDate: '1990-01-31', frequency: 'Monthly' } as const;

  it('finds the occurrence after a given number, however long ago the order started', () => {
    expect(nthOccurrence(endless, 445, holidays)).toEqual({
      number: 445,
      plannedDate: '2027-01-31',
      executionDate: '2027-01-31',
    });
    const daily = { startDate: '1990-01-01', frequency: 'Daily' } as const;
    expect(nthOccurrence(daily, 13_515, holidays)?.executionDate).toBe('2027-01-01');
    const next = taken(2, occurrences(endless, holidays, 445));
    expect(next.map(({ number, executionDate }) => [number, executionDate])).toEqual([
      [446, '2027-02-28'],
      [447, '2027-03-31'],
    ]);
  });

  it('finds no last occurrence for an order without an end', () => {
    expect(lastOccurrence(endless, holidays)).toBeUndefined();
  });

  it.each([
    ['Daily', 14_976],
    ['EveryTwoMonths', 247],
    ['Annual', 42],
  ] as const)('%s until 2031-01-01: finds the last occurrence, number %d', (frequency, number) => {
    const schedule = { startDate: '1990-01-01', endDate: '2031-01-01', frequency } as const;
    expect(lastOccurrence(schedule, holidays)?.number).toBe(number);
  });

  it('finds no occurrence before the first', () => {
    expect(nthOccurrence(endless, 0, holidays)).toBeUndefined();
  });

  it('ends with the year 9999', () => {
    const late = { startDate: '9999-12-30', frequency: 'Daily', executionRule: 'following' } as const;
    expect(all(late)).toEqual(['9999-12-30', '9999-12-31']);
    expect(nthOccurrence(late, 2, ['9999-12-31'])?.executionDate).toBe('9999-12-31');
    expect(lastOccurrence({ ...late, endDate: '9999-12-31' }, holidays)?.number).toBe(2);
    expect(all({ startDate: '9999-12-31', frequency: 'Annual', dayOfExecution: 30 })).toEqual([]);
    for (const frequency of ['EveryTwoWeeks', 'Annual'] as const)
      expect(nthOccurrence({ startDate: '2027-01-01', frequency }, 4_000_000, holidays)).toBeUndefined();
  });
});
