import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { ledgerViolations } from '@xs2a/core-banking/sandbox/ledger/ledger-invariants';
import { readDueInstants } from '@xs2a/contracts/instant/instant.contract';
import { until } from '@xs2a/nats/testing/until';
import { deriveBookingId } from '@xs2a/runtime/booking-ids';
import { setTimeout as wait } from 'node:timers/promises';
import { type Moment, outside, type Step } from '../testing/outside.js';
import { type SettlementWorld, startSettlementWorld } from '../testing/settlement-world.js';
import { FollowUpTable } from './follow-up-table.js';
import { InstantSaga } from './instant-saga.js';
import { SendSlots } from './send-slots.js';
import { readLateInstants } from './late-instants.js';

let world: SettlementWorld;
beforeAll(async () => {
  world = await startSettlementWorld();
}, 90_000);
afterAll(async () => world.stop(), 30_000);
afterEach(async () => {
  outside.interfere = async () => undefined;
  expect(await ledgerViolations(world.bank.pool)).toEqual([]);
});

const atOnce = 'DE89370400440532013000';
const silent = 'BG03XSBV92001000000202';
const fullTime = 9000;
const pay = async (to: string, answerWithinMs = fullTime, minor = 2500): Promise<string> =>
  world.signedInstant({ from: await world.account(10_000), minor, to }, answerWithinMs);

/** Waits for the end: its status, its reason and the ledger's transfers. */
const ended = async (id: string): Promise<unknown[]> => {
  await until(async () => expect(['ACSC', 'RJCT']).toContain((await world.state(id)).status));
  const { status, reasonCode } = await world.state(id);
  return [status, reasonCode, ...(await world.transfers(id))];
};
const settled = ['ACSC', undefined, 'hold', 'post'];
const rejected = (reasonCode: string) => ['RJCT', reasonCode, 'hold', 'void'];
const countEvents = async (id: string, type: string): Promise<number> =>
  (await world.eventTypes(id)).filter((one) => one === type).length;

/** Fails a step of the payment at a moment, as often as given. */
const fail = (step: Step, moment: Moment, times = 1): void => {
  let left = times;
  outside.interfere = async (at, when) => {
    if (at !== step || when !== moment || left <= 0) return;
    left -= 1;
    throw new TypeError('broken');
  };
};
const followUps = async (id: string): Promise<unknown[]> =>
  world.sql(
    'SELECT confirmed_at IS NOT NULL AS confirmed FROM settlement.instant_follow_up WHERE payment_id = $1',
    [id],
  );

describe('an instant payment (contract E3.2, E3.3)', () => {
  it('is held, sent, posted and booked without the batch job, whatever the sandbox clock says', async () => {
    world.moveClock(86_400);
    const id = await pay(atOnce);
    expect(await ended(id)).toEqual(settled);
    expect((await world.eventTypes(id)).slice(-4)).toEqual([
      'settlement-started',
      'instant-answered',
      'settled',
      'entry-booked',
    ]);
  });

  it.each([
    ['BG30XSBV92001000000201', 'AB08'],
    ['BG73XSBV92001000000203', 'AC04'],
    ['BG19XSBV92001000000205', 'MS03'],
  ])('is rejected with the answer of the payee’s bank, and its hold is voided: %s', async (payee, reason) => {
    const id = await pay(payee);
    expect(await ended(id)).toEqual(rejected(reason));
    expect(await world.sql('SELECT 1 FROM settlement.instant_follow_up WHERE payment_id = $1', [id])).toEqual(
      [],
    );
    const { rows } = await world.bank.pool.query(
      'SELECT 1 FROM entry WHERE transfer_id IN (SELECT id FROM transfer WHERE payment_id = $1)',
      [id],
    );
    expect(rows).toEqual([]);
  });

  it('is rejected with AB05 if there is no answer in time', async () => {
    const begun = performance.now();
    expect(await ended(await pay(silent, 1200))).toEqual(rejected('AB05'));
    expect(performance.now() - begun).toBeLessThan(2500);
  });

  it('is rejected without a hold if the account is short of funds, blocked, or the payee’s account is closed', async () => {
    const [short, blocked, closed] = [
      await pay(atOnce, fullTime, 10_001),
      await world.account(5000),
      await world.account(0),
    ];
    expect(await ended(short)).toEqual(['RJCT', 'AM04']);
    await world.bank.bank.tools.changeAccountStatus(blocked, { status: 'blocked' });
    const fromBlocked = await world.signedInstant({ from: blocked, minor: 100, to: atOnce }, fullTime);
    expect(await ended(fromBlocked)).toEqual(['RJCT', 'AC06']);
    await world.bank.bank.tools.changeAccountStatus(closed, { status: 'closed' });
    expect(await ended(await pay(closed))).toEqual(['RJCT', 'AG01']);
  });

  it('waits neither for another one nor for a batch job that is stuck', async () => {
    const due = await world.signed({ from: await world.account(10_000), minor: 100 });
    const { promise: freed, resolve: free } = Promise.withResolvers<void>();
    const { promise: stuck, resolve: isStuck } = Promise.withResolvers<void>();
    outside.interfere = async (step, moment, ids) => {
      if (step !== 'hold' || moment !== 'before' || !ids.includes(due)) return;
      isStuck();
      await freed;
    };
    world.moveClock(61);
    await stuck;
    const [slow, ...others] = await Promise.all([pay(silent, 1500), pay(atOnce), pay(atOnce)]);
    for (const id of others) expect(await ended(id)).toEqual(settled);
    expect((await world.state(slow)).status).toBe('ACSP');
    expect(await ended(slow)).toEqual(rejected('AB05'));
    free();
    await world.drain();
    expect((await world.state(due)).status).toBe('ACSC');
  });
});

describe('an instant payment after a failure at any step (contract E3.5)', () => {
  const steps: readonly Step[] = ['hold', 'held', 'send', 'answered'];
  const moments: readonly Moment[] = ['before', 'after'];
  const cases = (of: readonly Step[]): (readonly [Step, Moment])[] =>
    of.flatMap((step) => moments.map((moment) => [step, moment] as const));

  it.each(cases([...steps, 'post', 'posted']))('is settled once: %s (%s)', async (step, moment) => {
    fail(step, moment);
    const id = await pay(atOnce);
    expect(await ended(id)).toEqual(settled);
    for (const type of ['settlement-started', 'instant-answered', 'settled', 'entry-booked'])
      expect([type, await countEvents(id, type)]).toEqual([type, 1]);
  });

  it.each(cases([...steps, 'void', 'released']))('is rejected once: %s (%s)', async (step, moment) => {
    fail(step, moment);
    const id = await pay('BG73XSBV92001000000203');
    expect((await ended(id)).slice(0, 2)).toEqual(['RJCT', 'AC04']);
    await until(async () => expect(await world.transfers(id)).toEqual(['hold', 'void']));
    expect(await countEvents(id, 'instant-rejected')).toBe(1);
  });
});

describe('an instant payment that was left for too long (contract E3.5)', () => {
  it('is never sent and never held', async () => {
    const id = await pay(atOnce, -1);
    expect(await ended(id)).toEqual(['RJCT', 'AB11']);
    expect(await countEvents(id, 'settlement-started')).toBe(0);
  });

  it('loses a hold that was placed before a crash', async () => {
    const { promise: held, resolve } = Promise.withResolvers<void>();
    outside.interfere = async (step, moment) => {
      if (step !== 'hold' || moment !== 'after') return;
      resolve();
      throw new TypeError('crashed');
    };
    const id = await pay(atOnce, 400);
    await held;
    expect(await ended(id)).toEqual(['RJCT', 'AB11', 'hold', 'void']);
  });

  it('is settled if its outcome is a confirmation that nobody recorded', async () => {
    const sent = Promise.withResolvers<void>();
    let isLost = true;
    outside.interfere = async (step, moment) => {
      if (step === 'answered' && moment === 'before' && isLost) {
        sent.resolve();
        throw new TypeError('lost');
      }
    };
    const id = await pay(atOnce, 600);
    await sent.promise;
    await until(async () => {
      const { instant } = await world.state(id);
      expect(Date.parse(instant?.answerBy ?? '')).toBeLessThan(Date.now());
    });
    isLost = false;
    expect(await ended(id)).toEqual(settled);
  });
});

describe('a bank that does not answer in time (contract E3.5)', () => {
  it('is asked again after the rejection, and an order that it never heard of is over', async () => {
    let isDown = true;
    outside.interfere = async (step, moment) => {
      if (step === 'send' && moment === 'before' && isDown) throw new TypeError('down');
    };
    const id = await pay(atOnce, 700);
    expect(await ended(id)).toEqual(rejected('AB05'));
    expect(await followUps(id)).toEqual([{ confirmed: false }]);
    isDown = false;
    await until(async () => expect(await followUps(id)).toEqual([]));
    expect(await countEvents(id, 'instant-answered-late')).toBe(0);
  });

  it('may confirm late, which changes nothing but is recorded once and kept for the operators', async () => {
    let isLost = true;
    outside.interfere = async (step, moment) => {
      if (step === 'send' && moment === 'after' && isLost) throw new TypeError('lost');
    };
    const id = await pay(atOnce, 700);
    expect(await ended(id)).toEqual(rejected('AB05'));
    isLost = false;
    await until(async () => expect(await followUps(id)).toEqual([{ confirmed: true }]));
    expect(await countEvents(id, 'instant-answered-late')).toBe(1);
    expect(await ended(id)).toEqual(rejected('AB05'));
    const { pool, callClient } = world.worker;
    if (pool === undefined) throw new Error('no pool');
    const late = await readLateInstants(pool, callClient, 100);
    expect(late.filter(({ paymentId }) => paymentId === id)).toEqual([
      {
        paymentId: id,
        number: null,
        confirmedAt: expect.any(String),
        amount: { minor: 2500, currency: 'BGN' },
      },
    ]);
    const down = { call: async () => Promise.reject(new TypeError('down')) };
    expect((await readLateInstants(pool, down, 1))[0]).toMatchObject({ paymentId: id, amount: undefined });
  });

  it('delays the void of a rejected payment, but not its status', async () => {
    let isDown = true;
    outside.interfere = async (step, moment) => {
      if (['send', 'void'].includes(step) && moment === 'before' && isDown) throw new TypeError('down');
    };
    const id = await pay(atOnce, 700);
    expect(await ended(id)).toEqual(['RJCT', 'AB05', 'hold']);
    isDown = false;
    await until(async () => expect(await world.transfers(id)).toEqual(['hold', 'void']));
  });
});

describe('a bulk payment of instant payments (contract E3.8)', () => {
  it('sends its entries in order, ten at a time, and each ends once, also after failures', async () => {
    const from = await world.account(100_000);
    const payees = Array.from({ length: 25 }, (_, index) =>
      index % 5 === 4 ? 'BG73XSBV92001000000203' : atOnce,
    );
    const sent: string[] = [];
    const broken = new Set<string>();
    let [underWay, most] = [0, 0];
    outside.interfere = async (step, moment, [id = '']) => {
      if (step === 'hold' && moment === 'before') {
        if (!sent.includes(id)) sent.push(id);
        underWay += 1;
        most = Math.max(most, underWay);
      }
      if (step === 'posted' && moment === 'after') underWay -= 1;
      if (step === 'released' && moment === 'after') underWay -= 1;
      if (step === 'answered' && moment === 'after' && sent.indexOf(id) % 7 === 3 && !broken.has(id)) {
        broken.add(id);
        throw new TypeError('broken once');
      }
    };
    const id = await world.signedInstants(payees.map((to) => ({ from, minor: 100, to })));
    await until(async () => expect((await world.anyState(id)).status).toBe('PART'));
    const state = await world.anyState(id);
    if (state.service !== 'bulk-payments') throw new Error('no bulk payment');
    const ends = state.entries.map(({ transactionStatus, reasonCode }) => [transactionStatus, reasonCode]);
    expect(ends).toEqual(payees.map((to) => (to === atOnce ? ['ACSC', undefined] : ['RJCT', 'AC04'])));
    for (const number of payees.keys()) {
      const kinds = await world.transfers(deriveBookingId({ paymentId: id, number: number + 1 }));
      expect(kinds).toEqual(payees[number] === atOnce ? ['hold', 'post'] : ['hold', 'void']);
    }
    expect(most).toBeLessThanOrEqual(10);
    expect(await countEvents(id, 'transaction-settled')).toBe(20);
    expect(await countEvents(id, 'transaction-rejected')).toBe(5);
  });
});

describe('several workers', () => {
  it('execute each instant payment once, also when the leader is lost', async () => {
    await world.another();
    const payees = [atOnce, 'BG73XSBV92001000000203', silent];
    // One by one: opening them all at once would wait for more connections than the bank's pool has.
    const accounts: string[] = [];
    while (accounts.length < 30) accounts.push(await world.account(10_000));
    const ids = await Promise.all(
      accounts.map(async (from, index) =>
        world.signedInstant({ from, minor: 2500, to: payees[index % payees.length] ?? '' }, 3000),
      ),
    );
    for (let time = 0; time < 3; time += 1) {
      await world.worker.pool?.query(
        "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE application_name LIKE 'settlement active %'",
      );
      await until(async () => {
        const active = await world.worker.pool?.query(
          "SELECT FROM pg_stat_activity WHERE application_name LIKE 'settlement active %'",
        );
        expect(active?.rows).toHaveLength(1);
      });
    }
    const expected = [settled, rejected('AC04'), rejected('AB05')];
    for (const [index, id] of ids.entries()) {
      const end = await ended(id);
      expect(end.slice(0, 2)).toEqual(expected[index % 3]?.slice(0, 2));
      await until(async () => expect(await world.transfers(id)).toEqual(expected[index % 3]?.slice(2)));
      const finals = (await countEvents(id, 'settled')) + (await countEvents(id, 'instant-rejected'));
      expect([finals, await countEvents(id, 'instant-answered')]).toEqual([1, 1]);
    }
  });

  it('never both post and reject, even if several believe that they lead', async () => {
    const { pool, callClient, clock } = world.worker;
    if (pool === undefined) throw new Error('no pool');
    const makeSaga = (): InstantSaga =>
      new InstantSaga({
        callClient,
        clock,
        lock: { confirm: async () => undefined },
        followUps: new FollowUpTable(pool),
        slots: new SendSlots(),
        stopping: new AbortController().signal,
      });
    // Each answer is recorded about when its deadline passes.
    outside.interfere = async (step, moment) => {
      if (step === 'answered' && moment === 'before') await wait(Math.random() * 300);
    };
    const ids = await Promise.all(Array.from({ length: 15 }, async () => pay(atOnce, 150)));
    const { payments } = await callClient.call(readDueInstants, {
      limit: 0,
      only: ids.map((paymentId) => ({ paymentId })),
    });
    const racing = payments.flatMap((payment) => [makeSaga().run(payment), makeSaga().run(payment)]);
    await Promise.allSettled(racing);
    for (const id of ids) {
      const [status, reason] = await ended(id);
      const isSettled = status === 'ACSC';
      await until(async () => {
        // A hold that is placed after the void of its rejection is voided by its follow-up, which is made due.
        await world.sql(
          'UPDATE settlement.instant_follow_up SET retry_at = now() WHERE payment_id = $1 AND retry_at > now()',
          [id],
        );
        const transfers = await world.transfers(id);
        const expected = isSettled ? [['hold', 'post']] : [['hold', 'void'], []];
        expect(expected).toContainEqual(transfers);
      });
      expect(reason === undefined).toBe(isSettled);
      const finals = [await countEvents(id, 'settled'), await countEvents(id, 'instant-rejected')];
      expect(finals).toEqual(isSettled ? [1, 0] : [0, 1]);
    }
  });
});
