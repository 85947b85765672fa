import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import * as contract from '@xs2a/contracts/baskets.contract';
import * as payments from '@xs2a/contracts/payments.contract';
import { eventStoreViolations } from '@xs2a/event-store/verification/violations';
import { newId } from '@xs2a/runtime/ids';
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
  await world.ask(contract.acceptBasket, { basketId, authorisationId, psuId });
  return world.ask(contract.signBasket, { basketId, authorisationId, psuId });
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
const sweep = async () => world.ask(payments.expireDuePayments, {});
describe('creating a basket (contract 10)', () => {
  it('takes each item: RCVD, and one signer signs all', async () => {
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
  ])('an item that is %s, and nothing is taken', async (_which, make, failure) => {
    const good = await paymentId();
    const bad = await make();
    await expect(create([good, bad])).rejects.toMatchObject({
      failures: [{ failure, path: 'paymentIds[1]' }],
    });
    expect(await world.eventTypes(good)).toEqual(['initiated']);
  });

  it.each([
    ['of several PSUs named', { psuId: 'ivan' }, { psuId: 'maria' }],
    ['of a person and a company', {}, { body: body({ debtorAccount: { iban: corporateAccount } }) }],
  ])('items %s: REFERENCE_MIX_INVALID', async (_what, one, other) => {
    const ids = [await paymentId(one), (await world.initiateAny(other)).paymentId];
    expect(await catchFailure(create(ids))).toBe('itemsOfSeveralOwners');
  });

  it('a bulk payment is an item like any other', async () => {
    const bulk = await paymentId(bulkPayment(['1.00', '2.00']));
    const basket = await createBasketFrom(bulk, await paymentId());
    await signed(basket);
    expect(await readStatusReport(bulk, 'bulk-payments')).toMatchObject({ transactionStatus: 'ACCP' });
  });

  it('twenty parallel requests with one key make one basket, and get the same answer (contract 2)', async () => {
    const again = request(await two());
    const answers = await Promise.all(
      Array.from({ length: 20 }, async (_one, index) =>
        (index % 2 === 0 ? world.payments : world.second).callClient.call(contract.createBasket, again),
      ),
    );
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
  });

  it('a refused request may be sent again with the same key, once its item is free (contract 2)', async () => {
    const id = await paymentId();
    const first = await createBasketFrom(id);
    const refused = request([id]);
    expect(await catchFailure(world.ask(contract.createBasket, refused))).toBe('resourceBlocked');
    await world.ask(contract.cancelBasket, first);
    // Ends the millisecond of the refusal.
    moveClock(1);
    const again = { ...refused, begunAt: world.payments.clock.now() };
    const { basketId } = await world.ask(contract.createBasket, again);
    expect(await readStatus({ tppId: 'tpp', basketId })).toBe('RCVD');
  });

  it('a payment is in ten baskets in its life: then REFERENCE_STATUS_INVALID, and nothing more is stored (contract 10)', async () => {
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
    // The other payment was initiated.
    expect(Number(count)).toBe(Number(before[0]?.['count']) + 1);
    expect(await readStatusReport(id)).toEqual({ transactionStatus: 'RCVD' });
  });

  it('of two baskets raced for one payment exactly one wins, 50 times', async () => {
    for (let round = 0; round < 50; round += 1) {
      const [contested, one, other] = [await paymentId(), await paymentId(), await paymentId()];
      const outcomes = await Promise.all([
        catchFailure(world.payments.callClient.call(contract.createBasket, request([contested, one]))),
        catchFailure(world.second.callClient.call(contract.createBasket, request([other, contested]))),
      ]);
      expect([...outcomes].sort()).toEqual(['answered', 'resourceBlocked']);
      // The item that the loser had taken is free again.
      const free = outcomes[0] === 'answered' ? other : one;
      expect((await create([free])).basketId).toBeDefined();
    }
  }, 60_000);

  it('of two baskets raced for the same ten payments, named in opposite order, one gets all', async () => {
    const ids = await Promise.all(Array.from({ length: 10 }, async () => paymentId()));
    const outcomes = await Promise.all([
      catchFailure(world.payments.callClient.call(contract.createBasket, request(ids))),
      catchFailure(world.second.callClient.call(contract.createBasket, request([...ids].reverse()))),
    ]);
    expect([...outcomes].sort()).toEqual(['answered', 'resourceBlocked']);
  });
});

describe('a payment in a basket (contract 10: RESOURCE_BLOCKED)', () => {
  it('is not signed, refused or cancelled by itself, and gets no authorisation; its GET stays open', async () => {
    const payment = await world.initiate();
    await createBasketFrom(payment.paymentId);
    const { authorisationId } = payment;
    const ref = { paymentId: payment.paymentId, authorisationId, psuId: 'ivan' };
    const start = { ...payment, idempotencyKey: { path: 'x', hash: 'h' }, redirectUris: {} };
    expect(await catchFailure(world.ask(payments.acceptPayment, ref))).toBe('resourceBlocked');
    expect(await catchFailure(world.ask(payments.signPayment, ref))).toBe('resourceBlocked');
    expect(await catchFailure(world.ask(payments.rejectPayment, { ...ref, reason: 'psu-refused' }))).toBe(
      'resourceBlocked',
    );
    expect(await catchFailure(world.ask(payments.startPaymentAuthorisation, start))).toBe('resourceBlocked');
    expect(await catchFailure(cancel(payment.paymentId))).toBe('resourceBlocked');
    expect(await readStatusReport(payment.paymentId)).toEqual({ transactionStatus: 'RCVD' });
  });

  it('is free again once the basket is deleted before the first signature: CANC', async () => {
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
  it('signs every item at once: ACTC, each ACCP and due; ACSC when all have reached their end', async () => {
    const [one, other] = await two();
    const basket = await createBasketFrom(one, other);
    expect(await signed(basket)).toEqual({ transactionStatus: 'ACTC', signaturesMissing: 0 });
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

  it('of two signers: PATC after the first, no deletion then; the second signs all', async () => {
    const ids = [(await world.initiateForSeveral()).paymentId, (await world.initiateForSeveral()).paymentId];
    const { basketId, authorisationId } = await create(ids);
    expect(authorisationId).toBeUndefined();
    const basket = { tppId: 'tpp', basketId };
    const by = async (psuId: string) => {
      const start = { ...basket, psuId, idempotencyKey: { path: 'y', hash: 'h' }, redirectUris: {} };
      return { basketId, ...(await world.ask(contract.startBasketAuthorisation, start)) };
    };
    expect(await signed(await by('georgi'), 'georgi')).toMatchObject({ transactionStatus: 'PATC' });
    expect(await catchFailure(by('georgi'))).toBe('statusForbidsAuthorisation');
    expect(await catchFailure(world.ask(contract.cancelBasket, basket))).toBe('cancellationNotPossible');
    for (const id of ids) expect((await readStatusReport(id)).transactionStatus).toBe('RCVD');
    expect(await signed(await by('elena'), 'elena')).toMatchObject({ transactionStatus: 'ACTC' });
    for (const id of ids) expect((await readStatusReport(id)).transactionStatus).toBe('ACCP');
    const { payments: listed } = await world.ask(payments.listSignedPayments, { psuId: 'georgi' });
    expect(listed.map((one) => one.paymentId)).toEqual(expect.arrayContaining(ids));
  });

  it('twenty signatures at once count once', async () => {
    const [one] = await two();
    const basket = await createBasketFrom(one);
    const ref = { basketId: basket.basketId, authorisationId: basket.authorisationId, psuId: 'ivan' };
    await world.ask(contract.acceptBasket, ref);
    const outcomes = await Promise.all(
      Array.from({ length: 20 }, async () => catchFailure(world.ask(contract.signBasket, ref))),
    );
    expect(outcomes.filter((outcome) => outcome === 'answered')).toHaveLength(1);
    expect((await world.eventTypes(one)).filter((type) => type === 'signed')).toHaveLength(1);
  });

  it('one refusal rejects every item', async () => {
    const ids = await two();
    const basket = await createBasketFrom(...ids);
    await world.ask(contract.rejectBasket, { ...basket, reason: 'psu-refused' });
    expect(await readStatus(basket)).toBe('RJCT');
    for (const id of ids)
      expect(await readStatusReport(id)).toEqual({
        transactionStatus: 'RJCT',
        rejectionReason: 'psu-refused',
      });
  });

  it('a PSU who does not own one of the accounts rejects every item', async () => {
    const ids = await two();
    const basket = await createBasketFrom(...ids);
    const accepted = await world.ask(contract.acceptBasket, { ...basket, psuId: 'maria' });
    expect(accepted.rejectionReason).toBe('not-the-account-owner');
    for (const id of ids) expect((await readStatusReport(id)).transactionStatus).toBe('RJCT');
  });
});

describe('a basket whose time is over (contract 10)', () => {
  it('an item that expires before the signature rejects every item', async () => {
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

it('no invariant of the event store is broken by any of this', async () => {
  const { pool } = world.payments;
  if (pool === undefined) throw new Error('no database');
  expect(await eventStoreViolations(pool, 'payments')).toEqual([]);
});
