import { describe, expect, it } from '@jest/globals';
import { bankingDayFrom, isWeekendOrHoliday } from './banking-days.js';

const holidays = ['2027-03-03', '2027-03-04'];

describe('weekends and holidays (contract 9)', () => {
  it.each([
    ['2027-03-02', false],
    ['2027-03-03', true],
    ['2027-03-05', false],
    ['2027-03-06', true],
    ['2027-03-07', true],
    ['2027-03-08', false],
  ])('%s: %s', (day, expected) => {
    expect(isWeekendOrHoliday(day, holidays)).toBe(expected);
  });

  it.each([
    ['2027-03-03', '2027-03-05', '2027-03-02'],
    ['2027-03-05', '2027-03-05', '2027-03-05'],
    ['2027-03-07', '2027-03-08', '2027-03-05'],
  ])('move %s to %s with following, and to %s with preceding', (day, following, preceding) => {
    expect(bankingDayFrom(day, 'following', holidays)).toBe(following);
    expect(bankingDayFrom(day, 'preceding', holidays)).toBe(preceding);
  });

  it('are taken into account up to the year 9999', () => {
    expect(bankingDayFrom('9999-12-30', 'following', ['9999-12-30', '9999-12-31'])).toBe('9999-12-31');
  });
});
