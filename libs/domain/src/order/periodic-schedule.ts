/**
 * The Berlin Group frequencyCode (ISO 20022 EventFrequency7Code), with the number of days or months between two
 * planned days. MonthlyVariable uses only the months in monthsOfExecution.
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

/**
 * The execution rules. Each moves a planned day that is a weekend day or holiday to the next or the previous
 * banking day.
 */
export const executionRules = ['following', 'preceding'] as const;
export type ExecutionRule = (typeof executionRules)[number];

/** The schedule of a periodic order (contract 9). Without endDate or numberOfPayments, the order has no end. */
export interface PeriodicSchedule {
  /** ISO date before which nothing is executed. */
  readonly startDate: string;
  /** ISO date after which nothing is executed. Never set together with numberOfPayments. */
  readonly endDate?: string;
  /** The number of occurrences of the order. */
  readonly numberOfPayments?: number;
  readonly frequency: Frequency;
  /** Day of the month, from 1 to 31, for frequencies counted in months. If absent, the day of startDate applies. */
  readonly dayOfExecution?: number;
  /** Distinct months of the year, from 1 to 12. Present only with MonthlyVariable. */
  readonly monthsOfExecution?: readonly number[];
  /** If absent, the planned day is not moved. */
  readonly executionRule?: ExecutionRule;
}
