import type { ScheduleWords } from './schedule-words.js';

export const scheduleEn: ScheduleWords = {
  frequency: {
    Daily: 'every day',
    Weekly: 'every week',
    EveryTwoWeeks: 'every two weeks',
    Monthly: 'every month',
    EveryTwoMonths: 'every two months',
    Quarterly: 'every three months',
    SemiAnnual: 'every six months',
    Annual: 'every year',
    MonthlyVariable: 'every year',
  },
  onWeekday: [
    'on Monday',
    'on Tuesday',
    'on Wednesday',
    'on Thursday',
    'on Friday',
    'on Saturday',
    'on Sunday',
  ],
  inMonths: (often, months) => `${often} in ${months}`,
  onDay: (day) => `on day ${day}${day > 28 ? ' (or the last day of a shorter month)' : ''}`,
  rule: {
    following: 'paid on the next banking day',
    preceding: 'paid on the banking day before',
    none: 'paid on that day all the same',
  },
  atLatest: (date) => `on ${date} at the latest`,
  payments: (count) => (count === 1 ? 'one payment' : `${count} payments`),
  after: (payments) => `after ${payments}`,
  whenCancelled: 'when it is cancelled',
  on: (date) => `on ${date}`,
  lastOn: (date) => `the last one on ${date}`,
};
