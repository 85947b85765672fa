import { resources } from '@xs2a/resources/resources';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import * as contract from '@xs2a/contracts/baskets.contract';
import * as payments from '@xs2a/contracts/payments.contract';
import { eventStoreViolations } from '@xs2a/event-store/verification/violations';
import { readHistories } from '@xs2a/event-store/streams/stream-histories';
import { newId } from '@xs2a/runtime/ids';
import { testMasterKeys } from '@xs2a/runtime/testing/test-master-keys';
import {
  body,
  bulkPayment,
  corporateAccount,
  catchFailure,
  type PaymentsWorld,
  periodicOrder,
  startPaymentsWorld,
} from '../testing/payments-world.js';

let world: PaymentsWorld;
beforeAll(async () => {
  world = await startPaymentsWorld();
}, 60_000);
afterAll(async () => world.stop());

const request = (
  paymentIds: readonly string[],
  more: Partial<contract.CreateBasket> = {},
): contract.CreateBasket => ({
  tppId: 'tpp',
  body: { paymentIds },
  idempotencyKey: { path: 'POST /signing-baskets', hash: 'h', key: newId() },
  begunAt: world.payments.clock.now(),
  redirectUris: {},
  ...more,
});
const create = async (paymentIds: readonly string[], more: Partial<contract.CreateBasket> = {}) =>
  world.ask(contract.createBasket, request(paymentIds, more));
const createBasketFrom = async (...paymentIds: readonly string[]) => {
  const { basketId, authorisationId = '' } = await create(paymentIds);
  return { tppId: 'tpp', basketId, authorisationId };
};
const paymentId = async (changes: Parameters<PaymentsWorld['initiate']>[0] = {}): Promise<string> =>
  (await world.initiate(changes)).paymentId;
const two = async () => [await paymentId(), await paymentId()] as const;
const signed = async (basket: contract.BasketAuthorisationRef, psuId = 'ivan') => {
  const { basketId, authorisationId } = basket;
  await world.ask(contract.basketAuthorisation.identify, { basketId, authorisationId, psuId });
  return world.ask(contract.basketAuthorisation.sign, { basketId, authorisationId, psuId });
};
const readStatus = async (basket: contract.BasketRef) =>
  (await world.ask(contract.readBasketStatus, basket)).transactionStatus;
const readStatusReport = async (paymentId: string, service: payments.PaymentRef['service'] = 'payments') => {
  const product = 'domestic-credit-transfer-BGN';
  const ref: payments.PaymentRef = { tppId: 'tpp', service, product, paymentId };
  return world.ask(payments.readPaymentStatus, ref);
};
const cancel = async (id: string) =>
  world.ask(payments.cancelPayment, {
    tppId: 'tpp',
    service: 'payments',
    product: 'domestic-credit-transfer-BGN',
    paymentId: id,
  });
const moveClock = (seconds: number): void => {
  for (const { clock } of [world.payments, world.second]) clock.raiseTo(clock.offsetMs + seconds * 1000);
};
const poolOf = ({ payments: { pool } }: PaymentsWorld) => {
  if (pool === undefined) throw new Error('no database');
  return pool;
};
const sweep = async () => world.ask(payments.expireDuePayments, {});
describe('creating a basket (contract 10)', () => {
  it('claims each item and returns RCVD; one signer signs all items', async () => {
    const [one, other] = await two();
    const basket = await createBasketFrom(one, other);
    expect(await world.ask(contract.readBasket, basket)).toEqual({
      transactionStatus: 'RCVD',
      paymentIds: [one, other],
      consentIds: [],
      items: [
        { paymentId: one, transactionStatus: 'RCVD' },
        { paymentId: other, transactionStatus: 'RCVD' },
      ],
    });
    expect(await world.eventTypes(basket.basketId)).toEqual(['basket-opened', 'basket-created']);
    expect(await world.eventTypes(one)).toEqual(['initiated', 'grouped']);
  });

  it.each([
    ['unknown', async () => newId(), 'itemUnknown'],
    ['no id at all', async () => 'x', 'itemUnknown'],
    ['another TPP’s', async () => paymentId({ tppId: 'other' }), 'itemUnknown'],
    [
      'an order',
      async () => paymentId(periodicOrder(3, world.payments.clock.date('Europe/Sofia'))),
      'itemNotGroupable',
    ],
    ['signed alone', async () => (await world.signed()).paymentId, 'itemStatusWrong'],
    [
      'in a basket',
      async () => {
        const id = await paymentId();
        await create([id]);
        return id;
      },
      'resourceBlocked',
    ],
  ])('refuses an item that is %s, and claims no item', async (_which, make, failure) => {
    const good = await paymentId();
    const bad = await make();
    await expect(create([good, bad])).rejects.toMatchObject({
      failures: [{ failure, path: 'paymentIds[1]' }],
    });
    expect(await world.eventTypes(good)).toEqual(['initiated']);
  });

  it.each([
    ['that name several PSUs', { psuId: 'ivan' }, { psuId: 'maria' }],
    ['of a person and a company', {}, { body: body({ debtorAccount: { iban: corporateAccount } }) }],
  ])('refuses items %s, with REFERENCE_MIX_INVALID', async (_what, one, other) => {
    const ids = [await paymentId(one), (await world.initiateAny(other)).paymentId];
    expect(await catchFailure(create(ids))).toBe('itemsOfSeveralOwners');
  });

  it('accepts a bulk payment like any other item', async () => {
    const bulk = await paymentId(bulkPayment(['1.00', '2.00']));
    const basket = await createBasketFrom(bulk, await paymentId());
    await signed(basket);
    expect(await readStatusReport(bulk, 'bulk-payments')).toMatchObject({ transactionStatus: 'ACCP' });
  });

  it('creates one basket for twenty parallel requests with the same key, and gives all of them the same answer (contract 2)', async () => {
    const again = request(await two());
    const answers = await Promise.all(
      Array.from({ length: 20 }, async (_one, index) =>
        (index % 2 === 0 ? world.payments : world.second).callClient.call(contract.createBasket, again),
      ),
    );
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
  });

  it('accepts a refused request when it is sent again with the same key after its item was released (contract 2)', async () => {
    const id = await paymentId();
    const first = await createBasketFrom(id);
    const refused = request([id]);
    expect(await catchFailure(world.ask(contract.createBasket, refused))).toBe('resourceBlocked');
    await world.ask(contract.cancelBasket, first);
    // Moves the clock past the millisecond of the refusal.
    moveClock(1);
    const again = { ...refused, begunAt: world.payments.clock.now() };
    const { basketId } = await world.ask(contract.createBasket, again);
    expect(await readStatus({ tppId: 'tpp', basketId })).toBe('RCVD');
  });

  it('accepts a payment in at most ten baskets; any further basket is refused with REFERENCE_STATUS_INVALID, and nothing is stored (contract 10)', async () => {
    const id = await paymentId();
    for (let round = 1; round <= 10; round += 1) {
      const basket = await createBasketFrom(id);
      expect(await catchFailure(create([id]))).toBe('resourceBlocked');
      await world.ask(contract.cancelBasket, basket);
    }
    const before = await world.sql('SELECT count(*) FROM payments.events');
    await expect(create([await paymentId(), id])).rejects.toMatchObject({
      failures: [{ failure: 'itemGroupedTooOften', path: 'paymentIds[1]' }],
    });
    expect(await world.eventTypes(id)).toHaveLength(21);
    const [{ count } = { count: 0 }] = await world.sql('SELECT count(*) FROM payments.events');
    // Only the initiation event of the other payment was stored.
    expect(Number(count)).toBe(Number(before[0]?.['count']) + 1);
    expect(await readStatusReport(id)).toEqual({ transactionStatus: 'RCVD' });
  });

  it('lets exactly one of two baskets win each of 50 races for a payment', async () => {
    for (let round = 0; round < 50; round += 1) {
      const [contested, one, other] = [await paymentId(), await paymentId(), await paymentId()];
      const outcomes = await Promise.all([
        catchFailure(world.payments.callClient.call(contract.createBasket, request([contested, one]))),
        catchFailure(world.second.callClient.call(contract.createBasket, request([other, contested]))),
      ]);
      expect([...outcomes].sort()).toEqual(['answered', 'resourceBlocked']);
      // The item that the losing basket had claimed has been released.
      const free = outcomes[0] === 'answered' ? other : one;
      expect((await create([free])).basketId).toBeDefined();
    }
  }, 60_000);

  it('gives all ten payments to one of two racing baskets that list the payments in opposite order', async () => {
    const ids = await Promise.all(Array.from({ length: 10 }, async () => paymentId()));
    const outcomes = await Promise.all([
      catchFailure(world.payments.callClient.call(contract.createBasket, request(ids))),
      catchFailure(world.second.callClient.call(contract.createBasket, request([...ids].reverse()))),
    ]);
    expect([...outcomes].sort()).toEqual(['answered', 'resourceBlocked']);
  });
});

describe('a payment in a basket (contract 10: RESOURCE_BLOCKED)', () => {
  it('cannot be signed, refused or cancelled separately, and no authorisation can be started for it, but it can still be read', async () => {
    const payment = await world.initiate();
    await createBasketFrom(payment.paymentId);
    const { authorisationId } = payment;
    const ref = { paymentId: payment.paymentId, authorisationId, psuId: 'ivan' };
    const start = { ...payment, idempotencyKey: { path: 'x', hash: 'h' }, redirectUris: {} };
    expect(await catchFailure(world.ask(payments.paymentAuthorisation.identify, ref))).toBe(
      'resourceBlocked',
    );
    expect(await catchFailure(world.ask(payments.paymentAuthorisation.sign, ref))).toBe('resourceBlocked');
    expect(
      await catchFailure(world.ask(payments.paymentAuthorisation.reject, { ...ref, reason: 'psu-refused' })),
    ).toBe('resourceBlocked');
    expect(await catchFailure(world.ask(payments.paymentAuthorisation.start, start))).toBe('resourceBlocked');
    expect(await catchFailure(cancel(payment.paymentId))).toBe('resourceBlocked');
    expect(await readStatusReport(payment.paymentId)).toEqual({ transactionStatus: 'RCVD' });
  });

  it('is released if its basket is deleted before the first signature, and the status of the basket becomes CANC', async () => {
    const payment = await world.initiate();
    const basket = await createBasketFrom(payment.paymentId);
    await world.ask(contract.cancelBasket, { ...basket, idempotencyKey: 'k' });
    expect(await readStatus(basket)).toBe('CANC');
    await world.ask(contract.cancelBasket, { ...basket, idempotencyKey: 'k' });
    expect(await catchFailure(world.ask(contract.cancelBasket, basket))).toBe('cancellationNotPossible');
    await cancel(payment.paymentId);
    expect(await readStatusReport(payment.paymentId)).toEqual({ transactionStatus: 'CANC' });
  });
});

describe('signing a basket (contract 10)', () => {
  it('signs all items together: ACTC while each item is ACCP and due, then ACSC when all items have ended', async () => {
    const [one, other] = await two();
    const basket = await createBasketFrom(one, other);
    expect(await signed(basket)).toEqual({ status: 'ACTC', isSigned: true, signaturesMissing: 0 });
    for (const id of [one, other]) expect(await readStatusReport(id)).toEqual({ transactionStatus: 'ACCP' });
    expect(await catchFailure(world.ask(contract.cancelBasket, basket))).toBe('cancellationNotPossible');
    expect(await readStatus(basket)).toBe('ACTC');
    await world.record({ paymentId: one, step: 'funds-refused', reason: 'insufficient-funds' });
    expect(await readStatus(basket)).toBe('ACTC');
    const step = {
      paymentId: other,
      step: 'settlement-started',
      holdId: newId(),
      transactionId: 't',
    } as const;
    await world.record(step);
    await world.record({ paymentId: other, step: 'settled', postingId: newId() });
    expect(await world.ask(contract.readBasket, basket)).toMatchObject({
      transactionStatus: 'ACSC',
      items: [
        { paymentId: one, transactionStatus: 'ACCP', fundsAvailable: false },
        { paymentId: other, transactionStatus: 'ACSC', fundsAvailable: true },
      ],
    });
    await sweep();
    expect((await world.eventTypes(basket.basketId)).at(-1)).toBe('basket-completed');
  });

  it('by the first of two signers leads to PATC, after which the basket cannot be deleted; the second signer signs all items', async () => {
    const ids = [(await world.initiateForSeveral()).paymentId, (await world.initiateForSeveral()).paymentId];
    const { basketId, authorisationId } = await create(ids);
    expect(authorisationId).toBeUndefined();
    const basket = { tppId: 'tpp', basketId };
    const by = async (psuId: string) => {
      const start = { ...basket, psuId, idempotencyKey: { path: 'y', hash: 'h' }, redirectUris: {} };
      return { basketId, ...(await world.ask(contract.basketAuthorisation.start, start)) };
    };
    expect(await signed(await by('georgi'), 'georgi')).toMatchObject({ status: 'PATC' });
    expect(await catchFailure(by('georgi'))).toBe('statusForbidsAuthorisation');
    expect(await catchFailure(world.ask(contract.cancelBasket, basket))).toBe('cancellationNotPossible');
    for (const id of ids) expect((await readStatusReport(id)).transactionStatus).toBe('RCVD');
    expect(await signed(await by('elena'), 'elena')).toMatchObject({ status: 'ACTC' });
    for (const id of ids) expect((await readStatusReport(id)).transactionStatus).toBe('ACCP');
    const { payments: listed } = await world.ask(payments.listSignedPayments, { psuId: 'georgi' });
    expect(listed.map((one) => one.paymentId)).toEqual(expect.arrayContaining(ids));
  });

  it('leaves on each item what proves the signatures on the basket, encrypted like all personal data', async () => {
    const [one, other] = await two();
    const { basketId, authorisationId } = await createBasketFrom(one, other);
    const evidence = { binding: newId(), language: 'bg', textsVersion: newId(), items: [newId(), newId()] };
    const ref = { basketId, authorisationId, psuId: 'ivan' };
    await world.ask(contract.basketAuthorisation.identify, ref);
    await world.ask(contract.basketAuthorisation.sign, { ...ref, evidence });
    for (const id of [one, other]) {
      const [history = []] = await readHistories(poolOf(world), [id], { masterKeys: testMasterKeys });
      const event = history.find(({ type }) => type === 'signed');
      expect(event?.readData()).toMatchObject({ authorisationId, evidence });
    }
    const stored = await world.sql('SELECT data FROM payments.events WHERE stream_id = ANY($1)', [
      [basketId, one, other],
    ]);
    for (const secret of [evidence.binding, ...evidence.items])
      expect(JSON.stringify(stored)).not.toContain(secret);
  });

  it('counts only once when twenty signatures arrive concurrently', async () => {
    const [one] = await two();
    const basket = await createBasketFrom(one);
    const ref = { basketId: basket.basketId, authorisationId: basket.authorisationId, psuId: 'ivan' };
    await world.ask(contract.basketAuthorisation.identify, ref);
    const outcomes = await Promise.all(
      Array.from({ length: 20 }, async () => catchFailure(world.ask(contract.basketAuthorisation.sign, ref))),
    );
    expect(outcomes.filter((outcome) => outcome === 'answered')).toHaveLength(1);
    expect((await world.eventTypes(one)).filter((type) => type === 'signed')).toHaveLength(1);
  });

  it('ends with the rejection of every item after one refusal', async () => {
    const ids = await two();
    const basket = await createBasketFrom(...ids);
    await world.ask(contract.basketAuthorisation.reject, { ...basket, reason: 'psu-refused' });
    expect(await readStatus(basket)).toBe('RJCT');
    for (const id of ids)
      expect(await readStatusReport(id)).toEqual({
        transactionStatus: 'RJCT',
        rejectionReason: 'psu-refused',
      });
  });

  it('ends with the rejection of every item if the PSU does not own one of the accounts', async () => {
    const ids = await two();
    const basket = await createBasketFrom(...ids);
    const accepted = await world.ask(contract.basketAuthorisation.identify, { ...basket, psuId: 'maria' });
    expect(accepted.rejectionReason).toBe('not-the-account-owner');
    for (const id of ids) expect((await readStatusReport(id)).transactionStatus).toBe('RJCT');
  });
});

describe('an expired basket (contract 10)', () => {
  it('rejects every item, even if only one item expires before the signature', async () => {
    const first = await paymentId();
    moveClock(600);
    const second = await paymentId();
    const basket = await createBasketFrom(second, first);
    moveClock(301);
    await sweep();
    expect(await readStatus(basket)).toBe('RJCT');
    for (const id of [first, second])
      expect(await readStatusReport(id)).toEqual({
        transactionStatus: 'RJCT',
        rejectionReason: 'not-authorised-in-time',
      });
  });
});

it('baskets violate no invariant of the event store', async () => {
  const { pool } = world.payments;
  if (pool === undefined) throw new Error('no database');
  expect(await eventStoreViolations(pool, resources.payments)).toEqual([]);
});
