// Lane: long (it takes half a minute).
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { ledgerViolations } from '@xs2a/core-banking/sandbox/ledger/ledger-invariants';
import { bulkFrom, orderFrom } from '@xs2a/domain/testing/initiations';
import type { PeriodicSchedule } from '@xs2a/domain/order/periodic-schedule';
import type { PaymentEvent } from '@xs2a/domain/payment/payment-events';
import { addDays } from '@xs2a/domain/time/bank-calendar';
import { dependencyDown } from '@xs2a/domain/failure/failed';
import { metrics } from '@xs2a/observability/metrics';
import { deriveBookingId } from '@xs2a/runtime/booking-ids';
import { type Moment, outside, type Step } from './testing/outside.js';
import { ignoreFailedCall, type SettlementWorld, startSettlementWorld } from './testing/settlement-world.js';

let world: SettlementWorld;
beforeAll(async () => {
  world = await startSettlementWorld();
}, 90_000);
afterAll(async () => world.stop(), 30_000);
afterEach(async () => {
  outside.interfere = async () => undefined;
  expect(await ledgerViolations(world.bank.pool)).toEqual([]);
});

const daySeconds = 86_400;
const today = (): string => world.worker.clock.date('Europe/Sofia');
const daily = (numberOfPayments: number): PeriodicSchedule => ({
  startDate: addDays(today(), 1),
  frequency: 'Daily',
  numberOfPayments,
});
const events = async (paymentId: string): Promise<readonly PaymentEvent[]> =>
  (await outside.payments.history(paymentId)) as unknown as readonly PaymentEvent[];
/** Returns the numbers of an order's occurrences or of a bulk payment's entries that had this event, in order. */
const readNumbers = async (
  paymentId: string,
  type: 'transaction-settled' | 'transaction-refused' | 'transaction-started',
): Promise<number[]> =>
  (await events(paymentId)).flatMap((event) => (event.type === type ? [event.data.number] : []));
const readTransfers = async (paymentId: string, number: number): Promise<string[]> =>
  world.transfers(deriveBookingId({ paymentId, number }));
const nothingLeft = async (): Promise<unknown> => world.sql('SELECT payment_id FROM settlement.unfinished');
const from1 = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1);

const moments = (['due', 'hold', 'started', 'post', 'settled'] as const).flatMap((step) => [
  { step, moment: 'before' as const },
  { step, moment: 'after' as const },
]);
/** Fails once, the nth time that this point in the step is reached. */
const breakOnce = (step: Step, moment: Moment, time: number): { broke: boolean } => {
  const result = { broke: false };
  let times = 0;
  outside.interfere = async (at, when) => {
    if (at !== step || when !== moment) return;
    times += 1;
    if (times !== time) return;
    result.broke = true;
    throw dependencyDown();
  };
  return result;
};

describe('settlement of a periodic order (contract 9)', () => {
  it('pays overdue occurrences immediately, oldest first, across all orders', async () => {
    const from = await world.account(700);
    const early = await world.signedOrder({ from, minor: 100 }, daily(30));
    const late = await world.signedOrder(
      { from, minor: 100 },
      { startDate: addDays(today(), 5), frequency: 'Daily' },
    );
    await world.later(30 * daySeconds);
    // Days 1 to 4 of the first order, then both orders on day 5; one of the two receives the last money on
    // day 6.
    expect((await readNumbers(early, 'transaction-settled')).length).toBeLessThanOrEqual(6);
    expect((await readNumbers(early, 'transaction-settled')).slice(0, 5)).toEqual([1, 2, 3, 4, 5]);
    expect((await readNumbers(late, 'transaction-settled'))[0]).toBe(1);
    expect(
      (await readNumbers(early, 'transaction-settled')).length +
        (await readNumbers(late, 'transaction-settled')).length,
    ).toBe(7);
    expect(orderFrom(await events(early))).toMatchObject({ status: 'ACSC', ended: { number: 30 } });
    expect(await world.cancel(late)).toBe('cancelled');
  });

  it('does not make an immediate payment wait for 6,000 overdue occurrences of ten other accounts', async () => {
    const orders: string[] = [];
    for (let account = 0; account < 10; account += 1)
      orders.push(await world.signedOrder({ from: await world.account(100_000), minor: 1 }, daily(600)));
    outside.interfere = async (step) => {
      if (step === 'due') throw dependencyDown();
    };
    await world.later(600 * daySeconds).catch(ignoreFailedCall);
    const immediate = await world.signed({ from: await world.account(100), minor: 100 });
    let [first, isHeld] = [0, false];
    outside.interfere = async (step, moment, paymentIds) => {
      if (step !== 'hold' || moment !== 'after' || isHeld) return;
      isHeld = paymentIds.includes(immediate);
      if (!isHeld) first += paymentIds.length;
      // The remaining occurrences are not needed.
      else for (const id of orders) await world.cancel(id);
    };
    await world.later(61);
    expect(isHeld).toBe(true);
    // At most one occurrence per account.
    expect(first).toBeLessThanOrEqual(10);
    expect((await world.state(immediate)).status).toBe('ACSC');
  }, 120_000);

  it('makes an immediate payment wait for one page of overdue payments of other accounts, but not for the next', async () => {
    const from = await world.account(100_000);
    outside.interfere = async (step) => {
      if (step === 'due') throw dependencyDown();
    };
    for (let some = 0; some < 15; some += 1)
      await Promise.all(from1(50).map(async () => world.signed({ from, minor: 1 })));
    await world.later(daySeconds).catch(ignoreFailedCall);
    const immediate = await world.signed({ from: await world.account(100), minor: 100 });
    let [first, isHeld] = [0, false];
    outside.interfere = async (step, moment, paymentIds) => {
      if (step !== 'hold' || moment !== 'after' || isHeld) return;
      isHeld = paymentIds.includes(immediate);
      if (!isHeld) first += paymentIds.length;
    };
    await world.later(61);
    expect(isHeld).toBe(true);
    expect(first).toBeLessThanOrEqual(450);
    expect((await world.state(immediate)).status).toBe('ACSC');
  }, 120_000);

  it('does not refuse a payment taken ahead of its turn from an empty account: the payment waits for the earlier one that covers it', async () => {
    const [backlog, source] = [await world.account(100_000), await world.account(100_000)];
    outside.interfere = async (step) => {
      if (step === 'due') throw dependencyDown();
    };
    for (let some = 0; some < 17; some += 1)
      await Promise.all(from1(50).map(async () => world.signed({ from: backlog, minor: 1 })));
    const transits = await Promise.all(from1(20).map(async () => world.account(0)));
    for (const to of transits) await world.signed({ from: source, to, minor: 100 });
    const onwards = await Promise.all(transits.map(async (from) => world.signed({ from, minor: 100 })));
    await world.later(daySeconds).catch(ignoreFailedCall);
    outside.interfere = async () => undefined;
    await world.later(61);
    const statuses = await Promise.all(onwards.map(async (id) => (await world.state(id)).status));
    expect(statuses).toEqual(onwards.map(() => 'ACSC'));
    expect(await nothingLeft()).toEqual([]);
  }, 120_000);

  it('decides a payment that was taken ahead of its turn and has to wait only after the earlier payments on later pages', async () => {
    const [backlog, source, transit] = [
      await world.account(100_000),
      await world.account(100_000),
      await world.account(0),
    ];
    outside.interfere = async (step) => {
      if (step === 'due') throw dependencyDown();
    };
    // Every page contains payments of both accounts, so only the payment from the empty account is taken
    // ahead of its turn.
    for (let some = 0; some < 28; some += 1)
      await Promise.all(
        from1(50).map(async (number) =>
          world.signed({ from: number % 10 === 0 ? source : backlog, minor: 1 }),
        ),
      );
    await world.signed({ from: source, to: transit, minor: 100 });
    const onwards = await world.signed({ from: transit, to: backlog, minor: 100 });
    await world.later(daySeconds).catch(ignoreFailedCall);
    outside.interfere = async () => undefined;
    await world.later(61);
    expect((await world.state(onwards)).status).toBe('ACSC');
  }, 120_000);

  it('reports how long the oldest occurrence has been due', async () => {
    const from = await world.account(1000);
    await world.signedOrder({ from, minor: 100 }, daily(3));
    outside.interfere = async (step) => {
      if (step === 'hold') throw dependencyDown();
    };
    await world.later(3 * daySeconds).catch(ignoreFailedCall);
    const oldest = async (): Promise<number> =>
      (await metrics.getSingleMetric('xs2a_due_oldest_seconds')?.get())?.values[0]?.value ?? -1;
    expect(await oldest()).toBeGreaterThan(2 * daySeconds);
    outside.interfere = async () => undefined;
    await world.retryNow();
    // The work is rechecked every five seconds; each drain is a query, not a pause.
    while ((await oldest()) !== 0) await world.drain();
  }, 30_000);

  it('permanently skips an occurrence without funds, and continues with the next', async () => {
    const from = await world.account(100);
    const id = await world.signedOrder({ from, minor: 100 }, daily(3));
    await world.later(daySeconds);
    await world.later(daySeconds);
    expect(await readNumbers(id, 'transaction-refused')).toEqual([2]);
    await world.bank.bank.tools.deposit({ iban: from, body: { amount: '5.00', currency: 'BGN' } });
    await world.later(daySeconds);
    expect(await readNumbers(id, 'transaction-settled')).toEqual([1, 3]);
    expect(await readTransfers(id, 2)).toEqual([]);
    expect(orderFrom(await events(id)).status).toBe('ACSC');
  });

  it('books only the occurrence whose funds are held, after the order has been cancelled', async () => {
    const from = await world.account(1000);
    const id = await world.signedOrder({ from, minor: 100 }, daily(3));
    outside.interfere = async (step, moment) => {
      if (step === 'started' && moment === 'after') await world.cancel(id);
    };
    await world.later(3 * daySeconds);
    expect(await readNumbers(id, 'transaction-settled')).toEqual([1]);
    expect(await readTransfers(id, 1)).toEqual(['hold', 'post']);
    expect(await readTransfers(id, 2)).toEqual([]);
    expect(orderFrom(await events(id)).status).toBe('CANC');
    expect(await nothingLeft()).toEqual([]);
  });

  it('releases the hold of an occurrence if the order is cancelled before the occurrence is recorded', async () => {
    const from = await world.account(1000);
    const id = await world.signedOrder({ from, minor: 100 }, daily(3));
    outside.interfere = async (step, moment) => {
      if (step === 'hold' && moment === 'after') await world.cancel(id);
    };
    await world.later(3 * daySeconds);
    expect(await readNumbers(id, 'transaction-settled')).toEqual([]);
    expect(await readTransfers(id, 1)).toEqual(['hold', 'void']);
    expect(await nothingLeft()).toEqual([]);
  });

  it.each(moments)(
    'completes exactly once when the called service goes down $moment $step of the second occurrence',
    async ({ step, moment }) => {
      const from = await world.account(10_000);
      const id = await world.signedOrder({ from, minor: 100 }, daily(3));
      const fault = breakOnce(step, moment, 2);
      await world.later(3 * daySeconds).catch(ignoreFailedCall);
      await world.retryNow();
      expect(fault.broke).toBe(true);
      expect(await readNumbers(id, 'transaction-started')).toEqual([1, 2, 3]);
      expect(await readNumbers(id, 'transaction-settled')).toEqual([1, 2, 3]);
      for (const number of [1, 2, 3]) expect(await readTransfers(id, number)).toEqual(['hold', 'post']);
      expect(await nothingLeft()).toEqual([]);
    },
  );
});

describe('settlement of a bulk payment (contract 9)', () => {
  const entries = (from: string, count: number) => from1(count).map((number) => ({ from, minor: number }));

  it('pays 250 entries one by one, in order', async () => {
    const from = await world.account(100_000);
    const id = await world.signedBulk(entries(from, 250));
    await world.later(61);
    expect(await readNumbers(id, 'transaction-started')).toEqual(from1(250));
    expect(await readNumbers(id, 'transaction-settled')).toEqual(from1(250));
    expect(bulkFrom(await events(id)).status).toBe('ACSC');
    expect(await readTransfers(id, 250)).toEqual(['hold', 'post']);
  });

  it('ends as PART if some entries have no funds; smaller entries after them are paid', async () => {
    const from = await world.account(350);
    const id = await world.signedBulk([300, 100, 50].map((minor) => ({ from, minor })));
    await world.later(61);
    expect(await readNumbers(id, 'transaction-settled')).toEqual([1, 3]);
    expect(await readNumbers(id, 'transaction-refused')).toEqual([2]);
    expect(bulkFrom(await events(id)).status).toBe('PART');
    expect(await world.cancel(id)).toBe('too late');
  });

  it('ends permanently as ACCP without funds if no entry is covered', async () => {
    const from = await world.account(0);
    const id = await world.signedBulk(entries(from, 3));
    await world.later(61);
    expect(bulkFrom(await events(id))).toMatchObject({ status: 'ACCP', fundsAvailable: false });
    expect(await world.cancel(id)).toBe('too late');
    expect(await nothingLeft()).toEqual([]);
  });

  it('creates one entry in the history for all paid entries if batch booking is requested', async () => {
    const from = await world.account(350);
    const id = await world.signedBulk(
      [300, 100, 50].map((minor) => ({ from, minor })),
      true,
    );
    await world.later(61);
    const { rows } = await world.bank.pool.query(
      'SELECT amount::int AS amount FROM entry WHERE batch_id = $1 AND amount < 0',
      [id],
    );
    expect(rows).toEqual([{ amount: -350 }]);
    expect(bulkFrom(await events(id)).status).toBe('PART');
  });

  it('keeps the order of entries when one keeps failing: those after it wait, even if they are covered', async () => {
    const from = await world.account(300);
    const id = await world.signedBulk([300, 100, 50].map((minor) => ({ from, minor })));
    const first = deriveBookingId({ paymentId: id, number: 1 });
    outside.interfere = async (step, _moment, paymentIds) => {
      if (step !== 'due' && step !== 'read' && paymentIds.includes(first)) throw dependencyDown();
    };
    await world.later(61).catch(ignoreFailedCall);
    for (let tries = 0; tries < 12; tries += 1) await world.drain().catch(ignoreFailedCall);
    expect(await readNumbers(id, 'transaction-started')).toEqual([]);
    outside.interfere = async () => undefined;
    await world.retryNow();
    await world.drain();
    expect(await readNumbers(id, 'transaction-settled')).toEqual([1]);
    expect(await readNumbers(id, 'transaction-refused')).toEqual([2, 3]);
    expect(await nothingLeft()).toEqual([]);
  });

  it('keeps the order of entries while an earlier payment may still cover one', async () => {
    const [payer, from] = [await world.account(250), await world.account(100)];
    const incoming = await world.signed({ from: payer, minor: 250, to: from });
    const id = await world.signedBulk([300, 100].map((minor) => ({ from, minor })));
    outside.interfere = async (step, _moment, paymentIds) => {
      if (step === 'hold' && paymentIds.includes(incoming)) throw new Error('it fails');
    };
    // The entries after the failing one stay due, so no drain ends before its limit.
    world.moveClock(61);
    for (let tries = 0; tries < 5; tries += 1) await world.drain(1000).catch(ignoreFailedCall);
    expect(await readNumbers(id, 'transaction-started')).toEqual([]);
    outside.interfere = async () => undefined;
    await world.retryNow();
    await world.retryNow();
    expect(await readNumbers(id, 'transaction-settled')).toEqual([1]);
    expect(await readNumbers(id, 'transaction-refused')).toEqual([2]);
    expect(await nothingLeft()).toEqual([]);
  });

  it('keeps no holds if it is cancelled while the first ones are placed', async () => {
    const from = await world.account(100_000);
    const id = await world.signedBulk(entries(from, 150));
    outside.interfere = async (step, moment) => {
      if (step === 'hold' && moment === 'after') await world.cancel(id);
    };
    // On a busy machine a call may time out; its work is then repeated.
    await world.later(61).catch(ignoreFailedCall);
    await world.retryNow();
    expect(bulkFrom(await events(id)).status).toBe('CANC');
    expect(await readNumbers(id, 'transaction-started')).toEqual([]);
    for (const number of from1(150))
      expect([[], ['hold', 'void']]).toContainEqual(await readTransfers(id, number));
    expect(await readTransfers(id, 1)).toEqual(['hold', 'void']);
    expect(await nothingLeft()).toEqual([]);
  });

  it.each(moments)(
    'completes several batches exactly once when the called service goes down $moment $step',
    async ({ step, moment }) => {
      const from = await world.account(15_000);
      const isBatch = moment === 'after';
      const id = await world.signedBulk(entries(from, 150), isBatch);
      // The sum is 11,325: everything is covered exactly once.
      const fault = breakOnce(step, moment, step === 'due' ? 1 : 2);
      await world.later(61).catch(ignoreFailedCall);
      await world.retryNow();
      expect(fault.broke).toBe(true);
      expect(bulkFrom(await events(id)).status).toBe('ACSC');
      expect(await readNumbers(id, 'transaction-started')).toEqual(from1(150));
      expect((await readNumbers(id, 'transaction-settled')).toSorted((a, b) => a - b)).toEqual(from1(150));
      const { rows } = await world.bank.pool.query(
        `SELECT kind, count(*)::int AS transfers, sum(amount)::int AS amount FROM transfer
         WHERE payment_id = ANY($1::uuid[]) GROUP BY kind ORDER BY kind`,
        [from1(150).map((number) => deriveBookingId({ paymentId: id, number }))],
      );
      expect(rows).toEqual([
        { kind: 'hold', transfers: 150, amount: 11_325 },
        { kind: 'post', transfers: 150, amount: 11_325 },
      ]);
      expect(await nothingLeft()).toEqual([]);
    },
  );
});
