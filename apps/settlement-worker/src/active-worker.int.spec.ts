import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { subjectOfEvent } from '@xs2a/events/published-event';
import { ledgerViolations } from '@xs2a/core-banking/sandbox/ledger/ledger-invariants';
import { dependencyDown } from '@xs2a/domain/failure/failed';
import { setTimeout as wait } from 'node:timers/promises';
import { outside } from './testing/outside.js';
import {
  elsewhere,
  ignoreFailedCall,
  type SettlementWorld,
  startSettlementWorld,
} from './testing/settlement-world.js';

let world: SettlementWorld;
beforeAll(async () => {
  world = await startSettlementWorld();
  await world.another();
}, 90_000);
afterAll(async () => world.stop(), 30_000);
afterEach(async () => {
  outside.interfere = async () => undefined;
  expect(await ledgerViolations(world.bank.pool)).toEqual([]);
});

/** Terminates the session that holds the lock, as if the active worker had lost its database or its host. */
const takeLockAway = async (): Promise<void> => {
  await world.worker.pool?.query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name LIKE 'settlement active %'`,
  );
};
/** Waits for settlement, regardless of how long it takes on a busy machine. */
const settledAfter = async (seconds: number): Promise<void> => {
  let left = await world.later(seconds).catch((error: unknown) => error);
  while (left !== undefined) left = await world.drain().catch((error: unknown) => error);
};
/** Runs `act` once, as soon as the holds of this payment have been decided. */
const actAfterHold = (paymentId: string, act: () => Promise<void>): void => {
  let acted = false;
  outside.interfere = async (step, moment, ids) => {
    if (acted || step !== 'hold' || moment !== 'after' || !ids.includes(paymentId)) return;
    acted = true;
    await act();
  };
};

describe('two workers of which one is active (architecture, Settlement)', () => {
  it('decide payments between the same accounts as if processed sequentially, and settle each once', async () => {
    const opening = [5000, 0, 2500, 0, 10_000, 100];
    const accounts = [];
    for (const minor of opening) accounts.push(await world.account(minor));
    const signed = [];
    for (let index = 0; index < 120; index += 1) {
      const [from, to] = [(index * 7) % 6, (index * 5 + Math.floor(index / 6) + 1) % 7];
      if (from === to) continue;
      const minor = 1 + ((index * 389) % 1700);
      const paymentId = await world.signed({
        from: accounts[from] ?? '',
        minor,
        to: accounts[to] ?? elsewhere,
      });
      const { dueAt = '' } = (await world.state(paymentId)).signed ?? {};
      signed.push({ paymentId, from, to, minor, place: dueAt + paymentId });
    }
    const balances = [...opening, 0];
    const expected = new Map(
      signed
        .toSorted((one, other) => (one.place < other.place ? -1 : 1))
        .map(({ paymentId, from, to, minor }): [string, boolean] => {
          const covered = (balances[from] ?? 0) >= minor;
          balances[from] = (balances[from] ?? 0) - (covered ? minor : 0);
          balances[to] = (balances[to] ?? 0) + (covered ? minor : 0);
          return [paymentId, covered];
        }),
    );
    await settledAfter(61);
    const found = await Promise.all(
      signed.map(async ({ paymentId }): Promise<[string, boolean | undefined]> => {
        expect(await world.transfers(paymentId)).toEqual(
          expected.get(paymentId) === true ? ['hold', 'post'] : [],
        );
        return [paymentId, (await world.state(paymentId)).fundsAvailable];
      }),
    );
    expect(new Map(found)).toEqual(expected);
    expect(new Set(expected.values())).toEqual(new Set([true, false]));
  }, 60_000);

  it('switch roles when the active one loses its lock, and settle the payment in progress once', async () => {
    const id = await world.signed({ from: await world.account(1000), minor: 1000 });
    actAfterHold(id, takeLockAway);
    await settledAfter(61);
    expect(await world.eventTypes(id)).toEqual([
      'initiated',
      'accepted',
      'signed',
      'settlement-started',
      'settled',
    ]);
    expect(await world.transfers(id)).toEqual(['hold', 'post']);
  }, 30_000);

  it('do not record a refusal that was decided without the lock', async () => {
    const from = await world.account(0);
    const id = await world.signed({ from, minor: 1000 });
    actAfterHold(id, async () => {
      await takeLockAway();
      await world.bank.bank.tools.deposit({ iban: from, body: { amount: '10.00', currency: 'BGN' } });
    });
    await settledAfter(61);
    expect(await world.state(id)).toMatchObject({ status: 'ACSC', fundsAvailable: true });
  }, 30_000);

  it('release the hold left by the previous worker if the payment has been cancelled in the meantime', async () => {
    const id = await world.signed({ from: await world.account(1000), minor: 1000 });
    actAfterHold(id, async () => {
      await takeLockAway();
      throw dependencyDown();
    });
    outside.interfere = ((act) => async (step, moment, ids) => {
      // Cancels the payment before anything else continues.
      if (step === 'due' && moment === 'after' && (await world.transfers(id)).length > 0)
        await world.cancel(id);
      await act(step, moment, ids);
    })(outside.interfere);
    await world.later(61).catch(ignoreFailedCall);
    await world.cancel(id);
    while ((await world.transfers(id)).length < 2) await wait(20);
    expect(await world.transfers(id)).toEqual(['hold', 'void']);
    expect((await world.state(id)).status).toBe('CANC');
    while ((await world.sql('SELECT FROM settlement.unfinished')).length > 0) await wait(20);
  }, 30_000);
});

describe('due work, which is read only from the payments service', () => {
  it('never includes an unsigned payment, whatever JetStream or a wrong index entry states', async () => {
    const from = await world.account(1000);
    const [forged, indexed] = [
      await world.accepted({ from, minor: 100 }),
      await world.accepted({ from, minor: 100 }),
    ];
    const { order } = await world.state(forged);
    const dueAt = world.worker.clock.now();
    const event = { subject: forged, pos: 1_000_000, data: { dueAt, order } };
    world.worker.nats.publish(subjectOfEvent('payments', 'signed', forged), JSON.stringify(event));
    await world.worker.nats.flush();
    await world.sql('UPDATE payments.payment_view SET due_at = now() WHERE stream_id = $1', [indexed]);
    const later = await world.signed({ from, minor: 100 });
    await settledAfter(61);
    expect((await world.state(later)).status).toBe('ACSC');
    for (const id of [forged, indexed]) {
      expect((await world.state(id)).status).toBe('ACCP');
      expect(await world.transfers(id)).toEqual([]);
    }
  });

  it('includes a signed payment even if its signed event never reaches JetStream', async () => {
    await world.stopPublishing();
    const id = await world.signed({ from: await world.account(1000), minor: 1000 });
    await settledAfter(61);
    expect((await world.state(id)).status).toBe('ACSC');
  });
});
