import { levaPerEuro, levToEuro } from '@xs2a/domain/money/lev-conversion';
import type { AccountBefore } from '@xs2a/domain/switch-over/forecast';
import type { SwitchOverFigures } from '@xs2a/domain/switch-over/report';
import { lastInstantBefore } from '@xs2a/domain/switch-over/switch-over-phase';
import { addDays, toBankDate } from '@xs2a/domain/time/bank-calendar';
import { inTransaction } from '@xs2a/postgres/transaction';
import { uuidv5 } from '@xs2a/runtime/ids';
import type { ClientBase, Pool } from 'pg';
import { bankTransactionCodes } from '../data/bank-transaction-codes.js';
import type { Entry } from '../ledger/entry.js';
import { levExchange } from '../euro/lev-exchange.js';
import { clearingWays, toClearingAccount } from '../ledger/ledger-ids.js';
import { column, insertEntries, insertTransfers, type Transfer } from '../ledger/ledger-writes.js';

/** The ids of the two transfers, and of their entries, that convert an account. */
const deriveLevOutId = (accountId: string): string => uuidv5('lev-out', accountId);
const deriveEuroInId = (accountId: string): string => uuidv5('euro-in', accountId);
const roundingId = uuidv5('rounding', toClearingAccount('rounding-differences', 'EUR'));

const remittance = `Превалутиране в евро ${levaPerEuro.replace('.', ',')}`;

/** The moment of the switch-over, and the zone of the bank's days. */
export interface ConversionDay {
  /** The start of the first day in euro (ISO instant). */
  readonly at: string;
  readonly timeZone: string;
}

interface LevAccount {
  readonly id: string;
  /** Stotinki; negative if overdrawn. */
  readonly balance: number;
  readonly creditLimit: number;
  readonly isHeld: boolean;
}

/** Thrown if an account still has a hold, which must be posted or voided in leva first. */
export class HoldsLeft extends Error {
  override readonly name = 'HoldsLeft';
}

/** A transfer that changes an account's balance by a positive or negative amount. */
const towards = (
  account: string,
  clearing: string,
  change: number,
  { id, at }: Pick<Transfer, 'id' | 'at'>,
): Transfer => ({
  id,
  kind: 'direct',
  debitAccount: change > 0 ? clearing : account,
  creditAccount: change > 0 ? account : clearing,
  amount: Math.abs(change),
  at,
});

const levOut = ({ id, balance }: LevAccount, at: string): Transfer =>
  towards(id, toClearingAccount('conversion', 'BGN'), -balance, {
    id: deriveLevOutId(id),
    at: lastInstantBefore(at),
  });

const euroIn = ({ id, balance }: LevAccount, at: string): Transfer =>
  towards(id, toClearingAccount('conversion', 'EUR'), levToEuro(balance), { id: deriveEuroInId(id), at });

/** The two entries of an account (contract E5.3). The one in euro is the newer one. */
const entriesOf = ({ id, balance }: LevAccount, { at, timeZone }: ConversionDay): Entry[] => {
  const shared = { accountId: id, remittance, bankTransactionCode: bankTransactionCodes.conversion };
  const valueDate = toBankDate(at, timeZone);
  const next = new Date(Date.parse(at) + 1).toISOString();
  return [
    {
      ...shared,
      entryId: deriveLevOutId(id),
      transferId: deriveLevOutId(id),
      amount: -balance,
      currency: 'BGN',
      valueDate,
      pendingAt: at,
      bookAt: at,
    },
    {
      ...shared,
      entryId: deriveEuroInId(id),
      transferId: deriveEuroInId(id),
      amount: levToEuro(balance),
      currency: 'EUR',
      currencyExchange: [levExchange(valueDate)],
      valueDate,
      pendingAt: next,
      bookAt: next,
    },
  ];
};

/** Sets the counters, which count only transfers in euro from now on, and the limit. */
const toEuroAccounts = async (
  client: ClientBase,
  accounts: readonly LevAccount[],
  at: string,
): Promise<void> => {
  const rows = accounts.map(({ id, balance, creditLimit }) => {
    const euro = levToEuro(balance);
    return { id, limit: levToEuro(creditLimit), debits: Math.max(-euro, 0), credits: Math.max(euro, 0) };
  });
  await client.query({
    text: `UPDATE ledger_account l SET currency = 'EUR', converted_at = $1, credit_limit = c.credit_limit,
        debits_posted = c.debits, credits_posted = c.credits
      FROM unnest($2::uuid[], $3::bigint[], $4::bigint[], $5::bigint[]) AS c (id, credit_limit, debits, credits)
      WHERE l.id = c.id`,
    values: [
      at,
      column('uuid', rows, 'id'),
      column('bigint', rows, 'limit'),
      column('bigint', rows, 'debits'),
      column('bigint', rows, 'credits'),
    ],
  });
};

/**
 * Converts up to `limit` customer accounts from leva to euro, whatever their status (contract E6.3): balance and
 * credit limit, the transfers, and two entries in the history if the balance is not zero. Returns the number of
 * accounts converted; 0 once all are. An account is converted exactly once, also if the process ends anywhere. The
 * pool needs the rights of the owner.
 * @throws {@link HoldsLeft}
 */
export const convertAccounts = async (pool: Pool, day: ConversionDay, limit: number): Promise<number> =>
  inTransaction(pool, async (client) => {
    const { rows: accounts } = await client.query<LevAccount>(
      `SELECT id, credits_posted - debits_posted AS balance, credit_limit AS "creditLimit",
        debits_pending + credits_pending > 0 AS "isHeld"
       FROM ledger_account WHERE customer AND currency = 'BGN' ORDER BY id LIMIT $1 FOR NO KEY UPDATE`,
      [limit],
    );
    const held = accounts.find(({ isHeld }) => isHeld);
    if (held !== undefined) throw new HoldsLeft(`account ${held.id} has a hold in leva`);
    const filled = accounts.filter(({ balance }) => balance !== 0);
    const { at, timeZone } = day;
    await insertTransfers(
      client,
      filled.flatMap((account) => [levOut(account, at), euroIn(account, at)]),
    );
    await insertEntries(
      client,
      filled.flatMap((account) => entriesOf(account, day)),
      timeZone,
    );
    await toEuroAccounts(client, accounts, at);
    return accounts.length;
  });

/**
 * Books the entries that are pending in leva, on the last day of the lev, and opens the bank's own accounts that the
 * conversion needs. A repeat changes nothing.
 */
export const bookPendingEntries = async (pool: Pool, { at, timeZone }: ConversionDay): Promise<void> => {
  const lastDay = addDays(toBankDate(at, timeZone), -1);
  await inTransaction(pool, async (client) => {
    await client.query(
      `UPDATE entry SET book_at = greatest(pending_at, $2),
         details = regexp_replace(details, '"bookingDate":"[0-9-]{10}"', '"bookingDate":"' || $3 || '"')
       WHERE pending_at < $1 AND pending_at > $1::timestamptz - interval '1 hour' AND book_at >= $1`,
      [at, lastInstantBefore(at), lastDay],
    );
    const own = ['BGN', 'EUR'].flatMap((currency) =>
      clearingWays.map((way) => ({ id: toClearingAccount(way, currency), currency })),
    );
    await client.query(
      `INSERT INTO ledger_account (id, currency, customer)
       SELECT id, currency, false FROM unnest($1::uuid[], $2::text[]) AS c (id, currency) ON CONFLICT DO NOTHING`,
      [column('uuid', own, 'id'), column('text', own, 'currency')],
    );
  });
};

/** Returns what was converted so far, from the transfers of the conversion. */
const readConvertedSums = async (pool: Pick<ClientBase, 'query'>): Promise<SwitchOverFigures['accounts']> => {
  const { rows } = await pool.query<Omit<SwitchOverFigures['accounts'], 'roundingDifference'>>(
    `SELECT (SELECT count(*)::int FROM ledger_account WHERE customer AND converted_at IS NOT NULL) AS converted,
       coalesce(sum(CASE credit_account WHEN $1 THEN amount ELSE 0 END)
         - sum(CASE debit_account WHEN $1 THEN amount ELSE 0 END), 0)::bigint AS bgn,
       coalesce(sum(CASE debit_account WHEN $2 THEN amount ELSE 0 END)
         - sum(CASE credit_account WHEN $2 THEN amount ELSE 0 END), 0)::bigint AS eur
     FROM transfer WHERE id <> $3 AND (ARRAY[debit_account, credit_account] && ARRAY[$1::uuid, $2::uuid])`,
    [toClearingAccount('conversion', 'BGN'), toClearingAccount('conversion', 'EUR'), roundingId],
  );
  const [row] = rows;
  if (row === undefined) throw new Error('the query has no row');
  return { ...row, roundingDifference: row.eur - levToEuro(row.bgn) };
};

/**
 * Books the difference between the sum of the converted balances and the converted sum, once all accounts are
 * converted. A repeat changes nothing.
 */
export const bookRounding = async (
  pool: Pool,
  { at }: ConversionDay,
): Promise<SwitchOverFigures['accounts']> =>
  inTransaction(pool, async (client) => {
    const conversion = toClearingAccount('conversion', 'EUR');
    await client.query('SELECT FROM ledger_account WHERE id = $1 FOR UPDATE', [conversion]);
    const sums = await readConvertedSums(client);
    const { rows } = await client.query('SELECT FROM transfer WHERE id = $1', [roundingId]);
    if (rows.length === 0 && sums.roundingDifference !== 0) {
      const rounding = toClearingAccount('rounding-differences', 'EUR');
      await insertTransfers(client, [
        towards(conversion, rounding, sums.roundingDifference, { id: roundingId, at }),
      ]);
    }
    return sums;
  });

/** Returns the customers' accounts as a forecast of the switch-over needs them. */
export const readAccountsBefore = async (pool: Pool): Promise<AccountBefore[]> => {
  const { rows } = await pool.query<AccountBefore>(
    `SELECT a.iban, l.currency, a.status = 'enabled' AS "isEnabled", l.credits_posted - l.debits_posted AS balance,
       l.credit_limit AS "creditLimit", l.debits_pending AS held
     FROM ledger_account l JOIN account a USING (id) WHERE l.customer`,
  );
  return rows;
};
