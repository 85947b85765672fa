// Lane: long, alone (payments and consents run in two processes each, one of which is frozen).
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Answer, parseJson } from '@xs2a/tpp-client/http';
import type { TppClient } from '@xs2a/tpp-client/tpp-client';
import { randomUUID } from 'node:crypto';
import { signal } from '../faults/frozen-processes.js';
import {
  consentBody,
  createConsent,
  dayFrom,
  domesticPayment,
  initiate,
  listCodes,
  sandboxNow,
} from '@xs2a/test-support/requests';
import type { FreshPsu } from '@xs2a/test-support/sandbox-tpp';
import { World } from '@xs2a/test-support/world';

const basketsPath = '/v1/signing-baskets';
const racers = 12;
let world: World;
let tpp: TppClient;
let token: string;
let psu: FreshPsu;
let iban: string;
beforeAll(async () => {
  world = await World.around({ twice: ['payments', 'consents'] });
  tpp = world.tpp();
  psu = await world.person('1000.00');
  iban = psu.accounts[0]?.iban ?? '';
  token = await tpp.applicationToken();
}, 120_000);
afterAll(async () => world.stop());

interface Items {
  readonly paymentIds: readonly string[];
  readonly consentIds: readonly string[];
}
const several = async (count: number, make: () => Promise<string>): Promise<string[]> =>
  Promise.all(Array.from({ length: count }, make));
const items = async (payments: number, consents: number): Promise<Items> => {
  const body = consentBody([iban], dayFrom(await sandboxNow(world), 30));
  return {
    paymentIds: await several(
      payments,
      async () => (await initiate(tpp, token, domesticPayment(iban))).paymentId,
    ),
    consentIds: await several(
      consents,
      async () => parseJson<{ consentId: string }>(await createConsent(tpp, psu.psuId, body)).consentId,
    ),
  };
};
const post = async (json: Items): Promise<Answer> =>
  tpp.call('POST', basketsPath, token, {
    // An empty list is omitted.
    json: Object.fromEntries(Object.entries(json).filter(([, ids]) => ids.length > 0)),
    headers: { 'idempotency-key': randomUUID() },
  });
const created = async (json: Items): Promise<string> => {
  const answer = await post(json);
  if (answer.status !== 201) throw new Error(`POST basket answered ${answer.status}: ${answer.text}`);
  return `${basketsPath}/${parseJson<{ basketId: string }>(answer).basketId}`;
};
const erase = async (path: string, key: string): Promise<Answer> =>
  tpp.call('DELETE', path, token, { headers: { 'idempotency-key': key } });
const race = async (ask: (index: number) => Promise<Answer>): Promise<unknown[]> => {
  const answers = await Promise.all(Array.from({ length: racers }, async (_one, index) => ask(index)));
  return answers
    .map((answer) => (answer.status < 300 ? `${answer.status}` : `${answer.status} ${listCodes(answer)[0]}`))
    .sort();
};

describe('twelve concurrent requests (contract 3: losing a race does not cause a 503)', () => {
  it.each([
    ['payments', 10, 0],
    ['consents', 0, 10],
    ['payments and consents', 3, 3],
  ])(
    'for baskets of the same %s: one gets all items, and the others return 400 RESOURCE_BLOCKED',
    async (_what, payments, consents) => {
      for (let round = 0; round < 5; round += 1) {
        const all = await items(payments, consents);
        const other = { paymentIds: all.paymentIds.toReversed(), consentIds: all.consentIds.toReversed() };
        const outcomes = await race(async (index) => post(index % 3 === 0 ? other : all));
        expect(outcomes).toEqual(['201', ...Array<string>(racers - 1).fill('400 RESOURCE_BLOCKED')]);
      }
    },
    120_000,
  );

  it('release the payments and consents that the losing requests had claimed', async () => {
    const contested = await items(0, 1);
    const own = await Promise.all(Array.from({ length: racers }, async () => items(1, 0)));
    const consentOfEach = await several(racers, async () => (await items(0, 1)).consentIds[0] ?? '');
    const bodies = own.map(({ paymentIds }, index) => ({
      paymentIds,
      consentIds: [consentOfEach[index] ?? '', ...contested.consentIds],
    }));
    const answers = await Promise.all(bodies.map(async (body) => post(body)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array<number>(racers - 1).fill(400)]);
    for (const [index, { paymentIds, consentIds }] of bodies.entries())
      if (answers[index]?.status === 400) await created({ paymentIds, consentIds: consentIds.slice(0, 1) });
  }, 60_000);

  it('all return 204 if they delete one basket with the same key', async () => {
    for (let round = 0; round < 5; round += 1) {
      const basket = await created(await items(3, 3));
      expect(await race(async () => erase(basket, 'one'))).toEqual(Array<string>(racers).fill('204'));
      expect((await erase(basket, 'one')).status).toBe(204);
      expect(listCodes(await erase(basket, 'another'))).toEqual(['CANCELLATION_INVALID']);
    }
  }, 120_000);
});

it('DELETE of a basket returns 204 even if the consents service hangs, and the items are released once it resumes (contract 3)', async () => {
  const all = await items(1, 1);
  const basket = await created(all);
  const { services, seconds } = world.sandbox;
  const frozen = [services.consents.pid ?? 0, seconds.consents?.pid ?? 0];
  expect(Math.min(...frozen)).toBeGreaterThan(0);
  signal(frozen, 'SIGSTOP');
  try {
    expect((await erase(basket, 'k')).status).toBe(204);
    expect((await erase(basket, 'k')).status).toBe(204);
  } finally {
    signal(frozen, 'SIGCONT');
  }
  const begun = performance.now();
  while ((await post(all)).status !== 201) expect(performance.now() - begun).toBeLessThan(10_000);
}, 60_000);
