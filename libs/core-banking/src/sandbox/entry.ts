/** A line of an account's history. Amount signed from the account's view, minor units of the account's currency. */
export interface Entry {
  readonly entryId: string;
  readonly accountId: string;
  readonly transferId: string;
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
