// Lane: long (processes are frozen, killed or overloaded).
import { afterEach, describe, expect, it } from '@jest/globals';
import { until } from '@xs2a/nats/testing/until';
import { runLoad } from '@xs2a/test-support/load';
import { advance, finalStatus, insist, sign } from '@xs2a/test-support/persistent-tpp';
import type { Initiated } from '@xs2a/test-support/requests';
import type { FreshPsu } from '@xs2a/test-support/sandbox-tpp';
import { World } from '@xs2a/test-support/world';

let world: World;
afterEach(async () => world.stop(), 30_000);

/** Lets PSUs initiate and sign one payment after another until stopped, and adds each to `signed`. */
const payUntil = async (
  persons: readonly FreshPsu[],
  signed: Initiated[],
  stop: AbortSignal,
): Promise<void> => {
  const pay = async (psu: FreshPsu): Promise<void> => {
    const payment = await insist(world, psu, '1.00');
    await sign(world, payment, psu);
    signed.push(payment);
  };
  await Promise.all(persons.map(async (psu) => runLoad(async () => pay(psu), { stop })));
};

describe('losing the database server (ADR 35; docs/how-to/fail-over.md)', () => {
  it('with a synchronous standby: every acknowledged payment is settled once over two failovers, and services recover within ten seconds', async () => {
    world = await World.around({ standby: { synchronous: true } });
    const { databases } = world.sandbox;
    const persons = await Promise.all(['100.00', '100.00', '100.00'].map(async (sum) => world.person(sum)));
    const over = new AbortController();
    const signed: Initiated[] = [];
    const paying = payUntil(persons, signed, over.signal);
    for (const round of ['first', 'second']) {
      await insist(world, persons[0] as FreshPsu, '1.00');
      await databases.failOver();
      const promoted = performance.now();
      await insist(world, persons[0] as FreshPsu, '1.00');
      expect([round, performance.now() - promoted < 10_000]).toEqual([round, true]);
      if (round === 'first') await databases.addStandby();
    }
    await until(() => expect(signed.length).toBeGreaterThan(3));
    over.abort();
    await paying;
    await advance(world, 'PT1M');
    for (const payment of signed)
      expect(await finalStatus(world, payment)).toMatchObject({ transactionStatus: 'ACSC' });
  }, 90_000);
});
