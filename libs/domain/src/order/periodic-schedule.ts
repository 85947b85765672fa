/**
 * The Berlin Group frequencyCode (ISO 20022 EventFrequency7Code): the number of days or months between two planned
 * days. MonthlyVariable uses only the months in monthsOfExecution.
 */
export const frequencies = {
  Daily: { days: 1 },
  Weekly: { days: 7 },
  EveryTwoWeeks: { days: 14 },
  Monthly: { months: 1 },
  EveryTwoMonths: { months: 2 },
  Quarterly: { months: 3 },
  SemiAnnual: { months: 6 },
  Annual: { months: 12 },
  MonthlyVariable: { months: 1 },
} as const satisfies Readonly<Record<string, { readonly days: number } | { readonly months: number }>>;
export type Frequency = keyof typeof frequencies;

/** An execution rule moves a planned day on a weekend or holiday to the next or the previous banking day. */
export const executionRules = ['following', 'preceding'] as const;
export type ExecutionRule = (typeof executionRules)[number];

/** When a periodic order pays (contract 9). Without endDate and numberOfPayments it has no end. */
export interface PeriodicSchedule {
  /** ISO date before which nothing is executed. */
  readonly startDate: string;
  /** ISO date after which nothing is executed; never together with numberOfPayments. */
  readonly endDate?: string;
  /** The number of occurrences of the order. */
  readonly numberOfPayments?: number;
  readonly frequency: Frequency;
  /** Day of the month, 1 to 31, for frequencies of months; absent: the day of startDate. */
  readonly dayOfExecution?: number;
  /** Months of the year, 1 to 12, each once; with MonthlyVariable and only there. */
  readonly monthsOfExecution?: readonly number[];
  /** Absent: the planned day is used as it is. */
  readonly executionRule?: ExecutionRule;
}
