import type { Profile } from '../profile/profile.js';
import { addDays, addSeconds, toBankDate, toBankTime, startOfBankDay } from '../time/bank-calendar.js';
import { bankingDayFrom, isWeekendOrHoliday } from '../time/banking-days.js';

type Calendar = Pick<Profile, 'timeZone' | 'bankingDays' | 'holidays' | 'cutOff' | 'settlementDelaySeconds'>;

/**
 * True if the bank executes payments on that day (contract 8). In the sandbox, the bank executes payments every
 * day.
 */
export const isBankingDay = (isoDate: string, { bankingDays, holidays }: Calendar): boolean =>
  bankingDays === 'every-day' || !isWeekendOrHoliday(isoDate, holidays);

/**
 * When a payment signed now is executed: the ISO date, and the instant from which settlement is due. Without a
 * requested date, or if that date is today or in the past, settlement is due after the settlement delay. With a
 * later date, it is due at the start of that day in the bank's zone. After the cut-off or on a non-banking day, it
 * moves to the next banking day.
 */
export function planExecution(
  requestedDate: string | undefined,
  now: string,
  calendar: Calendar,
): { readonly executionDate: string; readonly dueAt: string } {
  const { timeZone, cutOff, settlementDelaySeconds } = calendar;
  const today = toBankDate(now, timeZone);
  const isLate = cutOff !== undefined && toBankTime(now, timeZone) >= cutOff;
  const earliest = isLate ? addDays(today, 1) : today;
  const wanted = requestedDate !== undefined && requestedDate > earliest ? requestedDate : earliest;
  const executionDate = isBankingDay(wanted, calendar)
    ? wanted
    : bankingDayFrom(wanted, 'following', calendar.holidays);
  const dueAt =
    executionDate === today
      ? addSeconds(now, settlementDelaySeconds)
      : startOfBankDay(executionDate, timeZone);
  return { executionDate, dueAt };
}
