import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import {
  addDays,
  addSeconds,
  toBankDate,
  toBankTime,
  daysInMonth,
  hasPassed,
  isIsoDate,
  startOfBankDay,
  getWeekday,
} from './bank-calendar.js';

const sofia = 'Europe/Sofia';
const zones = [
  sofia,
  'UTC',
  'America/New_York',
  'Asia/Kolkata',
  'America/Havana',
  'Africa/Cairo',
  'Australia/Lord_Howe',
];

describe('a bank day (contract 8)', () => {
  it.each([
    ['2026-01-31T21:59:59.999Z', '2026-01-31', '23:59'],
    ['2026-01-31T22:00:00.000Z', '2026-02-01', '00:00'],
    ['2026-07-31T20:59:59.000Z', '2026-07-31', '23:59'],
    ['2026-07-31T21:00:00.000Z', '2026-08-01', '00:00'],
  ])('in Sofia at %s is %s %s', (instant, date, time) => {
    expect(toBankDate(instant, sofia)).toBe(date);
    expect(toBankTime(instant, sofia)).toBe(time);
  });

  it.each([
    ['2026-01-15', '2026-01-14T22:00:00.000Z'],
    ['2026-07-15', '2026-07-14T21:00:00.000Z'],
    ['2026-03-29', '2026-03-28T22:00:00.000Z'],
    ['2026-03-30', '2026-03-29T21:00:00.000Z'],
    ['2026-10-25', '2026-10-24T21:00:00.000Z'],
    ['2026-10-26', '2026-10-25T22:00:00.000Z'],
  ])('on %s starts at %s, even if the clock changes', (date, instant) => {
    expect(startOfBankDay(date, sofia)).toBe(instant);
  });

  it.each([
    ['Europe/Sofia', '9999-12-30T22:00:00.000Z'],
    ['UTC', '9999-12-31T00:00:00.000Z'],
    ['America/New_York', '9999-12-31T05:00:00.000Z'],
    ['Pacific/Kiritimati', '9999-12-30T10:00:00.000Z'],
  ])('on the last representable date starts in %s at %s', (zone, instant) => {
    expect(startOfBankDay('9999-12-31', zone)).toBe(instant);
  });

  it('starts at its first instant even if midnight is skipped or repeated', () => {
    expect(startOfBankDay('2026-04-24', 'Africa/Cairo')).toBe('2026-04-23T22:00:00.000Z');
    expect(startOfBankDay('2026-11-01', 'America/Havana')).toBe('2026-11-01T04:00:00.000Z');
  });

  it('starts at the first instant of its date, in any zone', () => {
    const day = fc.integer({ min: 0, max: 30_000 }).map((n) => addDays('1990-01-01', n));
    fc.assert(
      fc.property(day, fc.constantFrom(...zones), (date, zone) => {
        const start = startOfBankDay(date, zone);
        expect(toBankDate(start, zone)).toBe(date);
        expect(toBankDate(addSeconds(start, -1), zone)).toBe(addDays(date, -1));
        expect(startOfBankDay(date, zone)).toBe(start);
      }),
    );
  });
});

describe('date functions', () => {
  it.each(['2026-02-28', '2024-02-29', '2000-02-29', '9999-12-31'])('accept %s', (date) => {
    expect(isIsoDate(date)).toBe(true);
  });

  it.each([
    '2026-02-29',
    '2026-02-30',
    '2026-13-01',
    '2026-00-10',
    '2026-01-00',
    '2026-1-1',
    '1900-02-29',
    '0000-01-01',
    '2026-01-01T00:00:00Z',
    '20260101',
    ' 2026-01-01',
    '2026-01-01\n',
    '+02026-01-01',
    '',
    20260101,
    null,
  ])('refuse %j', (value) => {
    expect(isIsoDate(value)).toBe(false);
  });

  it('add days across months and leap years', () => {
    expect(addDays('2024-02-28', 1)).toBe('2024-02-29');
    expect(addDays('2026-01-01', -1)).toBe('2025-12-31');
    expect(addDays('2026-11-20', 90)).toBe('2027-02-18');
  });

  it.each([
    [2027, 1, 31],
    [2027, 2, 28],
    [2028, 2, 29],
    [2100, 2, 28],
    [2000, 2, 29],
    [4, 2, 29],
    [2027, 4, 30],
    [9999, 12, 31],
  ])('count the days of a month: in year %d, month %d has %d', (year, month, days) => {
    expect(daysInMonth(year, month)).toBe(days);
  });

  it('number the days of the week from 1 for Monday', () => {
    expect(['2026-11-16', '2026-11-20', '2026-11-21', '2026-11-22'].map(getWeekday)).toEqual([1, 5, 6, 7]);
  });

  it('treat a deadline as passed from its exact instant on', () => {
    const deadline = '2026-11-20T10:00:00.000Z';
    expect(hasPassed(deadline, '2026-11-20T09:59:59.999Z')).toBe(false);
    expect(hasPassed(deadline, '2026-11-20T10:00:00Z')).toBe(true);
  });
});
