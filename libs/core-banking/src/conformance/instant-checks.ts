import type { HoldOrder } from '@xs2a/contracts/accounts.contract';
import type { InstantAnswer } from '@xs2a/domain/payment/instant/instant-answer';
import assert from 'node:assert/strict';
import { entryIn, readAccount } from './account-reading.js';
import type { BankCheck, Trial } from './sample.js';
import { heldOrWhy, makeOrder, movedBy, place } from './trial-orders.js';

/** An instant this many milliseconds from now. The clock of the checks is never moved. */
const inMs = ({ call }: Trial, ms: number): string => new Date(Date.parse(call().at) + ms).toISOString();
const instantOrder = (trial: Trial, minor: number, more: Partial<HoldOrder['order']> = {}): HoldOrder => ({
  ...makeOrder(trial, minor, more),
  instant: true,
});
const send = async (
  trial: Trial,
  { paymentId, order }: HoldOrder,
  deadline = inMs(trial, 4000),
): Promise<InstantAnswer> => trial.bank.instant.sendInstant(paymentId, order, deadline, trial.call());
const release = async ({ bank, call }: Trial, { paymentId }: HoldOrder): Promise<void> =>
  bank.booking.voidHolds([paymentId], call());

const settled: InstantAnswer = { outcome: 'settled' };
const rejected = (reasonCode: string): InstantAnswer => ({ outcome: 'rejected', reasonCode });

type Instant = NonNullable<Trial['sample']['instant']>;

/** A check that needs something of the sample, and is left out where the sample lacks it. */
const where = <Needed>(
  title: string,
  need: (instant: Instant) => Needed | undefined,
  run: (trial: Trial, needed: Needed) => Promise<void>,
): BankCheck => ({
  title,
  run: async (trial) => {
    const needed = trial.sample.instant === undefined ? undefined : need(trial.sample.instant);
    if (needed !== undefined) await run(trial, needed);
  },
});

/** Checks of instant payments, for a bank that offers them (euro contract, E3.5). */
export const instantChecks: readonly BankCheck[] = [
  where(
    'a settled instant order moves nothing until it is posted, and its entry is then booked at once',
    (instant) => instant,
    async (trial) => {
      const { resourceId } = await readAccount(trial);
      const order = instantOrder(trial, 3);
      let transactionId = '';
      const sent = await movedBy(trial, async () => {
        const [result] = await place(trial, order);
        transactionId = result?.held === true ? result.transactionId : '';
        assert.deepEqual(await send(trial, order), settled);
      });
      assert.deepEqual(sent, { interimAvailable: 0, expected: -3 });
      const posted = await movedBy(trial, async () =>
        trial.bank.booking.postHolds([order.paymentId], trial.call()),
      );
      assert.deepEqual(posted, { interimAvailable: -3, expected: 0 });
      const { bookingDate } = await entryIn(trial, resourceId, transactionId);
      assert.ok(bookingDate, 'the entry of a posted instant payment is still pending');
    },
  ),
  where(
    'an instant order that is sent five times at once and once more later has one outcome',
    (instant) => instant,
    async (trial) => {
      const order = instantOrder(trial, 2);
      await place(trial, order);
      const answers = await Promise.all(Array.from({ length: 5 }, () => send(trial, order)));
      answers.push(await send(trial, order, inMs(trial, -60_000)));
      assert.deepEqual(
        answers,
        answers.map(() => settled),
      );
      await release(trial, order);
      assert.deepEqual(await send(trial, order), settled, 'the outcome after the void');
    },
  ),
  where(
    'an instant order that is first heard of after its deadline is rejected with AB11 and never sent',
    (instant) => instant,
    async (trial) => {
      const order = instantOrder(trial, 1);
      await place(trial, order);
      assert.deepEqual(await send(trial, order, inMs(trial, -1)), rejected('AB11'));
      assert.deepEqual(await send(trial, order), rejected('AB11'), 'a repeat with a later deadline');
      await release(trial, order);
    },
  ),
  where(
    'an instant order to a silent bank is rejected with AB05 at its deadline, or later if asked again',
    ({ silentPayee }) => silentPayee,
    async (trial, creditorAccount) => {
      const order = instantOrder(trial, 1, { creditorAccount });
      await place(trial, order);
      const deadline = inMs(trial, 1000);
      const answers = await Promise.all([send(trial, order, deadline), send(trial, order, deadline)]);
      answers.push(await send(trial, order, deadline));
      assert.deepEqual(
        answers,
        answers.map(() => rejected('AB05')),
      );
      await release(trial, order);
    },
  ),
  where(
    'an instant payment above the limit of the PSU is refused with limit-exceeded; other payments have no limit',
    ({ limit }) => limit,
    async (trial, limit) => {
      const orders = [instantOrder(trial, limit + 1), instantOrder(trial, limit)];
      assert.deepEqual(heldOrWhy(await place(trial, ...orders)), ['limit-exceeded', 'held']);
      for (const order of orders) await release(trial, order);
      const other = makeOrder(trial, limit + 1);
      assert.deepEqual(heldOrWhy(await place(trial, other)), ['held']);
      await release(trial, other);
    },
  ),
];
