import { describe, expect, it } from '@jest/globals';
import { frequencies, type Frequency, type PeriodicSchedule } from '@xs2a/domain/order/periodic-schedule';
import { endText, frequencyText, wholeEndText } from './schedule-text.js';

const from = (
  frequency: Frequency,
  startDate: string,
  more: Partial<PeriodicSchedule> = {},
): PeriodicSchedule => ({
  frequency,
  startDate,
  ...more,
});

describe('the text for the frequency of a periodic order (contract 9, 12)', () => {
  it.each<[PeriodicSchedule, string, string]>([
    [from('Daily', '2026-12-01'), 'every day', 'всеки ден'],
    [from('Weekly', '2026-12-01'), 'every week, on Tuesday', 'всяка седмица, във вторник'],
    [from('EveryTwoWeeks', '2026-12-06'), 'every two weeks, on Sunday', 'на всеки две седмици, в неделя'],
    [from('Monthly', '2026-12-05'), 'every month, on day 5', 'всеки месец, на 5 число'],
    [
      from('Monthly', '2026-12-05', { dayOfExecution: 31 }),
      'every month, on day 31 (or the last day of a shorter month)',
      'всеки месец, на 31 число (или в последния ден на по-къс месец)',
    ],
    [from('EveryTwoMonths', '2026-12-05'), 'every two months, on day 5', 'на всеки два месеца, на 5 число'],
    [from('Quarterly', '2026-12-05'), 'every three months, on day 5', 'на всеки три месеца, на 5 число'],
    [from('SemiAnnual', '2026-12-05'), 'every six months, on day 5', 'на всеки шест месеца, на 5 число'],
    [
      from('Annual', '2026-12-05'),
      'every year in December, on day 5',
      'всяка година през декември, на 5 число',
    ],
    [
      from('MonthlyVariable', '2026-12-05', { monthsOfExecution: [10, 1, 4] }),
      'every year in January, April and October, on day 5',
      'всяка година през януари, април и октомври, на 5 число',
    ],
  ])('%j: %s', (schedule, en, bg) => {
    expect([frequencyText(schedule, 'en'), frequencyText(schedule, 'bg')]).toEqual([en, bg]);
  });

  it('is different for every frequency', () => {
    const texts = Object.keys(frequencies).map((frequency) =>
      frequencyText(
        from(
          frequency as Frequency,
          '2026-12-05',
          frequency === 'MonthlyVariable' ? { monthsOfExecution: [1, 2] } : {},
        ),
        'bg',
      ),
    );
    expect(new Set(texts).size).toBe(texts.length);
  });
});

describe('the text for the end of a periodic order (contract 9, 12)', () => {
  it.each<[Partial<PeriodicSchedule>, string, string]>([
    [{}, 'when you stop it', 'when you stop it'],
    [
      { endDate: '2027-03-31' },
      'on 31 March 2027 at the latest',
      'on 31 March 2027 at the latest: 4 payments, the last one on 5 March 2027',
    ],
    [
      { endDate: '2026-12-31' },
      'on 31 December 2026 at the latest',
      'on 31 December 2026 at the latest: one payment, on 5 December 2026',
    ],
    [{ numberOfPayments: 1 }, 'after one payment', 'after one payment, on 5 December 2026'],
    [
      { numberOfPayments: 12, executionRule: 'following' },
      'after 12 payments',
      'after 12 payments, the last one on 5 November 2027',
    ],
  ])('%j: %s', (end, short, whole) => {
    const schedule = from('Monthly', '2026-12-05', end);
    expect([endText(schedule, 'en'), wholeEndText(schedule, 'en', [])]).toEqual([short, whole]);
  });

  it('shows the last day adjusted to the holidays', () => {
    const schedule = from('Monthly', '2026-12-05', { numberOfPayments: 12, executionRule: 'following' });
    expect(wholeEndText(schedule, 'bg', ['2027-11-05'])).toBe(
      'след 12 плащания, последното на 8 ноември 2027\u00a0г.',
    );
  });
});
