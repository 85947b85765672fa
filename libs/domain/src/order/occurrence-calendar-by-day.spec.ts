import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { days, occurrencesDayByDay } from '../testing/day-by-day-calendar.js';
import { makeProfile } from '../testing/profiles.js';
import { lastOccurrence, type Occurrence, occurrences } from './occurrence-calendar.js';
import { type Frequency, frequencies, type PeriodicSchedule } from './periodic-schedule.js';

const isoAt = (index: number): string => days[index]?.iso ?? '';
const between = (from: string, to: string): number[] =>
  days.flatMap(({ iso }, index) => (iso >= from && iso < to ? [index] : []));
const soon = between('2026-11-22', '2029');
const monthEnds = soon.filter((index) => days[index]?.isLastOfMonth === true);
/** A period around 2100, which is not a leap year. */
const aroundCentury = between('2096', '2105');
const frequencyNames = Object.keys(frequencies) as Frequency[];

/** The number of days to walk through, which is enough for many occurrences at any frequency. */
function walkedDays(frequency: Frequency): number {
  const step = frequencies[frequency];
  if ('months' in step) return 1100;
  return step.days === 1 ? 130 : 300;
}
/** An upper limit for the number of days by which the holidays and weekends below can move an occurrence. */
const maxMove = 100;

const orders = fc.record({
  start: fc.oneof(
    fc.constantFrom(...soon),
    fc.tuple(fc.constantFrom(...monthEnds), fc.nat(3)).map(([end, before]) => end - before),
    fc.constantFrom(...aroundCentury),
  ),
  frequency: fc.constantFrom(...frequencyNames),
  executionRule: fc.constantFrom(undefined, 'following' as const, 'preceding' as const),
  day: fc.oneof(fc.constant(undefined), fc.integer({ min: 1, max: 31 }), fc.integer({ min: 28, max: 31 })),
  months: fc.uniqueArray(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 11 }),
  end: fc.oneof(
    fc.constant({}),
    fc.record({ endsAfterDays: fc.oneof(fc.nat(40), fc.nat(1000)) }),
    fc.record({ numberOfPayments: fc.integer({ min: 1, max: 40 }) }),
  ),
  /** Runs of consecutive holidays; each run starts at an offset from startDate. */
  closures: fc.array(
    fc.record({ from: fc.integer({ min: -12, max: 400 }), length: fc.integer({ min: 1, max: 12 }) }),
    { maxLength: 6 },
  ),
  after: fc.nat(30),
});
type Order = typeof orders extends fc.Arbitrary<infer T> ? T : never;

function makeSchedule({ start, frequency, executionRule, day, months, end }: Order): PeriodicSchedule {
  return {
    startDate: isoAt(start),
    endDate: 'endsAfterDays' in end ? isoAt(start + end.endsAfterDays) : undefined,
    numberOfPayments: 'numberOfPayments' in end ? end.numberOfPayments : undefined,
    frequency,
    executionRule,
    dayOfExecution: 'months' in frequencies[frequency] ? day : undefined,
    monthsOfExecution: frequency === 'MonthlyVariable' ? months : undefined,
  };
}

const shipped = makeProfile('production').holidays.filter((day) => day < '2030');
const listHolidays = ({ start, closures }: Order): string[] => [
  ...shipped,
  ...closures.flatMap(({ from, length }) => Array.from({ length }, (_, n) => isoAt(start + from + n))),
];

/** Formats occurrences as one line each. */
const text = (list: readonly (Occurrence | undefined)[]): string =>
  list.map((one) => (one ? `${one.number} ${one.plannedDate} ${one.executionDate}` : 'none')).join('\n');

/** The first occurrences planned on or before `until`, up to `count` of them. */
function taken(from: Iterable<Occurrence>, until: string, count = Infinity): Occurrence[] {
  const list: Occurrence[] = [];
  for (const occurrence of from) {
    if (list.length === count || occurrence.plannedDate > until) break;
    list.push(occurrence);
  }
  return list;
}

describe('the occurrences of any order (contract 9)', () => {
  it('are the same as those found by walking through every day', () => {
    let [compared, lasts] = [0, 0];
    fc.assert(
      fc.property(orders, (order) => {
        const [schedule, holidays] = [makeSchedule(order), listHolidays(order)];
        const walked = walkedDays(order.frequency);
        const until = isoAt(order.start + walked);
        const expected = occurrencesDayByDay(schedule, holidays, until);
        const found = taken(occurrences(schedule, holidays), until);
        const resumed = taken(occurrences(schedule, holidays, order.after), until, 3);
        const isEndWalked =
          'endsAfterDays' in order.end
            ? order.end.endsAfterDays + maxMove < walked
            : expected.length === schedule.numberOfPayments;
        const last = isEndWalked ? [lastOccurrence(schedule, holidays)] : [];
        expect([found, resumed, last].map(text)).toEqual(
          [expected, expected.slice(order.after, order.after + 3), isEndWalked ? [expected.at(-1)] : []].map(
            text,
          ),
        );
        compared += found.length;
        lasts += last.length;
      }),
      { numRuns: 10_000 },
    );
    expect(compared).toBeGreaterThan(100_000);
    expect(lasts).toBeGreaterThan(2000);
  });

  it('are executed in the order of their numbers', () => {
    fc.assert(
      fc.property(orders, (order) => {
        const until = isoAt(order.start + walkedDays(order.frequency));
        const dates = taken(occurrences(makeSchedule(order), listHolidays(order)), until, 30).map(
          ({ executionDate }) => executionDate,
        );
        expect(dates.join(' ')).toBe(dates.toSorted().join(' '));
        expect(dates.every((date) => date >= isoAt(order.start))).toBe(true);
      }),
    );
  });
});
