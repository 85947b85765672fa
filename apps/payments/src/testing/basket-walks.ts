import { testMasterKeys } from '@xs2a/runtime/testing/test-master-keys';
import * as contract from '@xs2a/contracts/baskets.contract';
import type { IdempotencyKey } from '@xs2a/contracts/call';
import { expireDuePayments } from '@xs2a/contracts/payments.contract';
import { openBasket } from '@xs2a/domain/basket/decide-basket';
import { toIdempotencyRecord } from '@xs2a/event-store/streams/idempotency-records';
import { createLogger } from '@xs2a/observability/logger';
import { newId } from '@xs2a/runtime/ids';
import { createBasketStore } from '../baskets/basket-store.js';
import type { PaymentsWorld } from './payments-world.js';

const tppId = 'tpp';

/** Creates a basket with these payments. */
export const createdBasket = async (
  world: PaymentsWorld,
  paymentIds: readonly string[],
): Promise<contract.BasketRef & { readonly authorisationId?: string }> => {
  const idempotencyKey = { path: 'POST /signing-baskets', hash: 'h', key: newId() };
  const request: contract.CreateBasket = {
    tppId,
    body: { paymentIds },
    idempotencyKey,
    begunAt: world.payments.clock.now(),
    redirectUris: {},
  };
  return { tppId, ...(await world.ask(contract.createBasket, request)) };
};

/**
 * Stores a basket that lists these payments but has not claimed them, as after a crash or after the database
 * returned to an earlier state. `idempotencyKey`: the key of its request. Returns its id.
 */
export const openedBasket = async (
  world: PaymentsWorld,
  paymentIds: readonly string[],
  idempotencyKey?: IdempotencyKey,
): Promise<string> => {
  const { pool, clock } = world.payments;
  if (pool === undefined) throw new Error('no database');
  const [basketId, authorisationId] = [newId(), newId()];
  const events = openBasket(
    {
      basketId,
      tppId,
      paymentIds,
      consentIds: [],
      signaturesRequired: 1,
      authorisationId,
      redirectUris: {},
      expiresAt: '2999-01-01T00:00:00.000Z',
    },
    clock.now(),
  );
  await createBasketStore(pool, clock, createLogger('test', 'silent'), {
    MASTER_KEYS: testMasterKeys,
  }).append({
    streamId: basketId,
    events,
    actor: tppId,
    idempotencyRecord:
      idempotencyKey === undefined
        ? undefined
        : toIdempotencyRecord({ tppId, idempotencyKey }, { basketId, authorisationId }),
  });
  return basketId;
};

/** Moves the clock of both instances forward and waits until all due work is done. */
const later = async ({ payments, second, ask }: PaymentsWorld, seconds: number): Promise<void> => {
  for (const { clock } of [payments, second]) clock.raiseTo(clock.offsetMs + seconds * 1000);
  await ask(expireDuePayments, {});
};

/**
 * Creates baskets to cover every event type of baskets: deleted, refused, abandoned, and signed by two signers
 * until they are complete.
 */
export const liveBaskets = async (world: PaymentsWorld): Promise<void> => {
  const { paymentId } = await world.initiate();
  await world.ask(contract.cancelBasket, await createdBasket(world, [paymentId]));
  const { basketId, authorisationId = '' } = await createdBasket(world, [paymentId]);
  await world.ask(contract.basketAuthorisation.reject, { basketId, authorisationId, reason: 'psu-refused' });
  await openedBasket(world, [(await world.initiate()).paymentId]);
  await later(world, 3);
  const several = await world.initiateForSeveral();
  const basket = await createdBasket(world, [several.paymentId]);
  for (const psuId of ['georgi', 'elena']) {
    const start = { ...basket, psuId, idempotencyKey: { path: 'start', hash: 'h' }, redirectUris: {} };
    const started = await world.ask(contract.basketAuthorisation.start, start);
    const ref = { basketId: basket.basketId, authorisationId: started.authorisationId, psuId };
    await world.ask(contract.basketAuthorisation.identify, ref);
    await world.ask(contract.basketAuthorisation.sign, ref);
  }
  await world.record({ paymentId: several.paymentId, step: 'funds-refused', reason: 'insufficient-funds' });
  await world.ask(expireDuePayments, {});
};
