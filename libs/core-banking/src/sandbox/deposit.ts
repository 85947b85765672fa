import { type Failure, fail } from '@xs2a/domain/failure/failures';
import { currencyOf } from '@xs2a/domain/money/currencies';
import { bankDateOf } from '@xs2a/domain/time/bank-calendar';
import { inTransaction } from '@xs2a/postgres/transaction';
import type { Clock } from '@xs2a/runtime/clock';
import { newId } from '@xs2a/runtime/ids';
import { randomUUID } from 'node:crypto';
import type { ClientBase, Pool } from 'pg';
import { bankTransactionCodes } from './data/bank-transaction-codes.js';
import { clearingAccountOf, transactionIdOf } from './ledger-ids.js';
import { insertEntries, insertTransfers, moveCounters, type Transfer } from './ledger-writes.js';
import { sandboxAmount } from './sandbox-amount.js';

export interface Deposit {
  readonly iban: string;
  /** Major units. */
  readonly amount: string;
  readonly currency: string;
}

/**
 * Pays cash in, booked at once and shown in the history (contract 13). Refused with resourceUnknown when the account is
 * not an open one of this bank, with fieldMalformed for amount or currency.
 */
export const deposit = async (
  { pool, clock, timeZone }: { readonly pool: Pool; readonly clock: Clock; readonly timeZone: string },
  order: Deposit,
): Promise<{ readonly transactionId: string } | { readonly refused: Failure }> =>
  inTransaction(pool, async (client) => {
    const account = await lockAccount(client, order.iban);
    if (account === undefined) return { refused: fail('resourceUnknown') };
    if (currencyOf(order.currency) === undefined || order.currency !== account.currency) {
      return { refused: fail('fieldMalformed', 'currency', 'Send the currency of the account.') };
    }
    const amount = sandboxAmount(order.amount, account.currency, false);
    if (typeof amount === 'string') return { refused: fail('fieldMalformed', 'amount', amount) };
    if (amount > account.room)
      return { refused: fail('fieldMalformed', 'amount', 'The account cannot hold that much.') };
    const at = clock.now();
    const transfer: Transfer = {
      id: randomUUID(),
      kind: 'direct',
      debitAccount: clearingAccountOf('incoming', account.currency),
      creditAccount: account.id,
      amount,
      at,
    };
    const entryId = newId();
    await insertTransfers(client, [transfer]);
    await moveCounters(client, [transfer]);
    await insertEntries(client, [
      {
        entryId,
        accountId: account.id,
        transferId: transfer.id,
        amount,
        counterpartyName: 'Каса',
        remittance: 'Вноска на каса',
        bankTransactionCode: bankTransactionCodes.cashDeposit,
        valueDate: bankDateOf(at, timeZone),
        pendingAt: at,
        bookAt: at,
      },
    ]);
    return { transactionId: transactionIdOf(entryId) };
  });

const lockAccount = async (
  client: ClientBase,
  iban: string,
): Promise<{ id: string; currency: string; room: number } | undefined> => {
  const { rows } = await client.query<{ id: string; currency: string; room: number }>(
    `SELECT l.id, l.currency, 9007199254740991 - l.credits_posted - l.credits_pending - l.credit_limit AS room
     FROM account a JOIN ledger_account l ON l.id = a.id
     WHERE a.iban = $1 AND a.status <> 'closed' FOR NO KEY UPDATE OF l`,
    [iban],
  );
  return rows[0];
};
