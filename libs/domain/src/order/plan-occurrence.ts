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
 * The first occurrence of an order signed at `signedAt` (ISO instant), and when it is due (contract 9). Today: like a single
 * payment, after the settlement delay, and in production after the cut-off on the next banking day. Later: at the start
 * of its day. Earlier, because the order was signed late: immediately.
 * @throws Error for a schedule without any occurrence, which validation refuses.
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

/** The day itself, whatever day it is; after the cut-off the order waits for the next banking day (contract 9). */
const dueToday = (signedAt: string, profile: Profile): string => {
  const onItsDay = planExecution(undefined, signedAt, { ...profile, bankingDays: 'every-day' });
  const isAfterCutOff = onItsDay.executionDate !== toBankDate(signedAt, profile.timeZone);
  return isAfterCutOff ? planExecution(undefined, signedAt, profile).dueAt : onItsDay.dueAt;
};

/**
 * The occurrence after another one, at the start of its day and not before the other was due: the second of two on one day does
 * not overtake the first. Undefined after the last one.
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
