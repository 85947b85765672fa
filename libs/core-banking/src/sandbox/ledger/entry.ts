/** A line of an account's history. Amount signed from the account's view, minor units of the account's currency. */
export interface Entry {
  readonly entryId: string;
  readonly accountId: string;
  /** The transfer that it shows; absent on the entry of a batch, which shows several (batch-entries.ts). */
  readonly transferId?: string;
  /** Id of the batch whose payments it shows together. */
  readonly batchId?: string;
  /** How many payments of the batch it shows. */
  readonly batchNumberOfTransactions?: number;
  readonly amount: number;
  readonly currency: string;
  readonly counterpartyName?: string;
  readonly counterpartyAccount?: string;
  readonly remittance?: string;
  readonly endToEndId?: string;
  readonly bankTransactionCode?: string;
  /** ISO date. */
  readonly valueDate: string;
  readonly pendingAt: string;
  readonly bookAt: string;
}
