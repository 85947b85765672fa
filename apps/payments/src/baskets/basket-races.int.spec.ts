// Lane: alone (a busy machine exceeds the call timeouts that many parallel calls have).
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import * as contract from '@xs2a/contracts/baskets.contract';
import type { Call } from '@xs2a/contracts/call';
import { newId } from '@xs2a/runtime/ids';
import { catchFailure, type PaymentsWorld, startPaymentsWorld } from '../testing/payments-world.js';

let world: PaymentsWorld;
beforeAll(async () => {
  world = await startPaymentsWorld();
}, 60_000);
afterAll(async () => world.stop());

const racers = 12;
const request = (paymentIds: readonly string[]): contract.CreateBasket => ({
  tppId: 'tpp',
  body: { paymentIds },
  idempotencyKey: { path: 'POST /signing-baskets', hash: 'h', key: newId() },
  // In an hour: who wins does not depend on whether this machine opens a basket within two seconds.
  begunAt: new Date(world.payments.clock.nowMs() + 3_600_000).toISOString(),
  redirectUris: {},
});
/** The calls of a race, which wait as long as it takes. */
const patiently = <Request, Answer>(call: Call<Request, Answer>): Call<Request, Answer> => ({
  ...call,
  timeoutMs: 30_000,
});
const createBasket = patiently(contract.createBasket);
const cancelBasket = patiently(contract.cancelBasket);
const payments = async (count: number): Promise<readonly string[]> =>
  Promise.all(Array.from({ length: count }, async () => (await world.initiate()).paymentId));
/** Returns the client of one of the two instances, alternating by index. */
const throughBoth = (index: number) => (index % 2 === 0 ? world.payments : world.second).callClient;
const race = async (ask: (index: number) => Promise<unknown>): Promise<unknown[]> =>
  (await Promise.all(Array.from({ length: racers }, async (_one, index) => catchFailure(ask(index))))).sort();
const oneWins = (loser: string): string[] => ['answered', ...Array<string>(racers - 1).fill(loser)];
const groupingsOf = async (ids: readonly string[]): Promise<string[]> => {
  const types = await Promise.all(ids.map(async (id) => world.eventTypes(id)));
  return types.flat().filter((type) => type === 'grouped' || type === 'ungrouped');
};

describe('twelve concurrent requests (contract 3: the loser of a race does not get a 503)', () => {
  it('let only one of twelve baskets claim the same ten payments; the other requests return which item is blocked', async () => {
    for (let round = 0; round < 10; round += 1) {
      const ids = await payments(10);
      const outcomes = await race(async (index) =>
        throughBoth(index).call(createBasket, request(index % 3 === 0 ? [...ids].reverse() : ids)),
      );
      // A late request can find several items already claimed, and then receives several failures.
      expect(outcomes.map((outcome) => String(outcome).split(',')[0])).toEqual(oneWins('resourceBlocked'));
      // The losers did not change the payments that they never claimed.
      expect(await groupingsOf(ids)).toEqual(Array<string>(10).fill('grouped'));
    }
  }, 120_000);

  it('all receive 204 when they delete under one key, but only one does when they delete under different keys', async () => {
    for (let round = 0; round < 5; round += 1) {
      for (const isOneKey of [true, false]) {
        const { basketId } = await world.ask(createBasket, request(await payments(2)));
        const outcomes = await race(async (index) =>
          throughBoth(index).call(cancelBasket, {
            tppId: 'tpp',
            basketId,
            idempotencyKey: isOneKey ? 'k' : `k${index}`,
          }),
        );
        const expected = isOneKey
          ? Array<string>(racers).fill('answered')
          : oneWins('cancellationNotPossible');
        expect(outcomes).toEqual(expected);
      }
    }
  }, 120_000);

  it('count as only one signature when they sign', async () => {
    const { basketId, authorisationId = '' } = await world.ask(
      contract.createBasket,
      request(await payments(10)),
    );
    const signer = { basketId, authorisationId, psuId: 'ivan' };
    await world.ask(contract.basketAuthorisation.identify, signer);
    const outcomes = await race(async (index) =>
      throughBoth(index).call(contract.basketAuthorisation.sign, signer),
    );
    expect(outcomes).toEqual(oneWins('statusForbidsAuthorisation'));
  }, 60_000);
});
