import { idempotencyFailures } from '@xs2a/contracts/call';
import { type Failure, fail } from '@xs2a/domain/failure/failures';
import { isIban } from '@xs2a/domain/iban/iban';
import { toBankDate } from '@xs2a/domain/time/bank-calendar';
import type { HashKeys } from '@xs2a/postgres/hash-keys';
import { type OwnedKey, executeIdempotently } from '@xs2a/postgres/idempotent-execution';
import { inTransaction } from '@xs2a/postgres/transaction';
import type { Clock } from '@xs2a/runtime/clock';
import { newId } from '@xs2a/runtime/ids';
import { readDto } from '@xs2a/runtime/read-dto';
import { randomUUID } from 'node:crypto';
import type { ClientBase, Pool } from 'pg';
import { bankTransactionCodes } from '../data/bank-transaction-codes.js';
import { isAccountOf } from '../people/created-psus.js';
import { toClearingAccount } from './ledger-ids.js';
import { DepositDto } from './deposit.dto.js';
import { toTransactionId } from '@xs2a/runtime/booking-ids';
import type { Entry } from './entry.js';
import { insertEntries, insertTransfers, moveCounters, type Transfer } from './ledger-writes.js';
import { sandboxAmount } from './sandbox-amount.js';

/** A deposit without its amount. */
export interface DepositTo {
  readonly iban: string;
  /** The idempotency key. A repeat with the same key is not deposited again. */
  readonly idempotencyKey?: OwnedKey;
  /** A TPP's id. If set, the deposit is refused unless this TPP created the account. */
  readonly createdBy?: string | undefined;
}
export interface Deposit extends DepositTo {
  /** `{amount, currency}` after validation, with the amount in major units. */
  readonly body: unknown;
}
interface Refused {
  readonly refused: readonly Failure[];
}
export type Deposited = { readonly transactionId: string } | Refused;

interface Till {
  readonly pool: Pool;
  readonly clock: Clock;
  readonly timeZone: string;
  readonly hashKeys: HashKeys;
}

/**
 * Deposits cash, which is booked immediately and appears in the history (contract 13). Fails with resourceUnknown
 * if the account is not an open account of this bank, or with fieldMalformed for the amount or the currency.
 */
export const deposit = async (till: Till, { body, ...to }: Deposit): Promise<Deposited> =>
  onAccount<Deposited>(till, to, async (client, account) => payIn(till, client, account, body));

/** Returns the failures of {@link deposit} that do not depend on the body; empty if there are none. */
export const checkDeposit = async (till: Till, to: DepositTo): Promise<readonly Failure[]> => {
  const checked = await onAccount(till, to, async () => ({}));
  return 'refused' in checked ? checked.refused : [];
};

/** Runs `work` on the account, once per idempotency key. The key takes precedence over the account (contract 3). */
const onAccount = async <Answer extends object>(
  { pool, clock, hashKeys }: Till,
  { iban, idempotencyKey, createdBy }: DepositTo,
  work: (client: ClientBase, account: LockedAccount) => Promise<Answer>,
): Promise<Answer | Refused> =>
  inTransaction(pool, async (client) => {
    const outcome = await executeIdempotently<Answer | Refused>(
      client,
      { key: idempotencyKey, nowMs: clock.nowMs(), hashKeys },
      (answer) => 'transactionId' in answer,
      async () => {
        const account = isIban(iban) ? await lockAccount(client, iban, createdBy) : undefined;
        return account === undefined ? { refused: [fail('resourceUnknown')] } : work(client, account);
      },
    );
    return 'answer' in outcome ? outcome.answer : { refused: [idempotencyFailures[outcome.taken]] };
  });

const payIn = async (
  { clock, timeZone }: Till,
  client: ClientBase,
  account: LockedAccount,
  body: unknown,
): Promise<Deposited> => {
  const amount = parseAmount(body, account);
  if (typeof amount !== 'number') return { refused: amount };
  const at = clock.now();
  const transfer: Transfer = {
    id: randomUUID(),
    kind: 'direct',
    debitAccount: toClearingAccount('incoming', account.currency),
    creditAccount: account.id,
    amount,
    at,
  };
  const entryId = newId();
  await insertTransfers(client, [transfer]);
  await moveCounters(client, [transfer]);
  const entry: Entry = {
    entryId,
    accountId: account.id,
    transferId: transfer.id,
    amount,
    currency: account.currency,
    counterpartyName: 'Каса',
    remittance: 'Вноска на каса',
    bankTransactionCode: bankTransactionCodes.cashDeposit,
    valueDate: toBankDate(at, timeZone),
    pendingAt: at,
    bookAt: at,
  };
  await insertEntries(client, [entry], timeZone);
  return { transactionId: toTransactionId(entryId) };
};

/** Parses the amount into minor units, or returns the violations in field order if it is invalid. */
const parseAmount = (
  body: unknown,
  { currency, room }: Pick<LockedAccount, 'currency' | 'room'>,
): number | readonly Failure[] => {
  let minor = 0;
  const read = readDto(DepositDto, body, {
    rules: (sent) => {
      const amount = sandboxAmount(sent.amount, currency, false);
      if (typeof amount === 'number') minor = amount;
      return [
        ...amountProblem(amount, room),
        ...(sent.currency === currency
          ? []
          : [fail('fieldMalformed', 'currency', 'Send the currency of the account.')]),
      ];
    },
  });
  return 'failures' in read ? read.failures : minor;
};

const amountProblem = (amount: number | string, room: number): Failure[] => {
  if (typeof amount === 'string') return [fail('fieldMalformed', 'amount', amount)];
  return amount > room ? [fail('fieldMalformed', 'amount', 'The account cannot hold that much.')] : [];
};

interface LockedAccount {
  readonly id: string;
  readonly currency: string;
  /** The maximum amount that can still be credited to the account, in minor units. */
  readonly room: number;
}

const lockAccount = async (
  client: ClientBase,
  iban: string,
  createdBy: string | undefined,
): Promise<LockedAccount | undefined> => {
  const { rows } = await client.query<LockedAccount>(
    `SELECT l.id, l.currency, 9007199254740991 - l.credits_posted - l.credits_pending - l.credit_limit AS room
     FROM account a JOIN ledger_account l ON l.id = a.id
     WHERE a.iban = $1 AND a.status <> 'closed' AND ${isAccountOf('$2')} FOR NO KEY UPDATE OF l`,
    [iban, createdBy],
  );
  return rows[0];
};
