import type { CurrencyExchange } from '@xs2a/contracts/accounts.contract';

/** A line of an account's history. The amount is in minor units of the account's currency; a debit is negative. */
export interface Entry {
  readonly entryId: string;
  readonly accountId: string;
  /** The transfer that the entry shows. Absent for a batch entry, which shows several (batch-entries.ts). */
  readonly transferId?: string;
  /** The id of the batch whose payments the entry combines. */
  readonly batchId?: string;
  /** The number of payments in the batch that the entry shows. */
  readonly batchNumberOfTransactions?: number;
  readonly amount: number;
  readonly currency: string;
  /** The rate at which the money was exchanged before it reached the account, if it was. */
  readonly currencyExchange?: readonly CurrencyExchange[];
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
