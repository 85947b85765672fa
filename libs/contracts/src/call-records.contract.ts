import { call } from './call.js';

/**
 * The API groups in the bank's reports to its supervisor: account information, payment initiation and confirmation
 * of funds.
 */
const reportedApis = ['AIS', 'PIS', 'CoF'] as const;
export type ReportedApi = (typeof reportedApis)[number];

/** One day's calls and their outcomes, as counted by a gateway. */
interface Tally {
  /** The day in the bank's time zone. @format date */
  readonly day: string;
  readonly api: ReportedApi;
  readonly calls: number;
  /** The number of 4xx responses, which count as the TPP's errors. */
  readonly refused: number;
  /** The number of 5xx responses, which count as the bank's errors. */
  readonly failed: number;
  /** The sum of the response times, measured to the last byte, in milliseconds. */
  readonly totalMs: number;
}
/** The calls to one endpoint. */
export interface CallTally extends Tally {
  readonly endpoint: string;
}
/** The calls of one TPP. */
export interface TppTally extends Tally {
  /** Empty for calls without a valid token. */
  readonly tppId: string;
}

/** The number of calls in one day that used one consent and contained a PSU-IP-Address. */
export interface AddressTally {
  /** @format date */
  readonly day: string;
  readonly consentId: string;
  readonly tppId: string;
  readonly address: string;
  readonly calls: number;
  /**
   * The number of those calls that were sent from the address given as PSU-IP-Address, which is then the TPP's own
   * address.
   */
  readonly fromTpp: number;
}

/** The calls that a gateway handled within a few seconds. A repeated batch is stored only once. */
export interface CallBatch {
  /** @format uuid */
  readonly batchId: string;
  readonly calls: readonly CallTally[];
  /** The same calls, grouped by TPP. */
  readonly byTpp: readonly TppTally[];
  readonly addresses: readonly AddressTally[];
}
export const recordCalls = call<CallBatch, Record<string, never>>(
  'svc.consents.record-calls',
  'idempotent',
  5000,
);
