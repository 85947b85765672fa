import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { TransactionEntry } from '@xs2a/contracts/accounts.contract';
import { levToEuro } from '@xs2a/domain/money/lev-conversion';
import { makeCustomers } from '../../testing/customers.js';
import { type FreshBank, freshBank } from '../../testing/fresh-bank.js';
import { ledgerViolations } from '../ledger/ledger-invariants.js';
import { openSandboxBank } from '../sandbox-bank.js';

const levEnd = '2026-01-01';
const main = 'BG25XSBK92001000000001';
const levExchange = {
  sourceCurrency: 'BGN',
  targetCurrency: 'EUR',
  unitCurrency: 'EUR',
  exchangeRate: '1.95583',
  quotationDate: levEnd,
};

let fresh: FreshBank;
beforeAll(async () => {
  fresh = await freshBank('bg-euro');
}, 60_000);
afterAll(() => fresh.close(), 30_000);
afterEach(async () => {
  expect(await ledgerViolations(fresh.pool)).toEqual([]);
});

const { page, deposit } = makeCustomers(() => fresh);
const accountId = async (iban: string): Promise<string> =>
  (await fresh.pool.query<{ id: string }>('SELECT id FROM account WHERE iban = $1', [iban])).rows[0]?.id ??
  '';

/** All booked entries of an account, oldest first. */
const history = async (iban: string): Promise<readonly TransactionEntry[]> => {
  const resourceId = await accountId(iban);
  const entries: TransactionEntry[] = [];
  let cursor: string | undefined;
  do {
    const read = await page(resourceId, { pageSize: 500, ...(cursor === undefined ? {} : { cursor }) });
    entries.push(...read.booked);
    cursor = read.nextCursor;
  } while (cursor !== undefined);
  return entries.toReversed();
};
const sum = (amounts: readonly number[]): number => amounts.reduce((total, minor) => total + minor, 0);
const inCurrency = (entries: readonly TransactionEntry[], code: string): number[] =>
  entries.filter(({ amount }) => amount.currency === code).map(({ amount }) => amount.minor);

describe('the seed of a bank in euro (contract E8.1)', () => {
  it.each([
    [main, 255_646, 0],
    ['BG95XSBK92001000000002', 5113, 0],
    ['BG50XSBK92001400000003', 120_000, 0],
    ['BG46XSBK92001000000011', 12_782, 25_565],
    ['BG45XSBK92001500000012', 511_292, 0],
    ['BG67XSBK92001000000021', 5_112_919, 1_022_584],
    ['BG22XSBK92001400000022', 5_000_000, 0],
    ['BG88XSBK92001000000031', 15_339, 0],
    ['BG12XSBK92001000000041', 20_000, 0],
  ])('gives %s %d cents and a credit limit of %d, all in euro', async (iban, opening, creditLimit) => {
    const [data] = await fresh.bank.accounts.details([await accountId(iban)]);
    const amount = { minor: opening + creditLimit, currency: 'EUR' };
    expect(data).toMatchObject({ currency: 'EUR', balances: [{ amount }, { amount }] });
  });

  it('has a joint account of ivan, and the Latin and trading names and the EIK of acme', async () => {
    const accounts = await fresh.bank.psus.listAccounts('ivan');
    expect(accounts.map(({ iban }) => iban)).toContain('BG12XSBK92001000000041');
    const { rows } = await fresh.pool.query(
      "SELECT p.name, a.holders FROM account a JOIN psu p USING (psu_id) WHERE a.iban = 'BG12XSBK92001000000041'",
    );
    expect(rows).toEqual([{ name: 'Иван Петров', holders: ['Мария Георгиева'] }]);
    const { rows: corporates } = await fresh.pool.query(
      'SELECT name, other_names, eik, payee_verification_opt_out FROM corporate',
    );
    expect(corporates).toEqual([
      {
        name: 'Акме ЕООД',
        other_names: ['Acme EOOD', 'Akme Trade'],
        eik: '999999995',
        payee_verification_opt_out: false,
      },
    ]);
  });

  it('changes nothing if the bank is opened again', async () => {
    const count = async (): Promise<unknown> =>
      (
        await fresh.pool.query(
          'SELECT (SELECT count(*) FROM transfer), (SELECT count(*) FROM entry) AS entries',
        )
      ).rows;
    const before = await count();
    await openSandboxBank(fresh);
    expect(await count()).toEqual(before);
  });
});

describe('entries from before the changeover (contract E5.2)', () => {
  it('stay in leva, with the rate and their amount in euro added', async () => {
    const entries = await history(main);
    const december = entries.filter(({ bookingDate = '' }) => bookingDate.startsWith('2025-12'));
    expect(december.length).toBeGreaterThan(5);
    for (const { amount, accountCurrencyAmount, currencyExchange } of december) {
      expect(amount.currency).toBe('BGN');
      expect(accountCurrencyAmount).toEqual({ minor: levToEuro(amount.minor), currency: 'EUR' });
      expect(currencyExchange).toEqual([levExchange]);
    }
    const [one] = december;
    const resourceId = await accountId(main);
    expect(await fresh.bank.accounts.entry({ resourceId }, one?.transactionId ?? '')).toEqual(one);
  });

  it('are followed by entries in euro without either', async () => {
    const later = (await history(main)).filter(({ bookingDate = '' }) => bookingDate > levEnd);
    expect(later.length).toBeGreaterThan(5);
    for (const { amount, accountCurrencyAmount, currencyExchange } of later)
      expect([amount.currency, accountCurrencyAmount, currencyExchange]).toEqual([
        'EUR',
        undefined,
        undefined,
      ]);
  });
});

describe('the conversion of an account (contract E5.3)', () => {
  it('is two booked entries of that day: the balance in leva out, the balance in euro in', async () => {
    const entries = await history(main);
    const place = entries.findIndex(({ remittance }) => remittance === 'Превалутиране в евро 1,95583');
    const [out, into, ...others] = entries.filter(
      ({ remittance }) => remittance === 'Превалутиране в евро 1,95583',
    );
    expect(others).toEqual([]);
    expect(entries[place + 1]).toEqual(into);
    const leva = -(out?.amount.minor ?? 0);
    const same = {
      bookingDate: '2026-01-01',
      valueDate: '2026-01-01',
      bankTransactionCode: 'ACMT-MDOP-OTHR',
    };
    expect(out).toMatchObject({
      ...same,
      amount: { minor: -leva, currency: 'BGN' },
      accountCurrencyAmount: { minor: -levToEuro(leva), currency: 'EUR' },
    });
    expect(out?.currencyExchange).toBeUndefined();
    expect(into).toMatchObject({
      ...same,
      amount: { minor: levToEuro(leva), currency: 'EUR' },
      currencyExchange: [levExchange],
    });
    expect(into?.accountCurrencyAmount).toBeUndefined();
  });

  it('makes entries add up: in euro to the balance, in leva to nothing but the balance carried forward', async () => {
    const entries = await history(main);
    expect(sum(inCurrency(entries, 'EUR'))).toBe(255_646);
    const { rows } = await fresh.pool.query<{ carried: number }>(
      `SELECT sum(t.amount)::bigint AS carried FROM transfer t JOIN ledger_account l ON l.id = t.credit_account
       WHERE l.customer AND l.currency = 'BGN' AND NOT EXISTS (SELECT FROM entry e WHERE e.transfer_id = t.id)`,
    );
    const all = await Promise.all(fresh.fixtures.accounts.map(async ({ iban }) => history(iban)));
    expect(-sum(inCurrency(all.flat(), 'BGN'))).toBe(rows[0]?.carried);
    const { rows: left } = await fresh.pool.query(
      `SELECT id FROM ledger_account WHERE customer AND currency = 'BGN' AND credits_posted <> debits_posted`,
    );
    expect(left).toEqual([]);
  });

  it('never leaves an account below zero, in either currency', async () => {
    const { rows } = await fresh.pool.query(
      `SELECT l.id, l.currency, min(m.balance) AS lowest
       FROM (SELECT id, sum(amount) OVER (PARTITION BY id ORDER BY at) AS balance FROM (
         SELECT credit_account AS id, amount, at FROM transfer
         UNION ALL SELECT debit_account, -amount, at FROM transfer) AS t) AS m
       JOIN ledger_account l ON l.id = m.id WHERE l.customer
       GROUP BY l.id, l.currency HAVING min(m.balance) < 0`,
    );
    expect(rows).toEqual([]);
  });

  it('is reported once by a delta after the last entry in leva, with no older entry (contract E5.4)', async () => {
    const entries = await history(main);
    const lastInLeva = entries.findLast(({ bookingDate = '' }) => bookingDate < levEnd);
    const resourceId = await accountId(main);
    const delta = async (entryReferenceFrom: string | undefined): Promise<readonly TransactionEntry[]> =>
      (await page(resourceId, { pageSize: 500, entryReferenceFrom })).booked.toReversed();
    const reported = await delta(lastInLeva?.entryReference);
    expect(reported).toEqual(entries.slice(entries.indexOf(lastInLeva as TransactionEntry) + 1));
    expect(reported.slice(0, 2).map(({ bankTransactionCode }) => bankTransactionCode)).toEqual([
      'ACMT-MDOP-OTHR',
      'ACMT-MDOP-OTHR',
    ]);
    const next = await delta(reported[1]?.entryReference);
    expect(next).toEqual(reported.slice(2));
  });
});

describe('new money at a bank in euro (contract E8.4)', () => {
  it('is never in leva', async () => {
    expect(await deposit(main, '1.00', 'BGN')).toMatchObject({
      refused: [{ failure: 'fieldMalformed', path: 'currency' }],
    });
    expect(await deposit(main, '1.00', 'EUR')).toHaveProperty('transactionId');
    const body = { accounts: [{ currency: 'BGN', opening: '1.00' }] };
    expect(await fresh.bank.tools.createPsu(body)).toMatchObject({
      failures: [{ failure: 'fieldMalformed', path: 'accounts[0].currency' }],
    });
  });

  it('reaches new accounts with their limit for instant payments, their holders and the names of their corporate', async () => {
    const created = await fresh.bank.tools.createPsu({
      accounts: [{ currency: 'EUR', opening: '10.00', instantLimit: '5.00', holders: ['Мария Георгиева'] }],
      corporateId: 'lyra',
      corporateName: 'Лира ООД',
      otherNames: ['Lyra OOD'],
      eik: '9999999950009',
      payeeVerificationOptOut: true,
    });
    const iban = 'accounts' in created ? created.accounts[0]?.iban : undefined;
    const { rows } = await fresh.pool.query(
      `SELECT a.holders, a.instant_limit AS "instantLimit", c.name, c.other_names AS "otherNames", c.eik,
         c.payee_verification_opt_out AS "optedOut"
       FROM account a JOIN corporate c USING (corporate_id) WHERE a.iban = $1`,
      [iban],
    );
    expect(rows).toEqual([
      {
        holders: ['Мария Георгиева'],
        instantLimit: 500,
        name: 'Лира ООД',
        otherNames: ['Lyra OOD'],
        eik: '9999999950009',
        optedOut: true,
      },
    ]);
  });
});
