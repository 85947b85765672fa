import { currencies } from '@xs2a/domain/money/currencies';
import { inTransaction } from '@xs2a/postgres/transaction';
import type { Clock } from '@xs2a/runtime/clock';
import { randomUUID } from 'node:crypto';
import type { ClientBase, Pool } from 'pg';
import type { FixtureAccount, Fixtures } from './fixtures.js';
import { toClearingAccount, clearingWays } from './ledger/ledger-ids.js';
import type { Entry } from './ledger/entry.js';
import { insertEntries, insertTransfers, moveCounters, type Transfer } from './ledger/ledger-writes.js';
import { hashPassword } from './people/password.js';
import {
  type AccountToOpen,
  insertAccount,
  insertCorporate,
  insertPsu,
  insertSigner,
} from './people/people.js';
import { type PastMovement, plausibleHistory } from './plausible-history.js';
import { sandboxAmount } from './ledger/sandbox-amount.js';

interface SeedOptions {
  readonly pool: Pool;
  readonly clock: Clock;
  readonly timeZone: string;
}

/**
 * Fills an empty bank, either completely or not at all (contract 13). Returns false if the bank already has
 * customers.
 */
export const seed = async (options: SeedOptions, fixtures: Fixtures): Promise<boolean> => {
  await openClearing(options.pool);
  if (await hasCustomers(options.pool)) return false;
  const hashes = await Promise.all(fixtures.psus.map(({ password }) => hashPassword(password)));
  return inTransaction(options.pool, async (client) => {
    // Nobody uses the bank yet, so this transaction may take longer than the usual limit, for example on a
    // slow machine.
    await client.query("SET LOCAL transaction_timeout = '60s'");
    // This account exists in every bank. The instance that locks it fills the empty bank while the others
    // wait.
    await client.query('SELECT FROM ledger_account WHERE id = $1 FOR UPDATE', [
      toClearingAccount('outgoing', 'BGN'),
    ]);
    if (await hasCustomers(client)) return false;
    await insertPeople(client, fixtures, hashes);
    const booked: Booked = { transfers: [], entries: [] };
    for (const account of fixtures.accounts) await openAccount(client, account, fixtures, options, booked);
    await insertTransfers(client, booked.transfers);
    await moveCounters(client, booked.transfers);
    await insertEntries(client, booked.entries, options.timeZone);
    return true;
  });
};

const hasCustomers = async (database: Pick<ClientBase, 'query'>): Promise<boolean> =>
  (await database.query<{ psu_id: string }>('SELECT psu_id FROM psu LIMIT 1')).rows.length > 0;

interface Booked {
  readonly transfers: Transfer[];
  readonly entries: Entry[];
}

/**
 * Opens the bank's own accounts. This also happens in a bank that already has customers, because a later version
 * may need more of these accounts.
 */
const openClearing = async (database: Pick<Pool, 'query'>): Promise<void> => {
  const accounts = currencies.flatMap(({ code }) =>
    clearingWays.map((way) => ({ id: toClearingAccount(way, code), code })),
  );
  await database.query(
    `INSERT INTO ledger_account (id, currency, customer)
      SELECT id, currency, false FROM unnest($1::uuid[], $2::text[]) AS c (id, currency) ON CONFLICT DO NOTHING`,
    [accounts.map(({ id }) => id), accounts.map(({ code }) => code)],
  );
};

const insertPeople = async (
  client: ClientBase,
  { psus, corporates }: Fixtures,
  hashes: readonly string[],
): Promise<void> => {
  for (const corporate of corporates) await insertCorporate(client, corporate);
  for (const [index, psu] of psus.entries()) {
    await insertPsu(client, { psuId: psu.psuId, name: psu.name, passwordHash: hashes[index] ?? '' });
    for (const corporateId of psu.corporateIds ?? []) await insertSigner(client, psu.psuId, corporateId);
  }
};

const openAccount = async (
  client: ClientBase,
  fixture: FixtureAccount,
  fixtures: Fixtures,
  { clock, timeZone }: SeedOptions,
  booked: Booked,
): Promise<void> => {
  const account: AccountToOpen = {
    ...fixture,
    id: randomUUID(),
    status: fixture.status ?? 'enabled',
    main: fixture.main ?? false,
    creditLimit: parseAmount(fixture.creditLimit, fixture),
    owner: findOwner(fixture.iban, fixtures),
  };
  await insertAccount(client, account);
  const opening = parseAmount(fixture.opening, fixture);
  const movements = plausibleHistory({
    iban: fixture.iban,
    kind: 'corporateId' in account.owner ? 'corporate' : fixture.type === 'SVGS' ? 'savings' : 'person',
    months: fixture.historyMonths,
    opening,
    today: clock.date(timeZone),
    timeZone,
  });
  const before = movements[0]?.at ?? clock.now();
  const carried = opening - movements.reduce((sum, { amount }) => sum + amount, 0);
  // The balance carried forward from before the history has no entry in the history.
  if (carried !== 0) booked.transfers.push(directTransfer(account, carried, before));
  for (const movement of movements) {
    const transfer = directTransfer(account, movement.amount, movement.at);
    booked.transfers.push(transfer);
    booked.entries.push(pastEntry(account, transfer, movement));
  }
};

const directTransfer = ({ id, currency }: AccountToOpen, amount: number, at: string): Transfer => ({
  id: randomUUID(),
  kind: 'direct',
  debitAccount: amount > 0 ? toClearingAccount('incoming', currency) : id,
  creditAccount: amount > 0 ? id : toClearingAccount('outgoing', currency),
  amount: Math.abs(amount),
  at,
});

const pastEntry = (
  account: AccountToOpen,
  transfer: Transfer,
  { amount, at, date, dealing }: PastMovement,
): Entry => ({
  entryId: randomUUID(),
  accountId: account.id,
  transferId: transfer.id,
  amount,
  currency: account.currency,
  counterpartyName: dealing.name,
  counterpartyAccount: dealing.account,
  remittance: dealing.remittance,
  bankTransactionCode: dealing.code,
  valueDate: date,
  pendingAt: at,
  bookAt: at,
});

const findOwner = (iban: string, { psus, corporates }: Fixtures): AccountToOpen['owner'] => {
  const psu = psus.find(({ accounts }) => accounts?.includes(iban));
  if (psu !== undefined) return { psuId: psu.psuId };
  const corporate = corporates.find(({ accounts }) => accounts.includes(iban));
  if (corporate === undefined) throw new Error('fixtures: an account has no owner');
  return { corporateId: corporate.corporateId };
};

const parseAmount = (text: string, { iban, currency }: FixtureAccount): number => {
  const amount = sandboxAmount(text, currency, true);
  if (typeof amount === 'string') throw new Error(`fixtures: account ${iban}: ${amount}`);
  return amount;
};
