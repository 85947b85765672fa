import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { levToEuro } from '@xs2a/domain/money/lev-conversion';
import { sumConversion } from '@xs2a/domain/switch-over/forecast';
import { lastInstantBefore } from '@xs2a/domain/switch-over/switch-over-phase';
import { addDays, startOfBankDay } from '@xs2a/domain/time/bank-calendar';
import { newId } from '@xs2a/runtime/ids';
import { BankFault } from '../../port/bank-fault.js';
import { makeCustomers } from '../../testing/customers.js';
import { type FreshBank, freshBank } from '../../testing/fresh-bank.js';
import { ledgerViolations } from '../ledger/ledger-invariants.js';
import { toClearingAccount } from '../ledger/ledger-ids.js';
import {
  bookPendingEntries,
  bookRounding,
  convertAccounts,
  HoldsLeft,
  readAccountsBefore,
} from './convert-accounts.js';
import { writeSwitchOver } from './switch-over-setting.js';
import { withClosedFunds } from './with-closed-funds.js';

let fresh: FreshBank;
beforeAll(async () => {
  fresh = await freshBank();
}, 60_000);
afterAll(() => fresh.close(), 30_000);

const { oneAccount } = makeCustomers(() => fresh);
const timeZone = 'Europe/Sofia';
const elsewhere = 'BG26RZBB91551023456789';

/** Moves the clock to the start of the next day, the first one in euro. */
const nextDay = (): { readonly at: string; readonly timeZone: string } => {
  const start = startOfBankDay(addDays(fresh.clock.date(timeZone), 1), timeZone);
  fresh.clock.raiseTo(fresh.clock.offsetMs + Date.parse(start) - fresh.clock.nowMs() + 1000);
  return { at: start, timeZone };
};
const pay = async (debtorIban: string, minor: number, creditorAccount = elsewhere): Promise<string> => {
  const paymentId = newId();
  const order = {
    amount: { minor, currency: 'BGN' },
    debtorIban,
    creditorAccount,
    creditorName: 'Petar',
    remittance: 'наем',
  };
  expect(await fresh.bank.booking.placeHolds([{ paymentId, order }])).toMatchObject([{ held: true }]);
  return paymentId;
};
const entriesOf = async (resourceId: string, from?: string, bookedSince?: string) => {
  const page = await fresh.bank.accounts.entries({
    resourceId,
    currency: 'EUR',
    dateFrom: '2000-01-01',
    dateTo: fresh.clock.date(timeZone),
    bookingStatus: 'both',
    pageSize: 500,
    entryReferenceFrom: from,
    bookedSince,
  });
  if (typeof page === 'string') throw new Error(page);
  return page;
};

describe('accounts at the switch-over (contract E5.3, E6.2, E6.3)', () => {
  it('are converted once each: balance, limit, history and the rounding to the cent', async () => {
    const [rich, poor, overdrawn, empty, blocked] = [
      await oneAccount('5000.00'),
      await oneAccount('0.01'),
      await oneAccount('10.00', { creditLimit: '500.00' }),
      await oneAccount('0.00'),
      await oneAccount('12.50'),
    ];
    await fresh.bank.tools.changeAccountStatus(blocked.iban, { status: 'blocked' });
    const paid = await pay(overdrawn.iban, 13_345);
    await fresh.bank.booking.postHolds([paid]);
    const before = new Map(
      (await readAccountsBefore(fresh.pool))
        .filter(({ currency }) => currency === 'BGN')
        .map(({ iban, balance }) => [iban, balance]),
    );
    expect(before.get(overdrawn.iban)).toBe(-12_345);
    const expected = sumConversion([...before.values()]);

    const day = nextDay();
    await bookPendingEntries(fresh.owner, day);
    const batches: number[] = [];
    for (let done = -1; done !== 0;) {
      done = await convertAccounts(fresh.owner, day, 4);
      batches.push(done);
    }
    expect(batches.reduce((sum, done) => sum + done, 0)).toBe(before.size);
    expect(await bookRounding(fresh.owner, day)).toEqual(expected);
    expect(await bookRounding(fresh.owner, day)).toEqual(expected);
    expect(await convertAccounts(fresh.owner, day, 4)).toBe(0);

    const details = await fresh.bank.accounts.details(
      [rich, poor, overdrawn, empty, blocked].map(({ resourceId }) => resourceId),
    );
    const balances = new Map(details.map(({ iban, currency, balances: [one] }) => [iban, { currency, one }]));
    const balanceOf = ({ iban }: { readonly iban: string }) => balances.get(iban);
    expect(balanceOf(rich)).toMatchObject({
      currency: 'EUR',
      one: { amount: { minor: 255_646, currency: 'EUR' } },
    });
    expect(balanceOf(poor)?.one?.amount.minor).toBe(1);
    expect(balanceOf(empty)?.one?.amount.minor).toBe(0);
    expect(balanceOf(blocked)?.one?.amount.minor).toBe(639);

    const [{ creditLimit, owed }] = (
      await fresh.pool.query<{ creditLimit: number; owed: number }>(
        `SELECT credit_limit AS "creditLimit", debits_posted AS owed FROM ledger_account WHERE id = $1`,
        [overdrawn.resourceId],
      )
    ).rows as [{ creditLimit: number; owed: number }];
    expect([creditLimit, owed]).toEqual([levToEuro(50_000), 6312]);

    const rounding = await fresh.pool.query<{ sum: number }>(
      `SELECT coalesce(sum(CASE debit_account WHEN $1 THEN amount ELSE -amount END), 0)::bigint AS sum
       FROM transfer WHERE $1 IN (debit_account, credit_account)`,
      [toClearingAccount('rounding-differences', 'EUR')],
    );
    expect(rounding.rows[0]?.sum).toBe(expected.roundingDifference);
    expect(await ledgerViolations(fresh.pool)).toEqual([]);
  });

  it('have two entries of that day after the older ones, and none if they were empty', async () => {
    const holder = await oneAccount('100.00');
    const empty = await oneAccount('0.00');
    const spent = await pay(holder.iban, 2000);
    await fresh.bank.booking.postHolds([spent]);
    const [older] = (await entriesOf(holder.resourceId)).pending;
    const day = nextDay();
    await bookPendingEntries(fresh.owner, day);
    await convertAccounts(fresh.owner, day, 100);
    const firstDay = addDays(day.at.slice(0, 10), 1);
    const { booked, pending } = await entriesOf(holder.resourceId);
    expect(pending).toEqual([]);
    expect(
      booked.map(({ amount, bookingDate, remittance, bankTransactionCode }) => [
        amount,
        bookingDate,
        remittance,
        bankTransactionCode,
      ]),
    ).toMatchObject([
      [{ minor: 4090, currency: 'EUR' }, firstDay, 'Превалутиране в евро 1,95583', 'ACMT-MDOP-OTHR'],
      [{ minor: -8000, currency: 'BGN' }, firstDay, 'Превалутиране в евро 1,95583', 'ACMT-MDOP-OTHR'],
      [{ minor: -2000, currency: 'BGN' }, expect.any(String), 'наем', expect.any(String)],
    ]);
    const { booked: delta } = await entriesOf(holder.resourceId, older?.transactionId);
    expect(delta.map(({ amount }) => amount.currency)).toEqual(['EUR', 'BGN']);
    expect((await entriesOf(empty.resourceId)).booked).toEqual([]);
    expect(await ledgerViolations(fresh.pool)).toEqual([]);
  });

  it('are debited in leva, on the last day, by what was due before and is settled first', async () => {
    const [debtor, creditor] = [await oneAccount('100.00'), await oneAccount('0.00')];
    const day = nextDay();
    await writeSwitchOver(fresh.owner, { at: day.at, phase: 'settling' });
    const paymentId = await pay(debtor.iban, 2000, creditor.iban);
    await fresh.bank.booking.postHolds([paymentId]);
    await writeSwitchOver(fresh.owner, { at: day.at, phase: 'converting' });
    await convertAccounts(fresh.owner, day, 100);
    await writeSwitchOver(fresh.owner, { at: day.at, phase: 'done' });
    const last = { bookingDate: day.at.slice(0, 10), amount: { currency: 'BGN' } };
    const since = lastInstantBefore(day.at);
    for (const bookedSince of [undefined, since])
      expect((await entriesOf(creditor.resourceId, undefined, bookedSince)).booked).toMatchObject([
        { amount: { minor: 1023, currency: 'EUR' } },
        { amount: { minor: -2000, currency: 'BGN' } },
        last,
      ]);
    expect((await entriesOf(debtor.resourceId, undefined, since)).booked.at(-1)).toMatchObject(last);
    expect(await ledgerViolations(fresh.pool)).toEqual([]);
  });

  it('show nothing as booked on the last day until the switch-over is done, so that a delta report has it once', async () => {
    const [debtor, creditor] = [await oneAccount('100.00'), await oneAccount('0.00')];
    const day = nextDay();
    const entries = async () => entriesOf(creditor.resourceId);
    await writeSwitchOver(fresh.owner, { at: day.at, phase: 'settling' });
    await fresh.bank.booking.postHolds([await pay(debtor.iban, 2000, creditor.iban)]);
    const [booked, pending] = [[], [{ amount: { minor: 2000, currency: 'BGN' } }]];
    expect(await entries()).toMatchObject({ booked, pending });
    await writeSwitchOver(fresh.owner, { at: day.at, phase: 'converting' });
    await convertAccounts(fresh.owner, day, 100);
    expect(await entries()).toMatchObject({ booked });
    await writeSwitchOver(fresh.owner, { at: day.at, phase: 'done' });
    expect(await entries()).toMatchObject({ pending: [], booked: [{}, {}, {}] });
  });

  it('answer no funds confirmation until the switch-over is done', async () => {
    const { iban, psuId } = await oneAccount('100.00');
    const day = nextDay();
    const ask = (currency: string) =>
      fresh.bank.funds.covers({ psuId, iban, amount: { minor: 100, currency } });
    await writeSwitchOver(fresh.owner, { at: day.at, phase: 'planned' });
    await expect(ask('BGN')).rejects.toThrow(BankFault);
    const ofNobody = { psuId: 'nobody', amount: { minor: 100, currency: 'BGN' } };
    await expect(fresh.bank.funds.covers(ofNobody)).rejects.toThrow(BankFault);
    const ownCore = withClosedFunds(
      { ...fresh.bank, funds: { covers: async () => ({ fundsAvailable: true }) } },
      { pool: fresh.pool, clock: fresh.clock },
    );
    const call = { requestId: 'r-1', at: fresh.clock.now(), deadline: performance.now() + 1000 };
    await expect(ownCore.funds.covers(ofNobody, call)).rejects.toThrow(BankFault);
    await convertAccounts(fresh.owner, day, 100);
    await writeSwitchOver(fresh.owner, { at: day.at, phase: 'done' });
    expect(await ask('BGN')).toEqual({ refused: 'currency-not-held' });
    expect(await ask('EUR')).toEqual({ fundsAvailable: true });
    expect(await ownCore.funds.covers(ofNobody, call)).toEqual({ fundsAvailable: true });
  });

  it('are not converted while a hold in leva is open', async () => {
    const holder = await oneAccount('100.00');
    const paymentId = await pay(holder.iban, 2000);
    const day = nextDay();
    await expect(convertAccounts(fresh.owner, day, 100)).rejects.toThrow(HoldsLeft);
    await writeSwitchOver(fresh.owner, { at: day.at, phase: 'settling' });
    await fresh.bank.booking.voidHolds([paymentId]);
    expect(await convertAccounts(fresh.owner, day, 100)).toBe(1);
    expect(await ledgerViolations(fresh.pool)).toEqual([]);
  });
});
