import { call } from './call.js';

/** The API groups in the bank's reports to its supervisor: account information, payment initiation, confirmation of funds. */
const reportedApis = ['AIS', 'PIS', 'CoF'] as const;
export type ReportedApi = (typeof reportedApis)[number];

/** The calls of one day and their outcomes, counted by a gateway. */
interface Tally {
  /** In the bank's time zone. @format date */
  readonly day: string;
  readonly api: ReportedApi;
  readonly calls: number;
  /** Answered with 4xx: the TPP's errors. */
  readonly refused: number;
  /** Answered with 5xx: the bank's errors. */
  readonly failed: number;
  /** Sum of the times to the last byte. */
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

/** The number of calls of one consent on one day that came with a PSU-IP-Address. */
export interface AddressTally {
  /** @format date */
  readonly day: string;
  readonly consentId: string;
  readonly tppId: string;
  readonly address: string;
  readonly calls: number;
  /** Number of those calls from the same address, which is then the TPP's own. */
  readonly fromTpp: number;
}

/** Some seconds of a gateway's calls. A repeated batch is stored once. */
export interface CallBatch {
  /** @format uuid */
  readonly batchId: string;
  readonly calls: readonly CallTally[];
  /** The same calls by TPP. */
  readonly byTpp: readonly TppTally[];
  readonly addresses: readonly AddressTally[];
}
export const recordCalls = call<CallBatch, Record<string, never>>(
  'svc.consents.record-calls',
  'idempotent',
  5000,
);
