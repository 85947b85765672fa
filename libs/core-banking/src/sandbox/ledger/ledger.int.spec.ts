import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Balance, HoldOrder, TransactionEntry } from '@xs2a/contracts/accounts.contract';
import { newId } from '@xs2a/runtime/ids';
import * as fc from 'fast-check';
import { makeCustomers } from '../../testing/customers.js';
import { type FreshBank, freshBank } from '../../testing/fresh-bank.js';
import { ledgerViolations } from './ledger-invariants.js';

const elsewhere = 'BG26RZBB91551023456789';
let fresh: FreshBank;

beforeAll(async () => {
  fresh = await freshBank();
}, 60_000);
afterAll(() => fresh.close(), 30_000);
afterEach(async () => {
  expect(await ledgerViolations(fresh.pool)).toEqual([]);
});

const { oneAccount } = makeCustomers(() => fresh);
interface Holder {
  readonly psuId: string;
  readonly iban: string;
  readonly resourceId: string;
}
const holder = (opening: string, creditLimit = '0'): Promise<Holder> => oneAccount(opening, { creditLimit });
const order = (debtorIban: string, minor: number, creditorAccount = elsewhere): HoldOrder => ({
  paymentId: newId(),
  order: {
    amount: { minor, currency: 'BGN' },
    debtorIban,
    creditorAccount,
    creditorName: 'Petar Ivanov',
    remittance: 'наем',
    endToEndId: 'e2e-1',
  },
});
const balances = async ({ resourceId }: Holder): Promise<Record<Balance['balanceType'], number>> => {
  const [account] = await fresh.bank.accounts.details([resourceId]);
  const of = (type: Balance['balanceType']): number =>
    account?.balances.find(({ balanceType }) => balanceType === type)?.amount.minor ?? Number.NaN;
  return { interimAvailable: of('interimAvailable'), expected: of('expected') };
};
const history = async ({
  resourceId,
}: Holder): Promise<{ booked: readonly TransactionEntry[]; pending: readonly TransactionEntry[] }> => {
  const today = fresh.clock.date('Europe/Sofia');
  const page = await fresh.bank.accounts.entries({
    resourceId,
    currency: 'BGN',
    dateFrom: '2000-01-01',
    dateTo: today,
    bookingStatus: 'both',
    pageSize: 500,
  });
  if (typeof page === 'string') throw new Error('no cursor was sent');
  return page;
};
const { placeHolds, postHolds, voidHolds } = {
  placeHolds: (orders: readonly HoldOrder[]) => fresh.bank.booking.placeHolds(orders),
  postHolds: (paymentIds: readonly string[]) => fresh.bank.booking.postHolds(paymentIds),
  voidHolds: (paymentIds: readonly string[]) => fresh.bank.booking.voidHolds(paymentIds),
};
const refusals = (results: Awaited<ReturnType<typeof placeHolds>>): (string | undefined)[] =>
  results.map((result) => (result.held ? undefined : result.reason));

describe('payments in the ledger (contract 8, spec 2.2)', () => {
  it('lower the expected balance when held, and also interimAvailable when posted', async () => {
    const debtor = await holder('100.00');
    const payment = order(debtor.iban, 6000);
    expect(await placeHolds([payment])).toEqual([expect.objectContaining({ held: true })]);
    expect(await balances(debtor)).toEqual({ interimAvailable: 10_000, expected: 4000 });
    await postHolds([payment.paymentId]);
    expect(await balances(debtor)).toEqual({ interimAvailable: 4000, expected: 4000 });
  });

  it('release the money when voided, and remove the entry from the history', async () => {
    const debtor = await holder('100.00');
    const payment = order(debtor.iban, 6000);
    await placeHolds([payment]);
    expect((await history(debtor)).pending).toHaveLength(1);
    await voidHolds([payment.paymentId]);
    expect(await balances(debtor)).toEqual({ interimAvailable: 10_000, expected: 10_000 });
    expect(await history(debtor)).toMatchObject({ booked: [], pending: [] });
  });

  it('can use the credit limit but not more', async () => {
    const debtor = await holder('100.00', '50.00');
    expect(refusals(await placeHolds([order(debtor.iban, 15_001), order(debtor.iban, 15_000)]))).toEqual([
      'insufficient-funds',
      undefined,
    ]);
    expect(await balances(debtor)).toEqual({ interimAvailable: 15_000, expected: 0 });
  });

  it('show the creditor in a pending entry, which is booked after five minutes', async () => {
    const debtor = await holder('100.00');
    const payment = order(debtor.iban, 6000);
    const [held] = await placeHolds([payment]);
    await postHolds([payment.paymentId]);
    const [pending] = (await history(debtor)).pending;
    expect(pending).toMatchObject({
      amount: { minor: -6000, currency: 'BGN' },
      creditorName: 'Petar Ivanov',
      creditorAccount: elsewhere,
      remittance: 'наем',
      endToEndId: 'e2e-1',
      valueDate: fresh.clock.date('Europe/Sofia'),
    });
    expect(pending?.bookingDate).toBeUndefined();
    expect(held).toMatchObject({ transactionId: pending?.transactionId });
    expect(pending?.transactionId.length).toBeLessThanOrEqual(35);
    fresh.clock.raiseTo(fresh.clock.offsetMs + fresh.profile.bookingDelaySeconds * 1000);
    const later = await history(debtor);
    expect(later.pending).toEqual([]);
    expect(later.booked).toEqual([
      { ...pending, entryReference: pending?.transactionId, bookingDate: fresh.clock.date('Europe/Sofia') },
    ]);
  });

  it('credit a creditor at this bank when posted, and show the payer to the creditor', async () => {
    const [debtor, creditor] = [await holder('100.00'), await holder('1.00')];
    const payment = order(debtor.iban, 6000, creditor.iban);
    await placeHolds([payment]);
    expect(await balances(creditor)).toEqual({ interimAvailable: 100, expected: 100 });
    expect((await history(creditor)).pending).toEqual([]);
    await postHolds([payment.paymentId]);
    expect(await balances(creditor)).toEqual({ interimAvailable: 6100, expected: 6100 });
    const [entry] = (await history(creditor)).pending;
    expect(entry).toMatchObject({
      amount: { minor: 6000, currency: 'BGN' },
      debtorAccount: debtor.iban,
      remittance: 'наем',
    });
    fresh.clock.raiseTo(fresh.clock.offsetMs + fresh.profile.bookingDelaySeconds * 1000);
    expect((await history(creditor)).booked).toHaveLength(1);
  });

  it('are refused for accounts that cannot pay or be paid', async () => {
    const debtor = await holder('100.00');
    const results = await placeHolds([
      order('BG88XSBK92001000000031', 1),
      order('BG17XSBK92001099999999', 1),
      order('BG50XSBK92001400000003', 1),
      order(debtor.iban, 1, 'BG88XSBK92001000000031'),
      order(debtor.iban, 1, 'BG17XSBK92001099999999'),
      order(debtor.iban, 1, debtor.iban),
    ]);
    expect(refusals(results)).toEqual([
      ...Array.from({ length: 3 }, () => 'debtor-account-unusable'),
      ...Array.from({ length: 3 }, () => 'creditor-account-unusable'),
    ]);
    expect(await balances(debtor)).toEqual({ interimAvailable: 10_000, expected: 10_000 });
  });

  it('can be posted long after the entry was due to be booked', async () => {
    const [debtor, creditor] = [await holder('100.00'), await holder('1.00')];
    const payment = order(debtor.iban, 6000, creditor.iban);
    await placeHolds([payment]);
    fresh.clock.raiseTo(fresh.clock.offsetMs + 3_600_000);
    expect(await postHolds([payment.paymentId])).toEqual([expect.objectContaining({ posted: true })]);
    expect((await history(creditor)).booked).toHaveLength(1);
  });
});

describe('repeated booking calls (architecture, Ledger: ids follow from the payment)', () => {
  it('return the same result for every step, whether repeated alone or together with others', async () => {
    const debtor = await holder('100.00');
    const payment = order(debtor.iban, 6000);
    const first = await placeHolds([payment]);
    expect(await placeHolds([payment])).toEqual(first);
    const posted = await postHolds([payment.paymentId]);
    expect(await postHolds([payment.paymentId, payment.paymentId])).toEqual([...posted, ...posted]);
    expect(await placeHolds([order(debtor.iban, 4000), payment])).toEqual([
      expect.objectContaining({ held: true }),
      ...first,
    ]);
    await voidHolds([payment.paymentId]);
    expect(await postHolds([payment.paymentId])).toEqual(posted);
    expect(await balances(debtor)).toEqual({ interimAvailable: 4000, expected: 0 });
    expect((await history(debtor)).pending).toHaveLength(2);
  });

  it('do not post a voided hold, place it again or release it again', async () => {
    const debtor = await holder('100.00');
    const payment = order(debtor.iban, 6000);
    const first = await placeHolds([payment]);
    await voidHolds([payment.paymentId]);
    await voidHolds([payment.paymentId, payment.paymentId]);
    expect(await postHolds([payment.paymentId])).toEqual([{ paymentId: payment.paymentId, posted: false }]);
    expect(await placeHolds([payment])).toEqual(first);
    expect(await balances(debtor)).toEqual({ interimAvailable: 10_000, expected: 10_000 });
  });

  it('report a payment without a hold as not posted, and do nothing when asked to void it', async () => {
    const paymentId = newId();
    await voidHolds([paymentId]);
    expect(await postHolds([paymentId])).toEqual([{ paymentId, posted: false }]);
    expect(await placeHolds([])).toEqual([]);
    expect(await postHolds([])).toEqual([]);
  });
});

describe('concurrent booking calls (contract 8: money moves once or not at all)', () => {
  it('place exactly one of 60 holds of 60.00 on a balance of 100.00, each requested in a separate call', async () => {
    const debtor = await holder('100.00');
    const calls = Array.from({ length: 60 }, () => placeHolds([order(debtor.iban, 6000)]));
    const results = (await Promise.all(calls)).flat();
    expect(results.filter(({ held }) => held)).toHaveLength(1);
    expect(await balances(debtor)).toEqual({ interimAvailable: 10_000, expected: 4000 });
  });

  it('hold and post the same payment only once in 20 calls', async () => {
    const debtor = await holder('100.00');
    const payment = order(debtor.iban, 3000);
    const held = await Promise.all(Array.from({ length: 20 }, () => placeHolds([payment])));
    expect(new Set(held.flat().map((result) => JSON.stringify(result))).size).toBe(1);
    await Promise.all(Array.from({ length: 20 }, () => postHolds([payment.paymentId])));
    expect(await balances(debtor)).toEqual({ interimAvailable: 7000, expected: 7000 });
  });

  it('let either a post or a void win', async () => {
    const debtor = await holder('100.00');
    const payments = Array.from({ length: 40 }, () => order(debtor.iban, 100));
    await placeHolds(payments);
    const posts = await Promise.all(
      payments.map(async ({ paymentId }, index) => {
        const voided = index % 2 === 0 ? voidHolds([paymentId]) : undefined;
        const [posted] = await Promise.all([postHolds([paymentId]), voided ?? voidHolds([paymentId])]);
        return posted;
      }),
    );
    const won = posts.flat().filter(({ posted }) => posted).length;
    expect(await balances(debtor)).toEqual({
      interimAvailable: 10_000 - won * 100,
      expected: 10_000 - won * 100,
    });
  });

  it('neither deadlock nor create money when batches of payments form cycles', async () => {
    const people = await Promise.all(Array.from({ length: 6 }, () => holder('100.00')));
    const ibans = people.map(({ iban }) => iban);
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.array(
            fc.record({
              from: fc.nat(5),
              to: fc.nat(5),
              minor: fc.integer({ min: 1, max: 4000 }),
              ends: fc.constantFrom('post', 'void', 'open'),
            }),
            { minLength: 1, maxLength: 12 },
          ),
          { minLength: 4, maxLength: 10 },
        ),
        async (batches) => {
          await Promise.all(
            batches.map(async (batch) => {
              const payments = batch.map(({ from, to, minor }) => order(ibans[from] ?? '', minor, ibans[to]));
              const results = await placeHolds(payments);
              const listIds = (end: string): string[] =>
                results.flatMap(({ held, paymentId }, index) =>
                  held && batch[index]?.ends === end ? [paymentId] : [],
                );
              await Promise.all([postHolds(listIds('post')), voidHolds(listIds('void'))]);
            }),
          );
          expect(await ledgerViolations(fresh.pool)).toEqual([]);
        },
      ),
      { numRuns: 15 },
    );
    const all = await Promise.all(people.map(balances));
    expect(all.reduce((sum, { interimAvailable }) => sum + interimAvailable, 0)).toBe(60_000);
    expect(all.every(({ expected }) => expected >= 0)).toBe(true);
  }, 60_000);
});

describe('the ledger tables (architecture: ledger)', () => {
  it.each([
    'UPDATE transfer SET amount = 1',
    'DELETE FROM transfer',
    'TRUNCATE entry',
    'UPDATE ledger_account SET credit_limit = 1000000',
    'DELETE FROM ledger_account',
    'UPDATE entry SET amount = 1',
    "UPDATE account SET psu_id = 'ivan'",
    'UPDATE psu SET password_hash = name',
    'CREATE TABLE x ()',
  ])('do not let the service role run %s', async (statement) => {
    await expect(fresh.pool.query(statement)).rejects.toMatchObject({ code: '42501' });
  });

  it('refuse an overdraft', async () => {
    const debtor = await holder('1.00');
    await expect(
      fresh.pool.query('UPDATE ledger_account SET debits_posted = 101 WHERE id = $1', [debtor.resourceId]),
    ).rejects.toMatchObject({ constraint: 'no_overdraft' });
  });

  it('are checked for counters that do not match the transfers', async () => {
    const debtor = await holder('1.00');
    const change = (by: number): Promise<unknown> =>
      fresh.pool.query('UPDATE ledger_account SET credits_posted = credits_posted + $2 WHERE id = $1', [
        debtor.resourceId,
        by,
      ]);
    await change(1);
    const found = await ledgerViolations(fresh.pool);
    const foundInSlices = await ledgerViolations(fresh.pool, 1000);
    await change(-1);
    expect(found).toEqual([`counters of account ${debtor.resourceId} are not the sums of its transfers`]);
    expect(foundInSlices).toEqual(found);
    expect(await ledgerViolations(fresh.pool, 1000)).toEqual([]);
  });
});
