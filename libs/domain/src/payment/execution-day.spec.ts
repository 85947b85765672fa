import { describe, expect, it } from '@jest/globals';
import { makeProfile } from '../testing/profiles.js';
import { planExecution, isBankingDay } from './execution-day.js';

const production = makeProfile('production');

describe('cut-off and banking days (contract 8)', () => {
  it.each([
    [
      'Friday before the cut-off',
      undefined,
      '2026-11-20T13:59:59.000Z',
      '2026-11-20',
      '2026-11-20T14:00:59.000Z',
    ],
    [
      'Friday at the cut-off',
      undefined,
      '2026-11-20T14:00:00.000Z',
      '2026-11-23',
      '2026-11-22T22:00:00.000Z',
    ],
    ['Saturday', undefined, '2026-11-21T10:00:00.000Z', '2026-11-23', '2026-11-22T22:00:00.000Z'],
    [
      'today after the cut-off',
      '2026-11-19',
      '2026-11-19T15:00:00.000Z',
      '2026-11-20',
      '2026-11-19T22:00:00.000Z',
    ],
    [
      'requested for Christmas',
      '2026-12-24',
      '2026-11-20T10:00:00.000Z',
      '2026-12-29',
      '2026-12-28T22:00:00.000Z',
    ],
    [
      'requested for a banking day',
      '2026-12-01',
      '2026-11-20T15:00:00.000Z',
      '2026-12-01',
      '2026-11-30T22:00:00.000Z',
    ],
  ])('%s', (_when, requested, now, executionDate, dueAt) => {
    expect(planExecution(requested, now, production)).toEqual({ executionDate, dueAt });
  });

  it.each([
    ['a Saturday night', undefined, '2026-11-21T21:58:00.000Z', '2026-11-21', '2026-11-21T21:59:00.000Z'],
    ['a holiday', '2027-03-03', '2027-03-03T15:00:00.000Z', '2027-03-03', '2027-03-03T15:01:00.000Z'],
    [
      'requested for Christmas',
      '2026-12-24',
      '2026-11-20T20:00:00.000Z',
      '2026-12-24',
      '2026-12-23T22:00:00.000Z',
    ],
  ])('are ignored in the sandbox: %s', (_when, requested, now, executionDate, dueAt) => {
    expect(planExecution(requested, now, makeProfile('sandbox'))).toEqual({ executionDate, dueAt });
  });

  it('apply to the last representable day like any other', () => {
    expect(planExecution('9999-12-31', '2026-11-20T10:00:00.000Z', production)).toEqual({
      executionDate: '9999-12-31',
      dueAt: '9999-12-30T22:00:00.000Z',
    });
  });

  it('exclude weekend days and holidays', () => {
    expect(
      ['2026-11-20', '2026-11-21', '2026-11-22', '2027-03-03'].map((day) => isBankingDay(day, production)),
    ).toEqual([true, false, false, false]);
  });
});
