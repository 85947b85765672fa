// Lane: long (it takes half a minute).
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { readDueInstants } from '@xs2a/contracts/instant/instant.contract';
import type { TransactionRef } from '@xs2a/contracts/payments.contract';
import { ledgerViolations } from '@xs2a/core-banking/sandbox/ledger/ledger-invariants';
import { dependencyDown } from '@xs2a/domain/failure/failed';
import { until } from '@xs2a/nats/testing/until';
import { deriveBookingId } from '@xs2a/runtime/booking-ids';
import { outside } from '../testing/outside.js';
import { type SettlementWorld, startSettlementWorld } from '../testing/settlement-world.js';
import { FollowUpTable } from './follow-up-table.js';
import { InstantSaga } from './instant-saga.js';
import { SendSlots } from './send-slots.js';

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
const pay = async (answerWithinMs = 9000, minor = 2500): Promise<string> =>
  world.signedInstant({ from: await world.account(10_000), minor, to: atOnce }, answerWithinMs);
const ended = async (id: string): Promise<unknown[]> => {
  await until(async () => expect(['ACSC', 'RJCT']).toContain((await world.state(id)).status));
  const { status, reasonCode } = await world.state(id);
  return [status, reasonCode, ...(await world.transfers(id))];
};
const followUps = async (id: string): Promise<unknown[]> =>
  world.sql('SELECT sent FROM settlement.instant_follow_up WHERE payment_id = $1', [id]);
const attempts = async (id: string): Promise<unknown> => {
  const [row] = await world.sql('SELECT attempts FROM settlement.unfinished WHERE payment_id = $1', [id]);
  return row?.['attempts'];
};

/** Another instance continues the payment, this many milliseconds of real time later. */
const continueLater = async (ms: number, ref: TransactionRef): Promise<void> => {
  const { pool, callClient, clock } = world.worker;
  if (pool === undefined) throw new Error('no pool');
  const later = new InstantSaga({
    callClient,
    clock: { realMs: clock.realMs + ms },
    lock: { confirm: async () => undefined },
    followUps: new FollowUpTable(pool),
    slots: new SendSlots(),
    stopping: new AbortController().signal,
  });
  const { payments } = await callClient.call(readDueInstants, { limit: 0, only: [ref] });
  await Promise.all(payments.map(async (payment) => later.run(payment)));
};
const dayMs = 86_400_000;
const dayAhead = (days: number): string =>
  new Date(world.worker.clock.nowMs() + days * dayMs).toISOString().slice(0, 10);

describe('instant payments that reach a step together', () => {
  it('share its call, and one that makes the call fail does not stop the others', async () => {
    const wishes = await Promise.all(
      Array.from({ length: 12 }, async () => ({ from: await world.account(10_000), minor: 100, to: atOnce })),
    );
    const sizes: number[] = [];
    let failing: string | undefined;
    outside.interfere = async (step, moment, ids) => {
      if (step !== 'hold' || moment !== 'before') return;
      sizes.push(ids.length);
      // The first one that is held.
      failing ??= ids[0];
      if (ids.some((id) => id === failing)) throw new TypeError('crashed');
    };
    const ids = await Promise.all(wishes.map(async (wish) => world.signedInstant(wish, 9000)));
    const others = async (): Promise<readonly string[]> =>
      Promise.all(ids.filter((id) => id !== failing).map(async (id) => (await world.state(id)).status ?? ''));
    await until(async () => expect(new Set(await others())).toEqual(new Set(['ACSC'])));
    expect(Math.max(...sizes)).toBeGreaterThan(1);
    expect((await world.state(failing ?? '')).status).toBe('ACCP');
    outside.interfere = async () => undefined;
    expect((await ended(failing ?? ''))[0]).toBe('ACSC');
  });
});

describe('the deadline of an instant payment that was not signed just before (contract E3.5)', () => {
  /** No hold can be placed, as if each attempt crashed before. */
  const holdsFail = () => {
    const { promise: tried, resolve } = Promise.withResolvers<void>();
    outside.interfere = async (step, moment) => {
      if (step !== 'hold' || moment !== 'before') return;
      resolve();
      throw new TypeError('crashed');
    };
    return tried;
  };

  it('is ten seconds after an entry of a bulk payment was taken up first, whatever crashed since (contract E3.8)', async () => {
    const tried = holdsFail();
    const bulk = await world.signedInstants([{ from: await world.account(10_000), minor: 100, to: atOnce }]);
    await tried;
    const partOf = { paymentId: bulk, number: 1 };
    await continueLater(9000, { paymentId: deriveBookingId(partOf), partOf });
    const { status } = await world.anyState(bulk);
    expect([status, await world.eventTypes(bulk)]).toEqual([
      'RJCT',
      expect.arrayContaining(['transaction-rejected', 'instant-rejected']),
    ]);
    expect(await world.transfers(deriveBookingId(partOf))).toEqual([]);
  });

  it('is ten seconds after the start of its day, if everything was down until then (contract E3.6)', async () => {
    const wish = { from: await world.account(10_000), minor: 100, to: atOnce };
    // The clock has been ahead by more than the day since before the signature, so the day began in the past.
    const id = await world.signedInstant(wish, -3 * dayMs, dayAhead(2));
    world.moveClock((2 * dayMs) / 1000);
    expect(await ended(id)).toEqual(['RJCT', 'AB11']);
    expect(await world.eventTypes(id)).not.toContain('settlement-started');
  });

  it('begins when a move of the sandbox clock makes the payment due, and stays after a crash', async () => {
    const wish = { from: await world.account(10_000), minor: 100, to: atOnce };
    const id = await world.signedInstant(wish, 9000, dayAhead(2));
    const another = await world.signedInstant(wish, 9000, dayAhead(2));
    const tried = holdsFail();
    world.moveClock((2 * dayMs) / 1000);
    await tried;
    await until(async () => expect(await followUps(id)).toHaveLength(1));
    await continueLater(9000, { paymentId: id });
    expect(await ended(id)).toEqual(['RJCT', 'AB11']);
    outside.interfere = async () => undefined;
    expect((await ended(another))[0]).toBe('ACSC');
    const { instant } = await world.state(another);
    expect(Date.parse(instant?.answerBy ?? '')).toBeLessThanOrEqual(Date.now() + 9000);
  });
});

/** The time is over in which a request for the hold may still be under way. */
const endRequests = async (id: string): Promise<unknown> =>
  world.sql(
    'UPDATE settlement.instant_follow_up SET retry_at = now(), hold_until = now() WHERE payment_id = $1',
    [id],
  );
const losePayment = async (id: string): Promise<unknown> =>
  world.sql('DELETE FROM payments.payment_view WHERE stream_id = $1', [id]);

describe('a hold that is placed after its payment was rejected (contract E3.3)', () => {
  it('is voided, because voids are repeated until no request for a hold can be under way', async () => {
    const { promise: freed, resolve: free } = Promise.withResolvers<void>();
    const { promise: asked, resolve: ask } = Promise.withResolvers<void>();
    let voids = 0;
    outside.interfere = async (step, moment) => {
      if (step === 'hold' && moment === 'before') {
        ask();
        await freed;
      }
      if (step === 'void' && moment === 'after') voids += 1;
    };
    const begun = performance.now();
    const id = await pay(2000);
    await asked;
    expect(await ended(id)).toEqual(['RJCT', 'AB11']);
    // The request itself is given up after five seconds.
    expect(performance.now() - begun).toBeLessThan(4900);
    expect(voids).toBe(1);
    // A void that comes before the hold proves nothing.
    await world.sql('UPDATE settlement.instant_follow_up SET retry_at = now() WHERE payment_id = $1', [id]);
    await until(async () => expect(voids).toBe(2));
    expect(await followUps(id)).toEqual([{ sent: false }]);
    free();
    await until(async () => expect(await world.transfers(id)).toEqual(['hold']));
    await endRequests(id);
    await until(async () => expect(await followUps(id)).toEqual([]));
    expect(await world.transfers(id)).toEqual(['hold', 'void']);
  });

  it('is voided if the database has lost the payment when the hold is recorded', async () => {
    const { promise: held, resolve } = Promise.withResolvers<string>();
    outside.interfere = async (step, moment, [id = '']) => {
      if (step !== 'held' || moment !== 'before') return;
      await losePayment(id);
      resolve(id);
    };
    const id = await pay();
    expect(await held).toBe(id);
    await until(async () => expect(await world.transfers(id)).toEqual(['hold', 'void']));
    await endRequests(id);
    await until(async () => expect(await followUps(id)).toEqual([]));
  });

  it('is voided by a later worker if the database has lost the payment and the first one crashed', async () => {
    const { promise: held, resolve } = Promise.withResolvers<string>();
    outside.interfere = async (step, moment, [id = '']) => {
      if (step === 'hold' && moment === 'after') {
        await losePayment(id);
        resolve(id);
        throw new TypeError('crashed');
      }
    };
    const id = await pay();
    expect(await held).toBe(id);
    await endRequests(id);
    await until(async () => expect(await world.transfers(id)).toEqual(['hold', 'void']));
    await until(async () => expect(await followUps(id)).toEqual([]));
  });

  it('needs no question to the bank where nothing was sent', async () => {
    let sent = 0;
    outside.interfere = async (step) => {
      if (step === 'send') sent += 1;
    };
    const id = await pay(9000, 10_001);
    expect(await ended(id)).toEqual(['RJCT', 'AM04']);
    await world.sql(
      'UPDATE settlement.instant_follow_up SET retry_at = now(), hold_until = now() WHERE payment_id = $1',
      [id],
    );
    await until(async () => expect(await followUps(id)).toEqual([]));
    expect(sent).toBe(0);
  });
});

describe('an instant payment that was sent before a crash (contract E3.5)', () => {
  /** The order is sent, but neither its answer nor the rejection is recorded, and the bank cannot be reached any more. */
  const sentAndLost = async () => {
    const lost = { isDown: true, asked: 0, crashed: false };
    outside.interfere = async (step, moment) => {
      if (step === 'send' && moment === 'after' && lost.isDown) {
        if (lost.crashed) lost.asked += 1;
        throw dependencyDown();
      }
      if (step === 'answered' && moment === 'before' && !lost.crashed) {
        lost.crashed = true;
        throw new TypeError('crashed');
      }
    };
    const id = await pay(600);
    await until(async () => expect(lost.asked).toBeGreaterThan(2));
    return { id, lost };
  };

  it('stays ACSP while the bank cannot be reached, and is settled by its answer', async () => {
    const { id, lost } = await sentAndLost();
    expect((await world.state(id)).status).toBe('ACSP');
    lost.isDown = false;
    expect(await ended(id)).toEqual(['ACSC', undefined, 'hold', 'post']);
  });

  it('is rejected with AB05 when the bank could not be reached for a minute', async () => {
    const { id } = await sentAndLost();
    await continueLater(60_000, { paymentId: id });
    expect(await ended(id)).toEqual(['RJCT', 'AB05', 'hold', 'void']);
    expect(await followUps(id)).toEqual([{ sent: true }]);
  });
});

describe('an instant payment whose step fails again and again', () => {
  it('is repeated with growing pauses, and operators see it until it succeeds', async () => {
    const times: number[] = [];
    let isBroken = true;
    outside.interfere = async (step, moment) => {
      if (step !== 'hold' || moment !== 'before' || !isBroken) return;
      times.push(performance.now());
      throw new TypeError('broken');
    };
    // Entries of a bulk payment wake the worker when they end.
    const bulk = await world.signedInstants([{ from: await world.account(10_000), minor: 100, to: atOnce }]);
    const id = deriveBookingId({ paymentId: bulk, number: 1 });
    await until(async () => expect(times.length).toBeGreaterThanOrEqual(6));
    const [fifth = 0, sixth = 0] = times.slice(4);
    expect(sixth - fifth).toBeGreaterThanOrEqual(1000);
    expect(await attempts(id)).toBeGreaterThanOrEqual(4);
    isBroken = false;
    await until(async () => expect((await world.anyState(bulk)).status).toBe('ACSC'));
    await until(async () => expect(await attempts(id)).toBeUndefined());
  });
});

describe('instant payments of one account to payees whose banks are silent', () => {
  it('are at most 20 at a time, and do not delay those of other accounts', async () => {
    const from = await world.account(100_000);
    let [underWay, most] = [0, 0];
    outside.interfere = async (step, moment) => {
      if (step !== 'send') return;
      underWay += moment === 'before' ? 1 : -1;
      most = Math.max(most, underWay);
    };
    const silent = 'BG03XSBV92001000000202';
    const ids = await Promise.all(
      Array.from({ length: 25 }, async () => world.signedInstant({ from, minor: 100, to: silent }, 3000)),
    );
    await until(async () => expect(underWay).toBe(20));
    expect((await ended(await pay()))[0]).toBe('ACSC');
    for (const id of ids) {
      expect((await ended(id))[0]).toBe('RJCT');
      await until(async () => expect(await world.transfers(id)).toEqual(['hold', 'void']));
    }
    // 20 of the busy account, and the one of another account.
    expect(most).toBeLessThanOrEqual(21);
  });
});
