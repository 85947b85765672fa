import type { ExecutionRule, Frequency } from '@xs2a/domain/order/periodic-schedule';

/** Texts that say when a periodic order pays, in one language. Dates are already formatted. */
export interface ScheduleWords {
  readonly frequency: Readonly<Record<Frequency, string>>;
  /** Texts for the weekdays, Monday to Sunday. */
  readonly onWeekday: readonly string[];
  readonly inMonths: (often: string, months: string) => string;
  /** The text for a day of the month, 1 to 31. */
  readonly onDay: (day: number) => string;
  /** Texts of the execution rule: the day before or after a non-banking day. */
  readonly rule: Readonly<Record<ExecutionRule | 'none', string>>;
  readonly atLatest: (date: string) => string;
  readonly payments: (count: number) => string;
  readonly after: (payments: string) => string;
  readonly whenStopped: string;
  readonly from: (date: string) => string;
  readonly until: (date: string) => string;
  /** Says that only the PSU or the TPP ends the order. */
  readonly untilStopped: string;
  /** States the date of the only payment. */
  readonly on: (date: string) => string;
  /** States the date of the last of several payments. */
  readonly lastOn: (date: string) => string;
}
