import { call } from './call.js';

/**
 * The API groups in the bank's reports to its supervisor: account information, payment initiation and confirmation
 * of funds.
 */
const reportedApis = ['AIS', 'PIS', 'CoF'] as const;
export type ReportedApi = (typeof reportedApis)[number];

/** The calls and outcomes that a gateway counted on one day. */
interface Tally {
  /** In the bank's time zone. @format date */
  readonly day: string;
  readonly api: ReportedApi;
  readonly calls: number;
  /** Number of 4xx responses: the TPP's errors. */
  readonly refused: number;
  /** Number of 5xx responses: the bank's errors. */
  readonly failed: number;
  /** Sum of the times to the last byte, in milliseconds. */
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

/** The number of calls on one consent in one day that contained a PSU-IP-Address. */
export interface AddressTally {
  /** @format date */
  readonly day: string;
  readonly consentId: string;
  readonly tppId: string;
  readonly address: string;
  readonly calls: number;
  /** The number of those calls that came from the PSU-IP-Address itself, which is then the TPP's own address. */
  readonly fromTpp: number;
}

/** A few seconds of a gateway's calls. A repeated batch is stored once. */
export interface CallBatch {
  /** @format uuid */
  readonly batchId: string;
  readonly calls: readonly CallTally[];
  /** The same calls, by TPP. */
  readonly byTpp: readonly TppTally[];
  readonly addresses: readonly AddressTally[];
}
export const recordCalls = call<CallBatch, Record<string, never>>(
  'svc.consents.record-calls',
  'idempotent',
  5000,
);
