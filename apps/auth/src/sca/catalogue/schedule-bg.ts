import type { ScheduleWords } from './schedule-words.js';

export const scheduleBg: ScheduleWords = {
  frequency: {
    Daily: 'всеки ден',
    Weekly: 'всяка седмица',
    EveryTwoWeeks: 'на всеки две седмици',
    Monthly: 'всеки месец',
    EveryTwoMonths: 'на всеки два месеца',
    Quarterly: 'на всеки три месеца',
    SemiAnnual: 'на всеки шест месеца',
    Annual: 'всяка година',
    MonthlyVariable: 'всяка година',
  },
  onWeekday: ['в понеделник', 'във вторник', 'в сряда', 'в четвъртък', 'в петък', 'в събота', 'в неделя'],
  inMonths: (often, months) => `${often} през ${months}`,
  onDay: (day) => `на ${day} число${day > 28 ? ' (или в последния ден на по-къс месец)' : ''}`,
  rule: {
    following: 'плаща се на следващия работен ден',
    preceding: 'плаща се на предходния работен ден',
    none: 'плаща се в същия ден',
  },
  atLatest: (date) => `най-късно на ${date}`,
  payments: (count) => (count === 1 ? 'едно плащане' : `${count} плащания`),
  after: (payments) => `след ${payments}`,
  whenStopped: 'когато го спрете',
  from: (date) => `от ${date}`,
  until: (date) => `най-късно до ${date}`,
  untilStopped: 'докато не го спрете',
  on: (date) => `на ${date}`,
  lastOn: (date) => `последното на ${date}`,
};
