import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { NewPsu, TransactionEntry } from '@xs2a/contracts/accounts.contract';
import { isIban } from '@xs2a/domain/iban/iban';
import { newId } from '@xs2a/runtime/ids';
import { makeCustomers } from '../testing/customers.js';
import { type FreshBank, freshBank } from '../testing/fresh-bank.js';
import { ledgerViolations } from './ledger/ledger-invariants.js';
import { openSandboxBank } from './sandbox-bank.js';
import { advanceClockOffset, readClockOffset, readStoredMoves } from './settings.js';

let fresh: FreshBank;
beforeAll(async () => {
  fresh = await freshBank();
}, 60_000);
afterAll(() => fresh.close(), 30_000);
afterEach(async () => {
  expect(await ledgerViolations(fresh.pool)).toEqual([]);
});

const { accountsOf: listAccounts, created, oneAccount, page, deposit } = makeCustomers(() => fresh);
const ids = (entries: readonly TransactionEntry[]): string[] =>
  entries.map(({ transactionId }) => transactionId);

describe('ids that cannot belong to any account or corporate', () => {
  it('are refused like unknown or malformed ones and never reach the database', async () => {
    const refused = await deposit('\u0000', '1.00');
    expect(refused).toMatchObject({ refused: [{ failure: 'resourceUnknown' }] });
    const body = { corporateId: 'a\u0000', accounts: [{ currency: 'BGN', opening: '1.00' }] };
    expect(await fresh.bank.tools.createPsu(body)).toMatchObject({ failures: [{ path: 'corporateId' }] });
  });
});

describe('the seed (contract 13)', () => {
  it('gives every fixture account its opening balance as of today, after its history', async () => {
    for (const fixture of fresh.fixtures.accounts) {
      const { account } = await fresh.bank.accounts.facts({ iban: fixture.iban });
      expect(account).toMatchObject({
        currency: fixture.currency,
        type: fixture.type,
        status: fixture.status ?? 'enabled',
      });
      const { rows } = await fresh.pool.query('SELECT id FROM account WHERE iban = $1', [fixture.iban]);
      const [data] = await fresh.bank.accounts.details([rows[0].id]);
      const minor = Math.round((Number(fixture.opening) + Number(fixture.creditLimit)) * 100);
      expect(data?.balances.map(({ amount }) => amount.minor)).toEqual([minor, minor]);
      const { booked, pending } = await page(rows[0].id, { pageSize: 500 });
      expect(pending).toEqual([]);
      expect(booked.length > 0).toBe(fixture.historyMonths > 0);
      expect(ids(booked).every((id) => id.length <= 35)).toBe(true);
    }
  });

  it('changes nothing if the bank is opened again, even by several processes at once', async () => {
    const count = async (): Promise<unknown> =>
      (
        await fresh.pool
          .query(`SELECT (SELECT count(*) FROM transfer) AS transfers, (SELECT count(*) FROM entry) AS entries,
        (SELECT string_agg(id::text, ',' ORDER BY iban) FROM account) AS accounts, (SELECT count(*) FROM psu) AS psus`)
      ).rows;
    const before = await count();
    await Promise.all(Array.from({ length: 3 }, () => openSandboxBank(fresh)));
    expect(await count()).toEqual(before);
  });

  it('includes the accounts of a PSU and those of the corporates for which the PSU signs', async () => {
    const ivan = await listAccounts('ivan');
    expect(ivan.map(({ iban }) => iban)).toEqual(fresh.fixtures.psus[0]?.accounts);
    expect(ivan.map(({ main }) => main)).toEqual([true, false, false]);
    const georgi = await listAccounts('georgi');
    expect(georgi.map(({ iban, corporateId }) => [iban, corporateId])).toEqual(
      fresh.fixtures.corporates[0]?.accounts.map((iban) => [iban, 'acme']),
    );
    expect(await listAccounts('elena')).toEqual(georgi);
    expect(await listAccounts('nobody')).toEqual([]);
  });

  it('includes the owner of an account and the required number of signatures', async () => {
    const facts = async (psuId?: string): Promise<unknown> =>
      fresh.bank.accounts.facts({ iban: 'BG67XSBK92001000000021', psuId });
    expect(await facts('georgi')).toMatchObject({
      ownedByPsu: true,
      account: { signaturesRequired: 2, internetBanking: true },
    });
    expect(await facts('ivan')).toMatchObject({ ownedByPsu: false });
    expect(await facts()).toMatchObject({ ownedByPsu: false });
    expect(await fresh.bank.accounts.facts({ iban: 'DE89370400440532013000', psuId: 'ivan' })).toEqual({
      ownedByPsu: false,
    });
    expect(await fresh.bank.psus.corporate('acme')).toEqual({
      signaturesRequired: 2,
      payeeVerificationOptOut: false,
    });
    expect(await fresh.bank.psus.corporate('other')).toBeUndefined();
  });
});

describe('sign-in (contract 12)', () => {
  it('accepts only the correct password of a known PSU', async () => {
    expect(await fresh.bank.psus.authenticate('ivan', 'sandbox')).toEqual({
      psuId: 'ivan',
      name: 'Иван Петров',
    });
    expect(await fresh.bank.psus.authenticate('blocked', 'sandbox')).toMatchObject({ psuId: 'blocked' });
    for (const [psuId, password] of [
      ['ivan', 'Sandbox'],
      ['ivan', ''],
      ['IVAN', 'sandbox'],
      ['nobody', 'nobody has this password'],
      ['', ''],
    ]) {
      expect(await fresh.bank.psus.authenticate(psuId ?? '', password ?? '')).toBeUndefined();
    }
  });
});

describe('funds (spec 2.3, contract 7)', () => {
  const covers = (psuId: string, minor: number, currency = 'BGN', iban?: string): Promise<unknown> =>
    fresh.bank.funds.covers({ psuId, amount: { minor, currency }, iban });

  it('are compared with the expected balance of the named account', async () => {
    const iban = 'BG95XSBK92001000000002';
    expect(await covers('ivan', 10_000, 'BGN', iban)).toEqual({ fundsAvailable: true });
    expect(await covers('ivan', 10_001, 'BGN', iban)).toEqual({ fundsAvailable: false });
  });

  it('include the credit limit', async () => {
    expect(await covers('maria', 75_000)).toEqual({ fundsAvailable: true });
    expect(await covers('maria', 75_001)).toEqual({ fundsAvailable: false });
  });

  it('without a named account, are those of the main account in that currency, or else of the first open account', async () => {
    expect(await covers('ivan', 500_000)).toEqual({ fundsAvailable: true });
    expect(await covers('ivan', 500_001)).toEqual({ fundsAvailable: false });
    expect(await covers('ivan', 120_000, 'EUR')).toEqual({ fundsAvailable: true });
    expect(await covers('ivan', 120_001, 'EUR')).toEqual({ fundsAvailable: false });
    expect(await covers('georgi', 5_000_000, 'EUR')).toEqual({ fundsAvailable: true });
    expect(await covers('blocked', 1)).toEqual({ fundsAvailable: false });
  });

  it('are determined for many PSUs at once, each from the accounts of that PSU', async () => {
    const spy = jest.spyOn(fresh.pool, 'query');
    const asked = ['ivan', 'maria', 'nobody', 'georgi', 'ivan'];
    const answers = await Promise.all(asked.map(async (psuId) => covers(psuId, 75_001)));
    // Five queries are combined into two statements, the number that the queue can have in flight. A PSU without
    // accounts needs another one, for the switch-over.
    expect(spy).toHaveBeenCalledTimes(3);
    spy.mockRestore();
    expect(answers).toEqual([
      { fundsAvailable: true },
      { fundsAvailable: false },
      { refused: 'currency-not-held' },
      await covers('georgi', 75_001),
      { fundsAvailable: true },
    ]);
  });

  it('exclude blocked amounts, such as a payment that is held but not yet posted', async () => {
    const { psuId, iban } = await oneAccount('100.00', { creditLimit: '50.00' });
    const order = {
      amount: { minor: 6000, currency: 'BGN' },
      debtorIban: iban,
      creditorAccount: 'DE89370400440532013000',
      creditorName: 'M',
      remittance: 'r',
    };
    const [hold] = await fresh.bank.booking.placeHolds([{ paymentId: newId(), order }]);
    expect(hold?.held).toBe(true);
    expect(await covers(psuId, 9000)).toEqual({ fundsAvailable: true });
    expect(await covers(psuId, 9001)).toEqual({ fundsAvailable: false });
  });

  it.each([
    ['an account of another person', 'ivan', 'BGN', 'BG46XSBK92001000000011', 'not-an-account-of-the-psu'],
    ['an account that does not exist', 'ivan', 'BGN', 'BG17XSBK92001099999999', 'not-an-account-of-the-psu'],
    [
      'a currency that the account does not hold',
      'ivan',
      'EUR',
      'BG25XSBK92001000000001',
      'currency-not-held',
    ],
    ['a currency that no account holds', 'maria', 'USD', undefined, 'currency-not-held'],
  ])('are not returned for %s', async (_what, psuId, currency, iban, refused) => {
    expect(await covers(psuId, 1, currency, iban)).toMatchObject({ refused });
  });
});

describe('the sandbox tools (contract 13)', () => {
  it('create a new PSU who can sign in and has new accounts as requested', async () => {
    const psu = await created({
      name: 'Тест Тестова',
      accounts: [
        { currency: 'BGN', opening: '12.34', creditLimit: '5.00' },
        { currency: 'EUR', opening: '0', type: 'SVGS' },
      ],
    });
    expect(await fresh.bank.psus.authenticate(psu.psuId, psu.password)).toEqual({
      psuId: psu.psuId,
      name: 'Тест Тестова',
    });
    const accounts = await listAccounts(psu.psuId);
    expect(accounts.map(({ iban, currency }) => ({ iban, currency }))).toEqual(psu.accounts);
    expect(accounts.every(({ iban }) => isIban(iban))).toBe(true);
    expect(accounts.map(({ type, main }) => [type, main])).toEqual([
      ['CACC', true],
      ['SVGS', false],
    ]);
    const [data] = await fresh.bank.accounts.details(accounts.map(({ resourceId }) => resourceId));
    expect(data?.balances.map(({ amount }) => amount)).toEqual([
      { minor: 1734, currency: 'BGN' },
      { minor: 1734, currency: 'BGN' },
    ]);
    expect(data?.ownerName).toBe('Тест Тестова');
  });

  it('create further PSUs of a corporate, who sign for the same accounts, even if all of them are created at once', async () => {
    const corporateId = `firm-${newId().slice(-12)}`;
    const body: NewPsu = {
      corporateId,
      signaturesRequired: 2,
      accounts: [{ currency: 'BGN', opening: '100.00' }],
    };
    const signers = await Promise.all(Array.from({ length: 5 }, () => created(body)));
    expect(new Set(signers.map(({ accounts }) => JSON.stringify(accounts))).size).toBe(1);
    expect(new Set(signers.map(({ psuId }) => psuId)).size).toBe(5);
    const iban = signers[0]?.accounts[0]?.iban ?? '';
    expect(await fresh.bank.accounts.facts({ iban, psuId: signers[4]?.psuId })).toMatchObject({
      ownedByPsu: true,
      account: { signaturesRequired: 2 },
    });
    expect(await fresh.bank.tools.createPsu({ ...body, signaturesRequired: 1 })).toMatchObject({
      failures: [{ path: 'signaturesRequired' }],
    });
    expect((await created({ corporateId, accounts: [] })).accounts).toHaveLength(1);
  });

  it('book a deposit immediately', async () => {
    const { iban, resourceId } = await oneAccount();
    const deposited = await deposit(iban, '25.50');
    const { booked } = await page(resourceId);
    expect(booked).toMatchObject([
      {
        ...deposited,
        amount: { minor: 2550, currency: 'BGN' },
        bookingDate: fresh.clock.date('Europe/Sofia'),
      },
    ]);
  });

  it.each([
    ['DE89370400440532013000', '1.00', 'BGN', 'resourceUnknown', undefined],
    ['BG17XSBK92001099999999', '1.00', 'BGN', 'resourceUnknown', undefined],
    ['BG25XSBK92001000000001', '1.00', 'EUR', 'fieldMalformed', 'currency'],
    ['BG25XSBK92001000000001', '0.00', 'BGN', 'fieldMalformed', 'amount'],
    ['BG25XSBK92001000000001', '-1', 'BGN', 'fieldMalformed', 'amount'],
    ['BG25XSBK92001000000001', '1.001', 'BGN', 'fieldMalformed', 'amount'],
    ['BG25XSBK92001000000001', '99999999999999.99', 'BGN', 'fieldMalformed', 'amount'],
  ])('refuse a deposit to %s of %s %s', async (iban, amount, currency, failure, path) => {
    expect(await deposit(iban, amount, currency)).toEqual({
      refused: [expect.objectContaining({ failure, ...(path === undefined ? {} : { path }) })],
    });
  });

  it.each([
    [null, ['bodyNotJson ']],
    [{}, ['fieldMissing amount', 'fieldMissing currency']],
    [
      { amount: 1, currency: 'bgn', x: 1 },
      ['fieldMalformed amount', 'fieldMalformed currency', 'fieldUnknown x'],
    ],
  ])('refuse a deposit of %j and report every violation', async (body, expected) => {
    const refused = await fresh.bank.tools.deposit({ iban: 'BG25XSBK92001000000001', body });
    const failures = 'refused' in refused ? refused.refused : [];
    expect(failures.map(({ failure, path }) => `${failure} ${path ?? ''}`)).toEqual(expected);
  });

  it('refuse a deposit that would make the balance too large to represent exactly', async () => {
    const { iban } = await oneAccount();
    for (let n = 0; n < 90; n += 1)
      expect(await deposit(iban, '1000000000000.00')).toHaveProperty('transactionId');
    expect(await deposit(iban, '1000000000000.00')).toMatchObject({
      refused: [{ failure: 'fieldMalformed', path: 'amount' }],
    });
  });

  it('advance the stored clock by every step, even if several run at once', async () => {
    const before = await readClockOffset(fresh.pool);
    const step = { byMs: 60_000, known: 0 };
    await Promise.all(Array.from({ length: 10 }, () => advanceClockOffset(fresh.pool, step)));
    expect(await readClockOffset(fresh.pool)).toBe(before + 600_000);
    await advanceClockOffset(fresh.pool, { byMs: 0, known: before });
    expect(await readClockOffset(fresh.pool)).toBe(before + 600_000);
    await openSandboxBank(fresh);
    expect(fresh.clock.offsetMs).toBe(before + 600_000);
  });

  it('store the latest ten moves of the clock, newest first, even if several run at once', async () => {
    expect(await readStoredMoves(fresh.pool)).toEqual([]);
    const move = (tppId: string) => ({ tppId, advance: 'PT1M', movedAt: '2026-03-02T10:00:00.000Z' });
    const advance = async (tppId: string): Promise<number> =>
      advanceClockOffset(fresh.pool, { byMs: 1, known: 0, move: move(tppId) });
    const names = Array.from({ length: 9 }, (_, index) => `tpp-${index}`);
    await advance('first');
    await Promise.all(names.map(advance));
    const stored = (await readStoredMoves(fresh.pool)).map(({ tppId }) => tppId);
    expect(stored.toSorted()).toEqual(['first', ...names]);
    await advance('last');
    const latest = await readStoredMoves(fresh.pool);
    expect(latest).toHaveLength(10);
    expect(latest[0]).toEqual(move('last'));
    expect(latest.map(({ tppId }) => tppId)).not.toContain('first');
  });
});
