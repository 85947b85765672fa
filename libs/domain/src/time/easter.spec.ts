import { describe, expect, it } from '@jest/globals';
import { assert, integer, property } from 'fast-check';
import { orthodoxEaster, westernEaster } from './easter.js';

/**
 * Month and day of the paschal full moon by golden number (1-based): the tables of the Western and Orthodox
 * churches, without their formulas.
 */
const gregorianMoons =
  '4-14 4-3 3-23 4-11 3-31 4-18 4-8 3-28 4-16 4-5 3-25 4-13 4-2 3-22 4-10 3-30 4-17 4-7 3-27';
const julianMoons =
  '4-5 3-25 4-13 4-2 3-22 4-10 3-30 4-18 4-7 3-27 4-15 4-4 3-24 4-12 4-1 3-21 4-9 3-29 4-17';

/** The number of days since 0001-01-01 in a calendar whose leap years are given by `isLeap`, counted month by month. */
const dayNumber = (
  year: number,
  month: number,
  day: number,
  leapDaysBefore: number,
  isLeap: boolean,
): number => {
  const lengths = [31, isLeap ? 29 : 28, 31, 30];
  return (
    365 * (year - 1) + leapDaysBefore + lengths.slice(0, month - 1).reduce((sum, n) => sum + n, 0) + day - 1
  );
};
const gregorianNumber = (year: number, month: number, day: number): number => {
  const before = year - 1;
  const leaps = Math.floor(before / 4) - Math.floor(before / 100) + Math.floor(before / 400);
  return dayNumber(year, month, day, leaps, year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0));
};
/** In the Julian calendar, 0001-01-01 is two days earlier than in the Gregorian calendar. */
const julianNumber = (year: number, month: number, day: number): number =>
  dayNumber(year, month, day, Math.floor((year - 1) / 4), year % 4 === 0) - 2;

/** The first Sunday after the full moon, found by walking through every day. The Gregorian 0001-01-01 is a Monday. */
const sundayAfter = (moons: string, year: number, number: typeof gregorianNumber): string => {
  const [month = 0, day = 0] = (moons.split(' ')[year % 19] ?? '').split('-').map(Number);
  let found = number(year, month, day) + 1;
  while (found % 7 !== 6) found += 1;
  const daysFromMarch = found - gregorianNumber(year, 3, 1);
  const lengths = [31, 30, 31];
  let [at, left] = [3, daysFromMarch];
  for (const length of lengths) {
    if (left < length) break;
    left -= length;
    at += 1;
  }
  return `${year}-0${at}-${String(left + 1).padStart(2, '0')}`;
};
const years = Array.from({ length: 101 }, (_, index) => 2000 + index);

describe('Easter', () => {
  it.each([
    [2000, '2000-04-23', '2000-04-30'],
    [2005, '2005-03-27', '2005-05-01'],
    [2008, '2008-03-23', '2008-04-27'],
    [2010, '2010-04-04', '2010-04-04'],
    [2013, '2013-03-31', '2013-05-05'],
    [2016, '2016-03-27', '2016-05-01'],
    [2019, '2019-04-21', '2019-04-28'],
    [2021, '2021-04-04', '2021-05-02'],
    [2024, '2024-03-31', '2024-05-05'],
    [2025, '2025-04-20', '2025-04-20'],
    [2026, '2026-04-05', '2026-04-12'],
    [2027, '2027-03-28', '2027-05-02'],
    [2038, '2038-04-25', '2038-04-25'],
  ])('in %d is on %s, and Orthodox Easter on %s', (year, western, orthodox) => {
    expect([westernEaster(year), orthodoxEaster(year)]).toEqual([western, orthodox]);
  });

  it('is the Sunday after the full moon in the table of each church, from 2000 to 2100', () => {
    expect(years.map(westernEaster)).toEqual(
      years.map((year) => sundayAfter(gregorianMoons, year, gregorianNumber)),
    );
    expect(years.map(orthodoxEaster)).toEqual(
      years.map((year) => sundayAfter(julianMoons, year, julianNumber)),
    );
  });

  it('is a Sunday from 22 March to 25 April, or from 4 April to 10 May for Orthodox Easter', () => {
    assert(
      property(integer({ min: 1900, max: 2199 }), (year) => {
        const [western, orthodox] = [westernEaster(year), orthodoxEaster(year)];
        expect([western, orthodox].map((day) => new Date(day).getUTCDay())).toEqual([0, 0]);
        expect(western >= `${year}-03-22` && western <= `${year}-04-25`).toBe(true);
        expect(orthodox >= `${year}-04-04` && orthodox <= `${year}-05-10`).toBe(true);
        expect(orthodox >= western).toBe(true);
      }),
    );
  });
});
