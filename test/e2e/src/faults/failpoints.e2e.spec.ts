// Lane: nightly (processes are killed at each point of a write).
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createBasket, signBasket } from '@xs2a/chaos/load/baskets';
import { clientFindings } from '@xs2a/chaos/findings/client-findings';
import type { Asked, PaymentRecord } from '@xs2a/chaos/load/client-log';
import { createConsent } from '@xs2a/chaos/load/create-consent';
import { waitUntilRest } from '@xs2a/invariants/due-left';
import { failpoints } from '@xs2a/chaos/faults/failpoints';
import { checkInvariants } from '@xs2a/invariants/invariants';
import { readModels } from '@xs2a/chaos/findings/read-models';
import { ChaosWorld, type Psu } from '@xs2a/chaos/world';
import { parseJson } from '@xs2a/tpp-client/http';
import type { ServiceName } from '@xs2a/sandbox/services/service-table';
import { randomUUID } from 'node:crypto';

const elsewhere = 'BG26RZBB91551023456789';
let world: ChaosWorld;
let psu: Psu;
const ends = new Map<string, number>();

beforeAll(async () => {
  world = await ChaosWorld.start({
    onProgress: (line) => {
      const [, name] = /^(\S+) has ended/.exec(line) ?? [];
      if (name !== undefined) ends.set(name, (ends.get(name) ?? 0) + 1);
    },
  });
  psu = await world.psu('1000.00');
}, 60_000);
afterAll(async () => world.stop());

const initiated = async (): Promise<PaymentRecord> =>
  world.tpp.initiate({
    key: randomUUID(),
    psuId: psu.psuId,
    debtorIban: psu.accounts[0]?.iban ?? '',
    creditorIban: elsewhere,
    amount: 100,
  });

/** Takes a payment from the request to the booked entry, using a client that retries. */
const paid = async (): Promise<void> => {
  const payment = await initiated();
  await world.tpp.sign(payment);
  await world.tpp.repeat(payment);
  await world.moveClock(61_000);
  await world.tpp.until('ACSC', async () =>
    (await world.tpp.status(payment)) === 'ACSC' ? true : undefined,
  );
};

/** Takes a consent from its request to the unattended reads that it allows, plus one more. */
const consented = async (): Promise<void> => {
  const { tpp, log } = world;
  const references = psu.accounts.map(({ iban }) => ({ iban }));
  const sending = {
    headers: { 'psu-id': psu.psuId, 'idempotency-key': randomUUID() },
    json: {
      access: { accounts: references, balances: references },
      recurringIndicator: true,
      validUntil: '9999-12-31',
      frequencyPerDay: 4,
      combinedServiceIndicator: false,
    },
  };
  const answers = [
    await tpp.insist('POST', '/v1/consents', sending),
    await tpp.insist('POST', '/v1/consents', sending),
  ];
  const [consentId, again] = answers.map((answer) => parseJson<{ consentId: string }>(answer).consentId);
  expect(again).toBe(consentId);
  const [first] = answers;
  if (consentId === undefined || first === undefined) throw new Error('no consent');
  const { access_token, asked: authorised } = await tpp.authorised(psu, 'PSP_AI', consentId);
  const answered: Asked[] = [];
  const unattended = new Map([['accounts', answered]]);
  log.consents.push({ key: '', consentId, created: first.asked, authorised, unattended });
  for (let reads = 0; reads < 5; reads += 1) {
    const { status, asked } = await tpp.readAlone(access_token, consentId);
    if (status === 200) answered.push(asked);
  }
};

/** Takes a basket of a payment and a consent from its request to the signature. */
const grouped = async (): Promise<void> => {
  const items = { payments: [await initiated()], consents: [await createConsent(world, psu)] };
  const basket = await createBasket(world, psu, items);
  if (basket === undefined) throw new Error('the basket was refused');
  await signBasket(world, basket);
  await world.moveClock(61_000);
  await world.tpp.until('ACSC', async () => ((await world.tpp.status(basket)) === 'ACSC' ? true : undefined));
};

/** Cancels a payment while the worker is down between the hold and ACSP, so the hold must be released. */
const cancelledBehindTheHold = async (): Promise<void> => {
  const payment = await initiated();
  await world.tpp.sign(payment);
  const died = diedAt('settlement.after-hold', 'settlement-worker');
  await world.moveClock(61_000);
  await died;
  world.orders.order('accounts.after-void-commit');
  await world.tpp.cancel(payment);
  expect(payment.cancelled).toBeDefined();
};

/** Activates a failpoint and waits until a process has crashed at it. */
const diedAt = async (name: string, ...services: readonly ServiceName[]): Promise<void> => {
  const before = services.map((service) => ends.get(service) ?? 0);
  world.orders.order(name);
  await world.tpp.until(`the end at ${name}`, async () =>
    services.some((service, index) => (ends.get(service) ?? 0) > (before[index] ?? 0)) ? true : undefined,
  );
};

const findDrive = (name: string): (() => Promise<void>) => {
  if (name === 'accounts.after-void-commit') return cancelledBehindTheHold;
  if (name.startsWith('payments.basket-')) return grouped;
  return /^(?:consents|auth)\./.test(name) ? consented : paid;
};

describe('a process that crashes at a given line (quality: reliability, failpoints)', () => {
  it.each(failpoints.map(({ name, services }): [string, readonly ServiceName[]] => [name, services]))(
    'completes every acknowledged operation exactly once: %s',
    async (name, services) => {
      const drive = findDrive(name);
      if (name === 'accounts.after-void-commit') {
        await drive();
        await world.tpp.until('the end', async () => (world.orders.isOpen ? undefined : true));
      } else {
        await Promise.all([diedAt(name, ...services), drive()]);
      }
      expect(world.orders.isOpen).toBe(false);
      expect((await waitUntilRest(world, 20)).left).toEqual([]);
    },
    60_000,
  );

  it('leaves every invariant intact', async () => {
    await world.advance('PT6M');
    await waitUntilRest(world, 20);
    const { schemas, nats } = world;
    const ibans = psu.accounts.map(({ iban }) => iban);
    const found = await checkInvariants({
      schemas,
      nats: async () => nats,
      readModels,
      clients: async () => clientFindings(world, ibans),
    });
    expect(found.map(({ number, violations }) => [number, violations])).toEqual(
      [1, 2, 3, 4, 5, 6, 7, 8].map((number) => [number, []]),
    );
    const survived = [...ends.values()].reduce((sum, count) => sum + count, 0);
    process.stderr.write(
      `counts: ${failpoints.length} failpoints, ${survived} processes ended and came back, 8 invariants hold\n`,
    );
    expect(survived).toBeGreaterThanOrEqual(failpoints.length);
  }, 60_000);
});
