import { currencies } from '@xs2a/domain/money/currencies';
import { isLockTimeout, isUnavailable } from '@xs2a/postgres/errors';
import { inTransaction } from '@xs2a/postgres/transaction';
import type { Clock } from '@xs2a/runtime/clock';
import { randomUUID } from 'node:crypto';
import type { ClientBase, Pool } from 'pg';
import type { FixtureAccount, Fixtures } from './fixtures.js';
import { toClearingAccount, clearingWays } from './ledger/ledger-ids.js';
import { bookLevPast } from './euro/book-lev-past.js';
import { splitAtConversion } from './euro/lev-past.js';
import { insertEntries, insertTransfers, moveCounters } from './ledger/ledger-writes.js';
import { hashPassword } from './people/password.js';
import {
  type AccountToOpen,
  insertAccount,
  insertCorporate,
  insertPsu,
  insertSigner,
} from './people/people.js';
import { type Booked, bookMovements } from './past-bookings.js';
import { countMonths, plausibleHistory } from './plausible-history.js';
import { sandboxAmount } from './ledger/sandbox-amount.js';

interface SeedOptions {
  readonly pool: Pool;
  readonly clock: Clock;
  readonly timeZone: string;
  /** The ISO date on which the lev ended; absent at a bank in leva. */
  readonly levEnd?: string;
}

/** How often {@link seed} is tried; an attempt ends after at most 6 s without an answer of the database. */
const maxTries = 5;

/**
 * Fills an empty bank, either completely or not at all (contract 13). Tries again if the database does not answer in
 * time, for example because its synchronous standby is still starting. Returns false if the bank already has customers.
 */
export const seed = async (options: SeedOptions, fixtures: Fixtures): Promise<boolean> => {
  for (let tries = 1; ; tries += 1) {
    try {
      return await fill(options, fixtures);
    } catch (error) {
      if (tries === maxTries || !(isUnavailable(error) || isLockTimeout(error))) throw error;
    }
  }
};

const fill = async (options: SeedOptions, fixtures: Fixtures): Promise<boolean> => {
  await openClearing(options.pool);
  if (await hasCustomers(options.pool)) return false;
  const hashes = await Promise.all(fixtures.psus.map(({ password }) => hashPassword(password)));
  return inTransaction(options.pool, async (client) => {
    // Nobody uses the bank yet, so this transaction may take longer than the usual limit, for example on a slow
    // machine. PostgreSQL keeps the timer that BEGIN started until the timeout is set to 0.
    await client.query(
      "SET LOCAL statement_timeout = '60s'; SET LOCAL transaction_timeout = 0; SET LOCAL transaction_timeout = '60s'",
    );
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
  { clock, timeZone, levEnd }: SeedOptions,
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
  const inLeva = fixture.openingInLeva;
  const today = clock.date(timeZone);
  const history = plausibleHistory({
    iban: fixture.iban,
    kind: 'corporateId' in account.owner ? 'corporate' : fixture.type === 'SVGS' ? 'savings' : 'person',
    months: countMonths(fixture, today),
    opening: inLeva === undefined ? opening : parseAmount(inLeva, { ...fixture, currency: 'BGN' }),
    today,
    timeZone,
  });
  const { lev, movements } =
    inLeva === undefined || levEnd === undefined
      ? { movements: history }
      : splitAtConversion(history, opening, levEnd);
  if (lev === undefined || levEnd === undefined)
    bookMovements(booked, account, { movements, closing: opening, now: clock.now() });
  else await bookLevPast(client, booked, { account, lev, movements, levEnd, timeZone });
};

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
