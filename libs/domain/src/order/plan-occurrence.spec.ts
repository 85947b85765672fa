import { describe, expect, it } from '@jest/globals';
import { makeProfile } from '../testing/profiles.js';
import type { PeriodicSchedule } from './periodic-schedule.js';
import { firstOccurrence, occurrenceAfter } from './plan-occurrence.js';

const [sandbox, production] = [makeProfile('sandbox'), makeProfile('production')];
const from = (startDate: string, more: Partial<PeriodicSchedule> = {}): PeriodicSchedule => ({
  startDate,
  frequency: 'Monthly',
  ...more,
});
/** 12:00 and 17:30 on Friday 2026-11-20 in Sofia, which is two hours ahead of UTC in winter. */
const [noon, evening] = ['2026-11-20T10:00:00.000Z', '2026-11-20T15:30:00.000Z'];

describe('the due time of the first occurrence of an order (contract 9)', () => {
  it('is one minute after the signature if the occurrence is planned for today, as for a single payment', () => {
    expect(firstOccurrence(from('2026-11-20'), noon, sandbox)).toEqual({
      number: 1,
      executionDate: '2026-11-20',
      dueAt: '2026-11-20T10:01:00.000Z',
    });
  });

  it('is the start of its day in the time zone of the bank if the occurrence is planned for a later day', () => {
    expect(firstOccurrence(from('2026-11-23'), noon, sandbox).dueAt).toBe('2026-11-22T22:00:00.000Z');
  });

  it('is immediate if the order was signed late, while executionDate remains the planned day', () => {
    const planned = firstOccurrence(from('2026-11-19'), noon, sandbox);
    expect(planned.executionDate).toBe('2026-11-19');
    expect(planned.dueAt < noon).toBe(true);
  });

  it('is the next banking day if signed in production after the cut-off, while executionDate remains the planned day', () => {
    expect(firstOccurrence(from('2026-11-20'), evening, production)).toEqual({
      number: 1,
      executionDate: '2026-11-20',
      dueAt: '2026-11-22T22:00:00.000Z',
    });
    expect(firstOccurrence(from('2026-11-20'), noon, production).dueAt).toBe('2026-11-20T10:01:00.000Z');
  });

  it('is moved by the cut-off only if the occurrence is planned for today', () => {
    expect(firstOccurrence(from('2026-11-23'), evening, production).dueAt).toBe('2026-11-22T22:00:00.000Z');
    expect(firstOccurrence(from('2026-11-19'), evening, production).dueAt).toBe('2026-11-18T22:00:00.000Z');
  });

  it('is on the planned day if there is no execution rule, even on a weekend in production', () => {
    const saturday = '2026-11-21T10:00:00.000Z';
    expect(firstOccurrence(from('2026-11-21'), saturday, production).dueAt).toBe('2026-11-21T10:01:00.000Z');
  });
});

describe('the due time of a later occurrence (contract 9)', () => {
  it('is the start of its day', () => {
    const first = firstOccurrence(from('2026-11-20'), noon, sandbox);
    expect(occurrenceAfter(first, from('2026-11-20'), sandbox)).toEqual({
      number: 2,
      executionDate: '2026-12-20',
      dueAt: '2026-12-19T22:00:00.000Z',
    });
  });

  it('is not before that of the first occurrence when both fall on the same day', () => {
    const schedule = from('2026-11-20', { frequency: 'Daily', executionRule: 'following' });
    const saturday = firstOccurrence({ ...schedule, startDate: '2026-11-21' }, evening, sandbox);
    const sunday = occurrenceAfter(saturday, { ...schedule, startDate: '2026-11-21' }, sandbox);
    expect([saturday.executionDate, sunday?.executionDate]).toEqual(['2026-11-23', '2026-11-23']);
    expect(sunday?.dueAt).toBe(saturday.dueAt);
    const monday = '2026-11-23T10:00:00.000Z';
    const late = firstOccurrence({ ...schedule, startDate: '2026-11-21' }, monday, sandbox);
    expect(late.dueAt).toBe('2026-11-23T10:01:00.000Z');
    expect(occurrenceAfter(late, { ...schedule, startDate: '2026-11-21' }, sandbox)?.dueAt).toBe(late.dueAt);
  });

  it('does not exist after the last occurrence', () => {
    const schedule = from('2026-11-20', { numberOfPayments: 1 });
    expect(occurrenceAfter(firstOccurrence(schedule, noon, sandbox), schedule, sandbox)).toBeUndefined();
  });
});
