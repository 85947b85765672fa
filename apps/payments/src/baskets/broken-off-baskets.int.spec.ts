import { resources } from '@xs2a/resources/resources';
import { testMasterKeys } from '@xs2a/runtime/testing/test-master-keys';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import * as contract from '@xs2a/contracts/baskets.contract';
import * as payments from '@xs2a/contracts/payments.contract';
import { signBasket } from '@xs2a/domain/basket/authorise-basket';
import { abandonBasket } from '@xs2a/domain/basket/decide-basket';
import { groupPayment } from '@xs2a/domain/payment/group-payment';
import { eventStoreViolations } from '@xs2a/event-store/verification/violations';
import { createLogger } from '@xs2a/observability/logger';
import { newId } from '@xs2a/runtime/ids';
import { catchFailure, type PaymentsWorld, startPaymentsWorld } from '../testing/payments-world.js';
import { openedBasket } from '../testing/basket-walks.js';
import { createPaymentStore } from '../store/payment-store.js';
import { createBasketStore } from './basket-store.js';

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
const readStatus = async (basket: contract.BasketRef) =>
  (await world.ask(contract.readBasketStatus, basket)).transactionStatus;
const readStatusReport = async (paymentId: string, service: payments.PaymentRef['service'] = 'payments') => {
  const product = 'domestic-credit-transfer-BGN';
  const ref: payments.PaymentRef = { tppId: 'tpp', service, product, paymentId };
  return world.ask(payments.readPaymentStatus, ref);
};
const moveClock = (seconds: number): void => {
  for (const { clock } of [world.payments, world.second]) clock.raiseTo(clock.offsetMs + seconds * 1000);
};
/** Lets a basket that has ended try to claim the payment; returns the reason why it cannot. */
const takenLate = async (id: string, basketId: string) =>
  catchFailure(
    stores().payments.change(id, (state) => groupPayment(state, { basketId, tppId: 'tpp' }), {
      actor: 'baskets',
    }),
  );
const sweep = async () => world.ask(payments.expireDuePayments, {});
const stores = () => {
  const { pool, clock } = world.payments;
  if (pool === undefined) throw new Error('no database');
  const logger = createLogger('test', 'silent');
  return {
    baskets: createBasketStore(pool, clock, logger, { MASTER_KEYS: testMasterKeys }),
    payments: createPaymentStore(pool, clock, logger, { MASTER_KEYS: testMasterKeys }),
    now: clock.now(),
  };
};

describe('a basket whose request has ended (contract 10: nothing creates it afterwards)', () => {
  it('is not continued by another request with the same key, which waits until this basket is abandoned and then creates its own', async () => {
    const ids = await two();
    const again = request(ids);
    const basketId = await openedBasket(world, ids, again.idempotencyKey);
    expect(await catchFailure(world.ask(contract.createBasket, again))).toBe('firstAttemptUnderWay');
    expect(await world.eventTypes(basketId)).toEqual(['basket-opened']);
    moveClock(2);
    const created = await world.ask(contract.createBasket, again);
    expect(created.basketId).not.toBe(basketId);
    expect((await world.eventTypes(basketId)).slice(0, 2)).toEqual(['basket-opened', 'basket-abandoned']);
    expect(await readStatus({ tppId: 'tpp', basketId: created.basketId })).toBe('RCVD');
  });

  it('has its items released by another request with the same key if the sweep has abandoned the basket but not yet released them', async () => {
    const id = await paymentId();
    const again = request([id]);
    const basketId = await openedBasket(world, [id], again.idempotencyKey);
    const { baskets, payments: store } = stores();
    await store.change(id, (state) => groupPayment(state, { basketId, tppId: 'tpp' }), { actor: 'baskets' });
    await baskets.change(basketId, (state) => abandonBasket(state, { failure: 'dependencyDown' }), {
      actor: 'baskets',
    });
    const created = await world.ask(contract.createBasket, again);
    expect(created.basketId).not.toBe(basketId);
    expect(await world.eventTypes(basketId)).toEqual([
      'basket-opened',
      'basket-abandoned',
      'basket-items-updated',
    ]);
  });

  it('is not created by its own late request, even if the database has lost the event that abandoned it', async () => {
    const [one, other] = await two();
    const session = await world.session();
    await session.query('BEGIN');
    // Blocks the request while it claims its items.
    await session.query('SELECT FROM payments.payment_view WHERE stream_id = $1 FOR UPDATE', [
      [one, other].sort()[1],
    ]);
    const late = catchFailure(create([one, other]));
    const opened = async () =>
      (
        await world.sql(
          `SELECT stream_id AS id FROM payments.basket_view WHERE payment_ids ? $1 AND stage = 'opening'`,
          [one],
        )
      )[0]?.['id'];
    const begun = performance.now();
    while ((await opened()) === undefined) expect(performance.now() - begun).toBeLessThan(5000);
    const basketId = String(await opened());
    // The sweep does not touch this basket.
    const [before] = await world.sql(
      'UPDATE payments.basket_view SET due_at = NULL WHERE stream_id = $1 RETURNING *',
      [basketId],
    );
    // In the meantime the basket was abandoned, its client received an answer, and the database was restored
    // to an earlier state.
    moveClock(2);
    const { baskets } = stores();
    await baskets.change(basketId, (state) => abandonBasket(state, { failure: 'dependencyDown' }), {
      actor: 'baskets',
    });
    await world.sql(
      `UPDATE payments.basket_view SET version = $2, last_hash = $3, state = $4, stage = 'opening', due_at = NULL WHERE stream_id = $1`,
      [basketId, before?.['version'], before?.['last_hash'], JSON.stringify(before?.['state'])],
    );
    await world.sql('DELETE FROM payments.unsequenced WHERE stream_id = $1 AND version > 1', [basketId]);
    await world.sql('DELETE FROM payments.events WHERE stream_id = $1 AND version > 1', [basketId]);
    await session.query('COMMIT');
    session.release();
    expect(await late).toBe('dependencyDown');
    expect(await world.eventTypes(basketId)).toContain('basket-abandoned');
    expect(await world.eventTypes(basketId)).not.toContain('basket-created');
    await create([one, other]);
  }, 20_000);
});

describe('a request that was delayed while a later one with its key was refused (contract 10: a retry is a new attempt)', () => {
  /**
   * A TPP's three requests with the same key: one that is blocked halfway, one that is answered, and one that is
   * sent after that answer.
   */
  const threeTries = (paymentIds: readonly string[]) => {
    const delayed = request(paymentIds);
    const later = (ms: number) => ({
      ...delayed,
      begunAt: new Date(Date.parse(delayed.begunAt) + ms).toISOString(),
    });
    return { delayed, refused: later(1), afterwards: later(60_000) };
  };
  const isGroupedBy = async (basketId: string, id: string) =>
    (await world.ask(contract.readBasket, { tppId: 'tpp', basketId })).paymentIds.includes(id);

  it('creates no basket even though the item has been released; the next retry of the client creates one', async () => {
    const id = await paymentId();
    const { delayed, refused, afterwards } = threeTries([id]);
    const other = await createBasketFrom(id);
    expect(await catchFailure(world.ask(contract.createBasket, refused))).toBe('resourceBlocked');
    await world.ask(contract.cancelBasket, other);
    for (const { callClient } of [world.payments, world.second])
      expect(await catchFailure(callClient.call(contract.createBasket, delayed))).toBe(
        'firstAttemptUnderWay',
      );
    const { basketId } = await world.ask(contract.createBasket, afterwards);
    expect(await isGroupedBy(basketId, id)).toBe(true);
  });

  it('creates no basket if the later request was refused halfway and has released the items that it had claimed', async () => {
    const [first, second] = (await two()).toSorted();
    if (first === undefined || second === undefined) throw new Error('no payments');
    const { delayed, refused, afterwards } = threeTries([first, second]);
    const session = await world.session();
    await session.query('BEGIN');
    // Blocks the request before it claims its first item, until another basket has claimed the second item.
    await session.query('SELECT FROM payments.payment_view WHERE stream_id = $1 FOR UPDATE', [first]);
    const end = catchFailure(world.ask(contract.createBasket, refused));
    const opened = async () =>
      (
        await world.sql(`SELECT 1 FROM payments.basket_view WHERE payment_ids ? $1 AND stage = 'opening'`, [
          first,
        ])
      ).length > 0;
    const begun = performance.now();
    while (!(await opened())) expect(performance.now() - begun).toBeLessThan(5000);
    const other = await createBasketFrom(second);
    await session.query('COMMIT');
    session.release();
    expect(await end).toBe('resourceBlocked');
    await world.ask(contract.cancelBasket, other);
    expect(await catchFailure(world.ask(contract.createBasket, delayed))).toBe('firstAttemptUnderWay');
    const { basketId } = await world.ask(contract.createBasket, afterwards);
    expect(await isGroupedBy(basketId, first)).toBe(true);
  }, 20_000);

  it('allows the client to correct the body under the same key', async () => {
    const [taken, free] = await two();
    await createBasketFrom(taken);
    const { refused, afterwards } = threeTries([taken]);
    expect(await catchFailure(world.ask(contract.createBasket, refused))).toBe('resourceBlocked');
    const idempotencyKey = { ...refused.idempotencyKey, hash: 'another body' };
    const corrected = { ...afterwards, body: { paymentIds: [free] }, idempotencyKey };
    const { basketId } = await world.ask(contract.createBasket, corrected);
    expect(await isGroupedBy(basketId, free)).toBe(true);
    expect(await catchFailure(world.ask(contract.createBasket, afterwards))).toBe('idempotencyKeyReused');
  });

  it('creates the basket if it finishes first after all; the later request returns the same basket', async () => {
    const id = await paymentId();
    const { delayed, refused } = threeTries([id]);
    const { basketId } = await world.ask(contract.createBasket, delayed);
    expect((await world.ask(contract.createBasket, refused)).basketId).toBe(basketId);
  });
});

describe('after a crash (contract 10)', () => {
  it('a basket that was not created has no status, and its items are released after two seconds', async () => {
    const [taken, notTaken] = await two();
    const basketId = await openedBasket(world, [taken, notTaken]);
    await stores().payments.change(taken, (state) => groupPayment(state, { basketId, tppId: 'tpp' }), {
      actor: 'baskets',
    });
    expect(await catchFailure(readStatus({ tppId: 'tpp', basketId }))).toBe('resourceUnknown');
    expect(await catchFailure(create([taken]))).toBe('resourceBlocked');
    moveClock(2);
    await sweep();
    expect(await world.eventTypes(basketId)).toEqual([
      'basket-opened',
      'basket-abandoned',
      'basket-items-updated',
    ]);
    // Does what the instance that opened the basket would do if it hung and then resumed.
    for (const id of [taken, notTaken]) expect(await takenLate(id, basketId)).toBe('resourceBlocked');
    await create([taken, notTaken]);
  });

  it('a cancelled basket can claim no more items, so a late repeat of its request changes nothing', async () => {
    const id = await paymentId();
    const basket = await createBasketFrom(id);
    await world.ask(contract.cancelBasket, basket);
    expect(await takenLate(id, basket.basketId)).toBe('resourceBlocked');
    await create([id]);
  });

  it('a basket releases its remaining items if the database lost one of its items before the basket was opened', async () => {
    const id = await paymentId();
    const basketId = await openedBasket(world, [id, newId()]);
    moveClock(11);
    await sweep();
    expect((await world.eventTypes(basketId)).at(-1)).toBe('basket-items-updated');
    await create([id]);
  });

  it('a signature that has reached no item yet eventually reaches all of them', async () => {
    const ids = await two();
    const { basketId, authorisationId } = await createBasketFrom(...ids);
    await world.ask(contract.basketAuthorisation.identify, { basketId, authorisationId, psuId: 'ivan' });
    const { baskets, now } = stores();
    await baskets.change(
      basketId,
      (state) => signBasket(state, { authorisationId, psuId: 'ivan', now, hasOpenPayees: false }),
      {
        actor: 'ivan',
      },
    );
    for (const id of ids) expect((await readStatusReport(id)).transactionStatus).toBe('RCVD');
    moveClock(3);
    await sweep();
    for (const id of ids) expect((await readStatusReport(id)).transactionStatus).toBe('ACCP');
  });

  it('every invariant of the event store still holds', async () => {
    const { pool } = world.payments;
    if (pool === undefined) throw new Error('no database');
    expect(await eventStoreViolations(pool, resources.payments)).toEqual([]);
  });
});
