import type { Profile } from '../profile/profile.js';
import {
  addDays,
  addSeconds,
  bankDateOf,
  bankTimeOf,
  startOfBankDay,
  weekdayOf,
} from '../time/bank-calendar.js';

type Calendar = Pick<Profile, 'timeZone' | 'bankingDays' | 'holidays' | 'cutOff' | 'settlementDelaySeconds'>;

/** Does the bank execute payments on that day (contract 8)? In the sandbox it does every day. */
export const isBankingDay = (isoDate: string, { bankingDays, holidays }: Calendar): boolean =>
  bankingDays === 'every-day' || (weekdayOf(isoDate) <= 5 && !holidays.includes(isoDate));

function bankingDayFrom(isoDate: string, calendar: Calendar): string {
  let day = isoDate;
  while (!isBankingDay(day, calendar)) day = addDays(day, 1);
  return day;
}

/**
 * When a payment signed now executes: its ISO date, and the instant from which settlement is due. No date, today, or a date
 * that has meanwhile passed: after the settlement delay. A later one: at the start of that day in the bank's zone. After the
 * cut-off or on a non-banking day: on the next banking day.
 */
export function executionOf(
  requestedDate: string | undefined,
  now: string,
  calendar: Calendar,
): { readonly executionDate: string; readonly dueAt: string } {
  const { timeZone, cutOff, settlementDelaySeconds } = calendar;
  const today = bankDateOf(now, timeZone);
  const isLate = cutOff !== undefined && bankTimeOf(now, timeZone) >= cutOff;
  const earliest = isLate ? addDays(today, 1) : today;
  const wanted = requestedDate !== undefined && requestedDate > earliest ? requestedDate : earliest;
  const executionDate = bankingDayFrom(wanted, calendar);
  const dueAt =
    executionDate === today
      ? addSeconds(now, settlementDelaySeconds)
      : startOfBankDay(executionDate, timeZone);
  return { executionDate, dueAt };
}
