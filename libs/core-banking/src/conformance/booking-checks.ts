import type { EntryDetail, HoldOrder, HoldResult, TransactionEntry } from '@xs2a/contracts/accounts.contract';
import { formatAmount } from '@xs2a/domain/money/money';
import { uuidv5 } from '@xs2a/runtime/ids';
import assert from 'node:assert/strict';
import { readAccount, readBalances, entryIn, pageIn } from './account-reading.js';
import type { BankCheck, Trial } from './sample.js';
import { heldOrWhy, makeOrder, movedBy, place } from './trial-orders.js';

const listIds = (orders: readonly HoldOrder[]): string[] => orders.map(({ paymentId }) => paymentId);
/** The amounts of entries as sorted texts. */
const listAmounts = (entries: readonly Pick<EntryDetail, 'amount'>[]): string[] =>
  entries.map(({ amount }) => `${formatAmount(amount)} ${amount.currency}`).sort();
const listDebits = ({ sample }: Trial, minors: readonly number[]): string[] =>
  listAmounts(minors.map((minor) => ({ amount: { minor: -minor, currency: sample.currency } })));

/**
 * Checks the entry of a batch of three payments of 1, 2 and 3 minor units: it must state the number of payments,
 * and must list the payments if requested individually.
 */
const showsItsPayments = async (
  trial: Trial,
  resourceId: string,
  entry: TransactionEntry | undefined,
): Promise<void> => {
  assert.equal(entry?.batchNumberOfTransactions, 3, 'the number of payments in the batch entry');
  const { entryDetails = [] } = await entryIn(trial, resourceId, entry.transactionId);
  assert.deepEqual(
    listAmounts(entryDetails),
    listDebits(trial, [1, 2, 3]),
    'the payments of the batch entry',
  );
};

/** Checks of two-phase booking: nothing may be booked twice or lost, whichever call is repeated (contract 8). */
export const bookingChecks: readonly BankCheck[] = [
  {
    title: 'a hold lowers expected and shows as pending; a void undoes both',
    run: async (trial) => {
      const { resourceId } = await readAccount(trial);
      const order = makeOrder(trial, 3);
      let results: readonly HoldResult[] = [];
      const held = await movedBy(trial, async () => (results = await place(trial, order)));
      assert.deepEqual(held, { interimAvailable: 0, expected: -3 });
      const [result] = results;
      const transactionId = result?.held === true ? result.transactionId : '';
      const ids = async (): Promise<string[]> =>
        (await pageIn(trial, resourceId)).entries.map((entry) => entry.transactionId);
      assert.ok((await ids()).includes(transactionId), 'the hold is not in the history');
      const given = await movedBy(trial, async () =>
        trial.bank.booking.voidHolds([order.paymentId], trial.call()),
      );
      assert.deepEqual(given, { interimAvailable: 0, expected: 3 });
      assert.ok(!(await ids()).includes(transactionId), 'the voided hold is still in the history');
    },
  },
  {
    title: 'the same hold, sent five times at once and once more later, is one hold with one answer',
    run: async (trial) => {
      const order = makeOrder(trial, 2);
      const answers: unknown[] = [];
      const moved = await movedBy(trial, async () => {
        answers.push(...(await Promise.all(Array.from({ length: 5 }, () => place(trial, order)))));
        answers.push(await place(trial, order));
      });
      assert.deepEqual(moved, { interimAvailable: 0, expected: -2 });
      assert.equal(new Set(answers.map((answer) => JSON.stringify(answer))).size, 1);
      await trial.bank.booking.voidHolds([order.paymentId], trial.call());
    },
  },
  {
    title: 'a post lowers interimAvailable once, even if it is repeated; a void after it has no effect',
    run: async (trial) => {
      const { booking } = trial.bank;
      const order = makeOrder(trial, 1);
      const answers: unknown[] = [];
      const moved = await movedBy(trial, async () => {
        await place(trial, order);
        for (let time = 0; time < 3; time += 1) {
          answers.push(await booking.postHolds([order.paymentId], trial.call()));
        }
        await booking.voidHolds([order.paymentId], trial.call());
        assert.deepEqual(heldOrWhy(await place(trial, order)), ['held']);
      });
      assert.deepEqual(moved, { interimAvailable: -1, expected: -1 });
      assert.equal(new Set(answers.map((answer) => JSON.stringify(answer))).size, 1);
      assert.match(JSON.stringify(answers[0]), /"posted":true/);
    },
  },
  {
    title: 'a hold that was voided or never placed is not posted',
    run: async (trial) => {
      const { booking } = trial.bank;
      const order = makeOrder(trial, 1);
      const unknown = trial.newPaymentId();
      const moved = await movedBy(trial, async () => {
        await place(trial, order);
        await booking.voidHolds([order.paymentId], trial.call());
        await booking.voidHolds([order.paymentId], trial.call());
        const results = await booking.postHolds([order.paymentId, unknown], trial.call());
        assert.deepEqual(
          results.map(({ paymentId, posted }) => [paymentId, posted]),
          [
            [order.paymentId, false],
            [unknown, false],
          ],
        );
      });
      assert.deepEqual(moved, { interimAvailable: 0, expected: 0 });
    },
  },
  {
    title: 'of several orders, those that the balance still covers are held, in the order given',
    run: async (trial) => {
      const { expected } = await readBalances(trial, (await readAccount(trial)).resourceId);
      const orders = [makeOrder(trial, 1), makeOrder(trial, expected), makeOrder(trial, 1)];
      assert.deepEqual(heldOrWhy(await place(trial, ...orders)), ['held', 'insufficient-funds', 'held']);
      await trial.bank.booking.voidHolds(
        orders.map(({ paymentId }) => paymentId),
        trial.call(),
      );
    },
  },
  {
    title: 'a fee is held with its payment, as a separate entry, and released with it',
    run: async (trial) => {
      const { resourceId } = await readAccount(trial);
      const listIds = async (): Promise<string[]> =>
        (await pageIn(trial, resourceId, { bookingStatus: 'pending' })).pending.map(
          ({ transactionId }) => transactionId,
        );
      const before = await listIds();
      const { currency } = trial.sample;
      const order = makeOrder(trial, 3, { fee: { minor: 2, currency } });
      const held = await movedBy(trial, async () => place(trial, order));
      assert.deepEqual(held, { interimAvailable: 0, expected: -5 });
      const { pending } = await pageIn(trial, resourceId, { bookingStatus: 'pending' });
      const added = pending.filter(({ transactionId }) => !before.includes(transactionId));
      assert.deepEqual(listAmounts(added), listDebits(trial, [3, 2]), 'the amount and the fee');
      const given = await movedBy(trial, async () =>
        trial.bank.booking.voidHolds([order.paymentId], trial.call()),
      );
      assert.deepEqual(given, { interimAvailable: 0, expected: 5 });
      assert.deepEqual(await listIds(), before, 'an entry of the voided hold is still in the history');
    },
  },
  {
    title: 'a post moves the fee too',
    run: async (trial) => {
      const { currency } = trial.sample;
      const order = makeOrder(trial, 1, { fee: { minor: 1, currency } });
      const moved = await movedBy(trial, async () => {
        await place(trial, order);
        await trial.bank.booking.postHolds([order.paymentId], trial.call());
      });
      assert.deepEqual(moved, { interimAvailable: -2, expected: -2 });
    },
  },
  {
    title: 'the fee has to be covered too',
    run: async (trial) => {
      const { currency } = trial.sample;
      const { expected } = await readBalances(trial, (await readAccount(trial)).resourceId);
      const fee = { minor: 1, currency };
      const orders = [makeOrder(trial, expected, { fee }), makeOrder(trial, expected - 1, { fee })];
      assert.deepEqual(heldOrWhy(await place(trial, ...orders)), ['insufficient-funds', 'held']);
      const ids = orders.map(({ paymentId }) => paymentId);
      await trial.bank.booking.voidHolds(ids, trial.call());
    },
  },
  {
    title:
      'a payment in another currency holds its debit amount in the currency of the account, and no other currency is accepted',
    run: async (trial) => {
      const { currency } = trial.sample;
      const amount = { minor: 100, currency: currency === 'EUR' ? 'USD' : 'EUR' };
      const order = makeOrder(trial, 0, { amount, debit: { minor: 4, currency }, rate: '0.04' });
      const held = await movedBy(trial, async () => place(trial, order));
      assert.deepEqual(held, { interimAvailable: 0, expected: -4 });
      await trial.bank.booking.voidHolds([order.paymentId], trial.call());
      const refused = await place(trial, makeOrder(trial, 0, { amount }));
      assert.deepEqual(heldOrWhy(refused), ['debtor-account-unusable']);
    },
  },
  {
    title: 'ids derived from an order id and a number are booked like payment ids, each separately',
    run: async (trial) => {
      const { resourceId } = await readAccount(trial);
      const orderId = trial.newPaymentId();
      const [first, second, third] = [1, 2, 3].map((number) => ({
        ...makeOrder(trial, number),
        paymentId: uuidv5(`transaction:${number}`, orderId),
      })) as [HoldOrder, HoldOrder, HoldOrder];
      const moved = await movedBy(trial, async () => {
        const results = await place(trial, first, second, third);
        assert.deepEqual(await place(trial, third, second, first), [...results].reverse());
        const ids = results.map((result) => (result.held ? result.transactionId : result.reason));
        assert.equal(new Set(ids).size, 3, 'an entry for each number');
        const { entries } = await pageIn(trial, resourceId);
        const shown = entries.filter(({ transactionId }) => ids.includes(transactionId));
        assert.deepEqual(listAmounts(shown), listDebits(trial, [1, 2, 3]));
        await trial.bank.booking.voidHolds([...listIds([second, third]), orderId], trial.call());
        const ended = [...listIds([first, second]), orderId];
        const posts = await trial.bank.booking.postHolds(ended, trial.call());
        assert.deepEqual(
          posts.map(({ posted }) => posted),
          [true, false, false],
        );
      });
      assert.deepEqual(moved, { interimAvailable: -1, expected: -1 });
    },
  },
  {
    title:
      'payments of one batch are held and released one by one, and appear as one entry or one each (contract 9)',
    run: async (trial) => {
      const { resourceId } = await readAccount(trial);
      const batchId = trial.newPaymentId();
      const orders = [1, 2, 3].map((minor) => ({ ...makeOrder(trial, minor), batchId }));
      let results: readonly HoldResult[] = [];
      const held = await movedBy(trial, async () => (results = await place(trial, ...orders)));
      assert.deepEqual(held, { interimAvailable: 0, expected: -6 });
      const ids = new Set(results.map((result) => (result.held ? result.transactionId : '')));
      assert.ok(ids.size === 1 || ids.size === 3, `${ids.size} entries for three payments of one batch`);
      const isOneEntry = ids.size === 1;
      const entries = async (): Promise<readonly TransactionEntry[]> =>
        (await pageIn(trial, resourceId, { bookingStatus: 'pending' })).pending.filter(({ transactionId }) =>
          ids.has(transactionId),
        );
      const shows = async (...payments: readonly number[]): Promise<void> =>
        assert.deepEqual(
          listAmounts(await entries()),
          listDebits(trial, isOneEntry ? [payments.reduce((sum, minor) => sum + minor)] : payments),
        );
      await shows(1, 2, 3);
      if (isOneEntry) await showsItsPayments(trial, resourceId, (await entries())[0]);
      await trial.bank.booking.voidHolds(listIds(orders.slice(0, 1)), trial.call());
      await shows(2, 3);
      const given = await movedBy(trial, () => trial.bank.booking.voidHolds(listIds(orders), trial.call()));
      assert.deepEqual(given, { interimAvailable: 0, expected: 5 });
      assert.deepEqual(await entries(), [], 'an entry of the voided payments is still in the history');
    },
  },
  {
    title: 'an account of another bank cannot be debited',
    run: async (trial) => {
      const order = makeOrder(trial, 1, { debtorIban: 'DE89370400440532013000' });
      assert.deepEqual(heldOrWhy(await place(trial, order)), ['debtor-account-unusable']);
    },
  },
];
