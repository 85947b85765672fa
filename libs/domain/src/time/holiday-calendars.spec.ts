import { describe, expect, it } from '@jest/globals';
import { assert, integer, property } from 'fast-check';
import { addDays, getWeekday } from './bank-calendar.js';
import { computedHolidays, computedYears, holidayCalendars, holidaysIn } from './holiday-calendars.js';
import { orthodoxEaster } from './easter.js';

/** Bank holidays in Bulgaria that fall on Monday to Friday, listed by hand. */
const listed = {
  2026: '01-01 03-03 04-10 04-13 05-01 05-06 05-25 09-07 09-22 12-24 12-25 12-28',
  2027: '01-01 03-03 04-30 05-03 05-04 05-06 05-24 09-06 09-22 12-24 12-27 12-28',
  2028: '01-03 03-03 04-14 04-17 05-01 05-08 05-24 09-06 09-22 12-25 12-26 12-27',
};
const year = integer({ min: computedYears.first, max: computedYears.last });

describe('the computed holidays of Bulgaria (contract 9)', () => {
  it.each(Object.entries(listed))('match the manually compiled list for %s', (of, days) => {
    expect(holidaysIn('BG', Number(of))).toEqual(days.split(' ').map((day) => `${of}-${day}`));
  });

  it('include ten fixed days and Easter every year, plus a substitute for each fixed day on a weekend', () => {
    assert(
      property(year, (of) => {
        const days = holidaysIn('BG', of);
        expect(days).toContain(addDays(orthodoxEaster(of), -2));
        expect(days).toContain(addDays(orthodoxEaster(of), 1));
        const fixed = [
          '01-01',
          '03-03',
          '05-01',
          '05-06',
          '05-24',
          '09-06',
          '09-22',
          '12-24',
          '12-25',
          '12-26',
        ];
        const onEaster = fixed.filter((day) =>
          [-2, 1].some((offset) => addDays(orthodoxEaster(of), offset) === `${of}-${day}`),
        );
        expect(days).toHaveLength(fixed.length + 2 - onEaster.length);
      }),
    );
  });
});

describe('closing days of TARGET', () => {
  it.each([
    [2026, '01-01 04-03 04-06 05-01 12-25'],
    [2027, '01-01 03-26 03-29'],
    [2028, '04-14 04-17 05-01 12-25 12-26'],
  ])('match the official list for %d', (of, days) => {
    expect(holidaysIn('TARGET', of)).toEqual(days.split(' ').map((day) => `${of}-${day}`));
  });
});

describe('every computed calendar', () => {
  it.each(holidayCalendars)(
    '%s: contains only days from Monday to Friday in each year, in order and without duplicates',
    (calendar) => {
      const all = computedHolidays(calendar);
      expect(all.filter((day) => getWeekday(day) > 5)).toEqual([]);
      expect([...new Set(all)].toSorted()).toEqual([...all]);
      expect(new Set(all.map((day) => day.slice(0, 4))).size).toBe(
        computedYears.last - computedYears.first + 1,
      );
    },
  );
});
