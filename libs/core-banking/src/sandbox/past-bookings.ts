import { randomUUID } from 'node:crypto';
import type { Entry } from './ledger/entry.js';
import { toClearingAccount } from './ledger/ledger-ids.js';
import type { Transfer } from './ledger/ledger-writes.js';
import type { PastMovement } from './plausible-history.js';

/** What a seed writes to the ledger and to the history. */
export interface Booked {
  readonly transfers: Transfer[];
  readonly entries: Entry[];
}

/** The ledger account in which movements are booked, and the account whose history shows them. */
export interface BookedOn {
  readonly id: string;
  readonly currency: string;
  /** The account with the history, if it is another one. */
  readonly shownAt?: string;
}

/**
 * Books movements, oldest first, and before them the balance that makes them end at `closing`. The balance carried
 * forward has no entry. If there are no movements, it is carried forward at `now`.
 */
export const bookMovements = (
  booked: Booked,
  on: BookedOn,
  past: { readonly movements: readonly PastMovement[]; readonly closing: number; readonly now: string },
): void => {
  const { movements, closing, now } = past;
  const carried = closing - movements.reduce((sum, { amount }) => sum + amount, 0);
  if (carried !== 0) booked.transfers.push(directTransfer(on, carried, movements[0]?.at ?? now));
  for (const movement of movements) {
    const transfer = directTransfer(on, movement.amount, movement.at);
    booked.transfers.push(transfer);
    booked.entries.push(pastEntry(on, transfer, movement));
  }
};

const directTransfer = ({ id, currency }: BookedOn, amount: number, at: string): Transfer => ({
  id: randomUUID(),
  kind: 'direct',
  debitAccount: amount > 0 ? toClearingAccount('incoming', currency) : id,
  creditAccount: amount > 0 ? id : toClearingAccount('outgoing', currency),
  amount: Math.abs(amount),
  at,
});

const pastEntry = (
  { id, currency, shownAt = id }: BookedOn,
  transfer: Transfer,
  { amount, at, date, dealing }: PastMovement,
): Entry => ({
  entryId: randomUUID(),
  accountId: shownAt,
  transferId: transfer.id,
  amount,
  currency,
  counterpartyName: dealing.name,
  counterpartyAccount: dealing.account,
  remittance: dealing.remittance,
  bankTransactionCode: dealing.code,
  valueDate: date,
  pendingAt: at,
  bookAt: at,
});
