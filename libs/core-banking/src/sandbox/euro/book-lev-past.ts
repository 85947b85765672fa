import { levToEuro } from '@xs2a/domain/money/lev-conversion';
import { addSeconds, startOfBankDay } from '@xs2a/domain/time/bank-calendar';
import { uuidv5 } from '@xs2a/runtime/ids';
import { randomUUID } from 'node:crypto';
import type { ClientBase } from 'pg';
import { bankTransactionCodes } from '../data/bank-transaction-codes.js';
import type { Entry } from '../ledger/entry.js';
import { toClearingAccount } from '../ledger/ledger-ids.js';
import type { Transfer } from '../ledger/ledger-writes.js';
import { type Booked, bookMovements } from '../past-bookings.js';
import type { PastMovement } from '../plausible-history.js';
import { levExchange } from './lev-exchange.js';
import type { LevPast } from './lev-past.js';

interface ConvertedAccount {
  readonly account: { readonly id: string; readonly currency: string };
  readonly lev: LevPast;
  /** The movements since the conversion, in cents. */
  readonly movements: readonly PastMovement[];
  /** The day of the conversion. */
  readonly levEnd: string;
  readonly timeZone: string;
}

const remittance = 'Превалутиране в евро 1,95583';

/**
 * Books the history of an account that was converted into euro (contract E5.3). A ledger account has one
 * currency, so the movements in leva are those of a ledger account of their own, which the conversion leaves at
 * zero. The history of the customer's account shows them all.
 */
export const bookLevPast = async (
  client: ClientBase,
  booked: Booked,
  { account, lev, movements, levEnd, timeZone }: ConvertedAccount,
): Promise<void> => {
  const levAccount = uuidv5('account-in-leva', account.id);
  await client.query(`INSERT INTO ledger_account (id, currency, customer) VALUES ($1, 'BGN', true)`, [
    levAccount,
  ]);
  const at = startOfBankDay(levEnd, timeZone);
  bookMovements(
    booked,
    { id: levAccount, currency: 'BGN', shownAt: account.id },
    { movements: lev.movements, closing: lev.balance, now: at },
  );
  bookConversion(booked, { account: account.id, levAccount, leva: lev.balance, levEnd, at });
  // The conversion has brought the balance in, so none is carried forward.
  const closing = movements.reduce((sum, { amount }) => sum + amount, 0);
  bookMovements(booked, account, { movements, closing, now: at });
};

interface Conversion {
  readonly account: string;
  readonly levAccount: string;
  readonly leva: number;
  readonly levEnd: string;
  readonly at: string;
}

/** Books the balance in leva out and the balance in euro in; nothing for a balance of zero. */
const bookConversion = (booked: Booked, { account, levAccount, leva, levEnd, at }: Conversion): void => {
  if (leva === 0) return;
  const out: Transfer = {
    id: randomUUID(),
    kind: 'direct',
    debitAccount: levAccount,
    creditAccount: toClearingAccount('exchange', 'BGN'),
    amount: leva,
    at,
  };
  const into: Transfer = {
    id: randomUUID(),
    kind: 'direct',
    debitAccount: toClearingAccount('exchange', 'EUR'),
    creditAccount: account,
    amount: levToEuro(leva),
    at,
  };
  const entry = { accountId: account, remittance, bankTransactionCode: bankTransactionCodes.conversion };
  const day = { valueDate: levEnd, pendingAt: at, bookAt: at };
  // A second apart, so that the history shows them in this order.
  const later = addSeconds(at, 1);
  const entries: readonly Entry[] = [
    { ...entry, ...day, entryId: randomUUID(), transferId: out.id, amount: -leva, currency: 'BGN' },
    {
      ...entry,
      ...day,
      entryId: randomUUID(),
      transferId: into.id,
      amount: into.amount,
      currency: 'EUR',
      currencyExchange: [levExchange(levEnd)],
      pendingAt: later,
      bookAt: later,
    },
  ];
  booked.transfers.push(out, into);
  booked.entries.push(...entries);
};
