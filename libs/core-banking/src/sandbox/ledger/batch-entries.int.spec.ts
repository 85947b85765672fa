import { transactionDetailsText } from '../../rendering/entry-text.js';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { HoldOrder, HoldResult, TransactionEntry } from '@xs2a/contracts/accounts.contract';
import type { PaymentOrder } from '@xs2a/domain/payment/payment-events';
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

const { deposit, oneAccount, page } = makeCustomers(() => fresh);
type Account = Awaited<ReturnType<typeof oneAccount>>;

/** Creates a bulk payment to be booked as a batch, with payments of 1.00, 2.00 and so on. */
const makeBulk = (
  debtor: Account,
  count: number,
  { batchId = newId(), ...more }: Partial<PaymentOrder> & { readonly batchId?: string } = {},
): HoldOrder[] =>
  Array.from({ length: count }, (_, index) => ({
    paymentId: newId(),
    batchId,
    order: {
      amount: { minor: 100 * (index + 1), currency: 'BGN' },
      debtorIban: debtor.iban,
      creditorAccount: elsewhere,
      creditorName: `Payee ${index + 1}`,
      remittance: `salary ${index + 1}`,
      ...more,
    },
  }));
const listIds = (orders: readonly HoldOrder[]): string[] => orders.map(({ paymentId }) => paymentId);
const place = (orders: readonly HoldOrder[]): Promise<readonly HoldResult[]> =>
  fresh.bank.booking.placeHolds(orders);
const post = (orders: readonly HoldOrder[]): ReturnType<FreshBank['bank']['booking']['postHolds']> =>
  fresh.bank.booking.postHolds(listIds(orders));
const release = (orders: readonly HoldOrder[]): Promise<void> =>
  fresh.bank.booking.voidHolds(listIds(orders));
/** The distinct ids of the entries that show these holds. */
const shownIn = (results: readonly HoldResult[]): string[] => [
  ...new Set(results.map((result) => (result.held ? result.transactionId : result.reason))),
];
const shorten = ({ transactionId, amount, batchNumberOfTransactions }: TransactionEntry): unknown[] => [
  transactionId,
  amount.minor,
  batchNumberOfTransactions,
];
const pending = async ({ resourceId }: Account): Promise<unknown[][]> =>
  (await page(resourceId)).pending.map(shorten);
const expectedBalance = async ({ resourceId }: Account): Promise<number | undefined> => {
  const [account] = await fresh.bank.accounts.details([resourceId]);
  return account?.balances.find(({ balanceType }) => balanceType === 'expected')?.amount.minor;
};
const readAlone = async ({ resourceId }: Account, transactionId = ''): Promise<unknown> => {
  const entry = await fresh.bank.accounts.entry({ resourceId }, transactionId);
  return entry && JSON.parse(transactionDetailsText(entry));
};
const pass = (seconds: number): void => void fresh.clock.raiseTo(fresh.clock.offsetMs + seconds * 1000);

describe('a bulk payment booked as one batch (contract 9, batchBookingPreferred)', () => {
  it('is one pending entry that grows with each held payment and is booked when its first payment is due for booking', async () => {
    const debtor = await oneAccount('100.00');
    const payments = makeBulk(debtor, 3);
    const first = await place(payments.slice(0, 2));
    const [transactionId = ''] = shownIn(first);
    expect(await pending(debtor)).toEqual([[transactionId, -300, 2]]);
    expect(await expectedBalance(debtor)).toBe(9700);
    await post(payments.slice(0, 2));
    pass(120);
    const later = await place(payments.slice(2));
    expect(shownIn([...first, ...later])).toEqual([transactionId]);
    await post(payments.slice(2));
    expect(await pending(debtor)).toEqual([[transactionId, -600, 3]]);
    pass(fresh.profile.bookingDelaySeconds - 120);
    const history = await page(debtor.resourceId);
    expect(history.pending).toEqual([]);
    expect(history.booked.map(shorten)).toEqual([[transactionId, -600, 3]]);
    expect(history.booked[0]).toMatchObject({
      entryReference: transactionId,
      bookingDate: fresh.clock.date('Europe/Sofia'),
      remittance: 'Масово плащане',
    });
    expect(history.booked[0]?.creditorName).toBeUndefined();
  });

  it('lists its payments in order if the entry is requested individually, but not in the history list', async () => {
    const debtor = await oneAccount('100.00');
    const payments = makeBulk(debtor, 3, { endToEndId: 'e-1' });
    const [transactionId] = shownIn([
      ...(await place(payments.slice(0, 2))),
      ...(await place(payments.slice(2))),
    ]);
    const entryDetails = ['-1.00', '-2.00', '-3.00'].map((amount, index) => ({
      transactionAmount: { currency: 'BGN', amount },
      creditorName: `Payee ${index + 1}`,
      creditorAccount: { iban: elsewhere },
      remittanceInformationUnstructured: `salary ${index + 1}`,
      endToEndId: 'e-1',
    }));
    const alone = {
      transactionId,
      batchIndicator: true,
      batchNumberOfTransactions: 3,
      transactionAmount: { currency: 'BGN', amount: '-6.00' },
      entryDetails,
    };
    expect(await readAlone(debtor, transactionId)).toMatchObject(alone);
    pass(fresh.profile.bookingDelaySeconds);
    const booked = { ...alone, entryReference: transactionId };
    expect(await readAlone(debtor, transactionId)).toMatchObject(booked);
    expect((await page(debtor.resourceId)).booked[0]).not.toHaveProperty('entryDetails');
  });

  it('credits customers of this bank individually, each with the text of their own payment', async () => {
    const [debtor, creditor] = [await oneAccount('100.00'), await oneAccount('1.00')];
    const payments = makeBulk(debtor, 2, { creditorAccount: creditor.iban });
    await place(payments);
    await post(payments);
    const seen = (await page(creditor.resourceId)).pending.map(({ amount, remittance, debtorAccount }) => [
      amount.minor,
      remittance,
      debtorAccount,
    ]);
    expect(seen.sort()).toEqual([
      [100, 'salary 1', debtor.iban],
      [200, 'salary 2', debtor.iban],
    ]);
    pass(fresh.profile.bookingDelaySeconds);
    expect((await page(creditor.resourceId)).booked).toHaveLength(2);
  });

  it('excludes a refused payment, and has no entry if all payments are refused', async () => {
    const debtor = await oneAccount('2.50');
    const payments = makeBulk(debtor, 3);
    const results = await place(payments);
    expect(results.map(({ held }) => held)).toEqual([true, false, false]);
    expect(await pending(debtor)).toEqual([[shownIn(results)[0], -100, 1]]);
    const poor = await oneAccount('0.50');
    await place(makeBulk(poor, 2));
    expect(await pending(poor)).toEqual([]);
  });

  it('has one entry in each debtor account; payments in no batch or in another batch have separate entries', async () => {
    const [debtor, other] = [await oneAccount('100.00'), await oneAccount('100.00')];
    const batchId = newId();
    const [alone, another] = [makeBulk(debtor, 1), makeBulk(debtor, 1)];
    const orders = [
      ...makeBulk(debtor, 2, { batchId }),
      ...makeBulk(other, 2, { batchId }),
      ...another,
      ...alone.map(({ paymentId, order }) => ({ paymentId, order })),
    ];
    const [ofDebtor, ofOther, ofAnother, single] = shownIn(await place(orders));
    expect((await pending(debtor)).sort()).toEqual(
      [
        [ofDebtor, -300, 2],
        [ofAnother, -100, 1],
        [single, -100, undefined],
      ].sort(),
    );
    expect(await pending(other)).toEqual([[ofOther, -300, 2]]);
  });

  it('has a separate entry for the fee of each payment, which is released with the payment', async () => {
    const debtor = await oneAccount('100.00');
    const payments = makeBulk(debtor, 2, { fee: { minor: 10, currency: 'BGN' } });
    const [batch] = shownIn(await place(payments));
    const amounts = async (): Promise<unknown> => (await pending(debtor)).map(([, minor]) => minor).sort();
    expect(await amounts()).toEqual([-10, -10, -300]);
    await release(payments.slice(0, 1));
    expect(await amounts()).toEqual([-10, -200]);
    expect(await pending(debtor)).toContainEqual([batch, -200, 1]);
    expect(await expectedBalance(debtor)).toBe(9790);
  });
});

describe('a batch with voids and repeats (contract 8: money moves once or not at all)', () => {
  it('removes a voided payment, even the one that started the entry, and removes the entry together with its last payment', async () => {
    const debtor = await oneAccount('100.00');
    const payments = makeBulk(debtor, 3);
    const first = await place(payments);
    const [transactionId] = shownIn(first);
    await release(payments.slice(0, 1));
    await release(payments.slice(0, 1));
    expect(await pending(debtor)).toEqual([[transactionId, -500, 2]]);
    expect(await readAlone(debtor, transactionId)).toMatchObject({
      entryDetails: [{ creditorName: 'Payee 2' }, { creditorName: 'Payee 3' }],
    });
    await post(payments);
    await release(payments);
    expect(await pending(debtor)).toEqual([[transactionId, -500, 2]]);

    const given = makeBulk(debtor, 2);
    const [gone] = shownIn(await place(given));
    await release(given);
    expect(await pending(debtor)).toEqual([[transactionId, -500, 2]]);
    expect(await readAlone(debtor, gone)).toBeUndefined();
    expect(await expectedBalance(debtor)).toBe(9500);
    expect(shownIn(await place(given))).toEqual([gone]);
    expect(await pending(debtor)).toHaveLength(1);
  });

  it('returns the first result for a repeated payment and adds nothing, whether or not the repeat names the batch', async () => {
    const debtor = await oneAccount('100.00');
    const payments = makeBulk(debtor, 2);
    const first = await place(payments);
    expect(await place([...payments, ...payments])).toEqual([...first, ...first]);
    expect(await place(payments.map(({ paymentId, order }) => ({ paymentId, order })))).toEqual(first);
    expect(await post(payments)).toEqual(await post(payments));
    expect(await pending(debtor)).toEqual([[shownIn(first)[0], -300, 2]]);
  });

  it('adds no further payments to a booked entry, so that later holds start a new entry', async () => {
    const debtor = await oneAccount('100.00');
    const payments = makeBulk(debtor, 3);
    const [booked] = shownIn(await place(payments.slice(0, 2)));
    pass(fresh.profile.bookingDelaySeconds);
    const results = await place(payments);
    const [, next] = shownIn(results);
    expect(results.map(({ held }) => held)).toEqual([true, true, true]);
    const history = await page(debtor.resourceId);
    expect(history.booked.map(shorten)).toEqual([[booked, -300, 2]]);
    expect(history.pending.map(shorten)).toEqual([[next, -300, 1]]);
  });

  it('removes a voided payment even from a booked entry', async () => {
    const debtor = await oneAccount('100.00');
    const payments = makeBulk(debtor, 2);
    const [booked] = shownIn(await place(payments));
    pass(fresh.profile.bookingDelaySeconds);
    await release(payments.slice(1));
    expect((await page(debtor.resourceId)).booked.map(shorten)).toEqual([[booked, -100, 1]]);
  });
});

describe('paging while a batch entry grows (contract 6: cursors are stable)', () => {
  it('preserves the position of the entry and keeps the cursors of other pages valid', async () => {
    const debtor = await oneAccount('100.00');
    const { iban, resourceId } = debtor;
    for (let n = 0; n < 3; n += 1) await deposit(iban, '1.00');
    pass(1);
    const payments = makeBulk(debtor, 3);
    const [batch] = shownIn(await place(payments.slice(0, 1)));
    pass(1);
    for (let n = 0; n < 2; n += 1) await deposit(iban, '1.00');
    const walk = async (): Promise<unknown[]> => {
      const pages = [await page(resourceId, { pageSize: 2 })];
      for (let last = pages[0]; last?.nextCursor !== undefined; last = pages.at(-1))
        pages.push(await page(resourceId, { pageSize: 2, cursor: last.nextCursor }));
      return pages.map((one) => [one.nextCursor, ...[...one.pending, ...one.booked].map(shorten)]);
    };
    const before = await walk();
    await place(payments.slice(1, 2));
    await release(payments.slice(0, 1));
    await place(payments.slice(2));
    const grown = before.map((one) => JSON.parse(JSON.stringify(one).replace('-100,1]', '-500,2]')));
    expect(JSON.stringify(grown)).toContain(`"${batch}",-500,2`);
    expect(JSON.parse(JSON.stringify(await walk()))).toEqual(JSON.parse(JSON.stringify(grown)));
  });
});

describe('concurrent batch booking (contract 8: money moves once or not at all)', () => {
  it('creates a single entry for overlapping parts of one bulk payment that are held in parallel', async () => {
    for (let round = 0; round < 10; round += 1) {
      const debtor = await oneAccount('1000.00');
      const payments = makeBulk(debtor, 20);
      const parts = [0, 5, 10, 15, 2, 7, 12].map((from) => payments.slice(from, from + 5));
      const results = (await Promise.all(parts.map(place))).flat();
      const [transactionId] = shownIn(results);
      expect(shownIn(results)).toHaveLength(1);
      expect(await pending(debtor)).toEqual([[transactionId, -21_000, 20]]);
    }
  });

  it('lets either the post or the void of a payment win, and shows the result in the entry', async () => {
    const debtor = await oneAccount('1000.00');
    const payments = makeBulk(debtor, 40, { amount: { minor: 100, currency: 'BGN' } });
    const [transactionId] = shownIn(await place(payments));
    const outcomes = await Promise.all(
      payments.map(async (payment, index) => {
        const early = index % 2 === 0 ? release([payment]) : undefined;
        const [posted] = await Promise.all([post([payment]), early ?? release([payment])]);
        return posted;
      }),
    );
    const won = outcomes.flat().filter(({ posted }) => posted).length;
    expect(await pending(debtor)).toEqual(won === 0 ? [] : [[transactionId, -100 * won, won]]);
    expect(await expectedBalance(debtor)).toBe(100_000 - 100 * won);
  });

  it('preserves every invariant while batches of people who pay each other are posted and voided in parallel', async () => {
    const people = await Promise.all(Array.from({ length: 4 }, () => oneAccount('100.00')));
    const batchIds = [newId(), newId()];
    const payment = fc.record({
      from: fc.nat(3),
      to: fc.nat(3),
      batch: fc.constantFrom(0, 1, undefined),
      minor: fc.integer({ min: 1, max: 4000 }),
      end: fc.constantFrom('post', 'void', 'open'),
    });
    const calls = fc.array(fc.array(payment, { minLength: 1, maxLength: 12 }), {
      minLength: 4,
      maxLength: 8,
    });
    await fc.assert(
      fc.asyncProperty(calls, async (batches) => {
        await Promise.all(
          batches.map(async (wanted) => {
            const orders = wanted.map(({ from, to, batch, minor }): HoldOrder => ({
              paymentId: newId(),
              batchId: batch === undefined ? undefined : batchIds[batch],
              order: {
                amount: { minor, currency: 'BGN' },
                debtorIban: people[from]?.iban ?? '',
                creditorAccount: people[to]?.iban ?? '',
                creditorName: 'P',
                remittance: 'r',
              },
            }));
            const results = await place(orders);
            const ending = (end: string): HoldOrder[] =>
              orders.filter((_, index) => results[index]?.held === true && wanted[index]?.end === end);
            await Promise.all([post(ending('post')), release(ending('void'))]);
          }),
        );
        pass(60);
        expect(await ledgerViolations(fresh.pool)).toEqual([]);
      }),
      { numRuns: 15 },
    );
  }, 60_000);
});

describe('the batch entry tables (architecture: ledger)', () => {
  it('are checked for a batch entry that is missing or whose amount is not the sum of its payments', async () => {
    const debtor = await oneAccount('100.00');
    const [transactionId = ''] = shownIn(await place(makeBulk(debtor, 2)));
    const violation = `batch entry ${transactionId.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')} is not the sum of its payments`;
    const remove = async (): Promise<object> =>
      (await fresh.pool.query('DELETE FROM entry WHERE account_id = $1 RETURNING *', [debtor.resourceId]))
        .rows[0];
    const insert = async (row: object): Promise<unknown> =>
      fresh.pool.query('INSERT INTO entry SELECT * FROM json_populate_record(NULL::entry, $1)', [
        JSON.stringify(row),
      ]);
    const entry = await remove();
    expect(await ledgerViolations(fresh.pool)).toEqual([violation]);
    await insert({ ...entry, amount: -299 });
    expect(await ledgerViolations(fresh.pool)).toEqual([violation]);
    await remove();
    await insert(entry);
  });

  it.each(['UPDATE batch_payment SET details = details', 'DELETE FROM batch_payment'])(
    'do not let the service run %s',
    async (statement) => {
      await expect(fresh.pool.query(statement)).rejects.toMatchObject({ code: '42501' });
    },
  );
});
