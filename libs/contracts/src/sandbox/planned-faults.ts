/**
 * What a TPP plans to happen to its next calls of an operation, in a sandbox: `unavailable`: 503, and nothing is done;
 * `too-many-requests`: 429, and nothing is done; `lost-answer`: the call is done, and its connection ends without an answer.
 */
export const plannedOutcomes = ['unavailable', 'too-many-requests', 'lost-answer'] as const;
export type PlannedOutcome = (typeof plannedOutcomes)[number];

export interface PlannedFault {
  /** The name of the endpoint, such as `initiatePayment`. */
  readonly operation: string;
  readonly outcome: PlannedOutcome;
  /** How many of the next calls it concerns. */
  readonly calls: number;
}

/** The key-value bucket of the sandbox with the faults that each TPP has planned, as JSON under its client id. */
export const plannedFaultBucket = 'PLANNED_FAULTS';
/** After this long without a change, the faults of a TPP are forgotten; in milliseconds of real time. */
export const plannedFaultsKeptMs = 60 * 60 * 1000;
