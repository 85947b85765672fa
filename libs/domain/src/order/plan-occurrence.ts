import { planExecution } from '../payment/execution-day.js';
import type { PlannedOccurrence } from '../payment/payment-state.js';
import type { Profile } from '../profile/profile.js';
import { toBankDate, startOfBankDay } from '../time/bank-calendar.js';
import { nthOccurrence, type Occurrence } from './occurrence-calendar.js';
import type { PeriodicSchedule } from './periodic-schedule.js';

const plan = ({ number, executionDate }: Occurrence, dueAt: string): PlannedOccurrence => ({
  number,
  executionDate,
  dueAt,
});

/**
 * The first occurrence of an order signed at `signedAt` (ISO instant), with its due time (contract 9). If planned
 * for today, it is due like a single payment: after the settlement delay or, in production after the cut-off, on
 * the next banking day. If planned for a later day, it is due at the start of that day. If planned for an earlier
 * day because the order was signed late, it is due immediately.
 * @throws Error for a schedule without occurrences, which validation refuses.
 */
export function firstOccurrence(
  schedule: PeriodicSchedule,
  signedAt: string,
  profile: Profile,
): PlannedOccurrence {
  const occurrence = nthOccurrence(schedule, 1, profile.holidays);
  if (occurrence === undefined) throw new Error('The schedule has no occurrence.');
  const isToday = occurrence.executionDate === toBankDate(signedAt, profile.timeZone);
  const dueAt = isToday
    ? dueToday(signedAt, profile)
    : startOfBankDay(occurrence.executionDate, profile.timeZone);
  return plan(occurrence, dueAt);
}

/**
 * The due time of an occurrence planned for today: today, even if it is not a banking day, or, after the cut-off,
 * the start of the next banking day (contract 9).
 */
const dueToday = (signedAt: string, profile: Profile): string => {
  const onItsDay = planExecution(undefined, signedAt, { ...profile, bankingDays: 'every-day' });
  const isAfterCutOff = onItsDay.executionDate !== toBankDate(signedAt, profile.timeZone);
  return isAfterCutOff ? planExecution(undefined, signedAt, profile).dueAt : onItsDay.dueAt;
};

/**
 * The occurrence after another one. It is due at the start of its day but, if both fall on the same day, not
 * before the earlier one. Undefined after the last one.
 */
export function occurrenceAfter(
  previous: PlannedOccurrence,
  schedule: PeriodicSchedule,
  { holidays, timeZone }: Pick<Profile, 'holidays' | 'timeZone'>,
): PlannedOccurrence | undefined {
  const occurrence = nthOccurrence(schedule, previous.number + 1, holidays);
  if (occurrence === undefined) return undefined;
  const dueAt = startOfBankDay(occurrence.executionDate, timeZone);
  return plan(occurrence, dueAt < previous.dueAt ? previous.dueAt : dueAt);
}
