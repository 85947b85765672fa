import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createBasket, readBasketStatus, basketAuthorisation } from '@xs2a/contracts/baskets.contract';
import * as contract from '@xs2a/contracts/payments.contract';
import { newId } from '@xs2a/runtime/ids';
import {
  bulkPayment,
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

const later = (seconds: number): void => {
  for (const { clock } of [world.payments, world.second]) clock.raiseTo(clock.offsetMs + seconds * 1000);
};
const due = async (): Promise<string[]> =>
  (await world.ask(contract.readDuePayments, { limit: 1000 })).payments.map(({ paymentId }) => paymentId);
const start = async (paymentId: string): Promise<unknown> =>
  catchFailure(world.record({ paymentId, step: 'settlement-started', holdId: 'h', transactionId: 't' }));
/** Simulates that the database lost an event of this type, which the stream still had. */
const lose = async (
  streamId: string,
  type: string,
  data: object = {},
  { version = 9, at = 999, holds = true, schemaVersion = 1 } = {},
): Promise<void> => {
  await world.sql(
    `INSERT INTO payments.lost_event (event_id, stream_id, version, pos, type, schema_version, data, actor, occurred_at, holds)
     VALUES ($1, $2, $3, $4, $5, $9, $6, 'tpp', to_timestamp($7), $8)`,
    [newId(), streamId, version, at + version, type, JSON.stringify(data), at, holds, schemaVersion],
  );
};
/**
 * Simulates that the database lost an append that contained the refusal of an order's occurrence and the planning
 * of the next one.
 */
const loseRefusal = async (orderId: string, number: number, version: number): Promise<void> => {
  const at = 1_000 + version;
  const next = { number: number + 1, executionDate: '2999-01-01', dueAt: '2999-01-01T00:00:00.000Z' };
  await lose(orderId, 'transaction-refused', { number, reason: 'insufficient-funds' }, { version, at });
  await lose(orderId, 'transaction-planned', next, { version: version + 1, at, holds: false });
};
const readReasons = async (streamId: string) =>
  world.sql('SELECT reason FROM payments.lost_event WHERE stream_id = $1 AND holds ORDER BY version', [
    streamId,
  ]);

describe('the payments service after the loss of the database server (ADR 35; docs/how-to/fail-over.md)', () => {
  it('settles nothing until the log of the new primary has been compared with the stream', async () => {
    const { paymentId } = await world.signed();
    later(61);
    expect(await due()).toContain(paymentId);
    await world.sql('UPDATE payments.examined_server SET server = $1', ['another']);
    expect(await catchFailure(due())).toBe('dependencyDown');
    expect(await start(paymentId)).toBe('dependencyDown');
    await world.endRelay();
    const begun = performance.now();
    while ((await catchFailure(due())) !== 'answered') expect(performance.now() - begun).toBeLessThan(5000);
    expect(await start(paymentId)).toBe('answered');
  }, 20_000);

  it('does not settle a payment that a lost event may have ended, until that payment is released', async () => {
    const [lost, other] = [await world.signed(), await world.signed()];
    later(61);
    await lose(lost.paymentId, 'of-tomorrow');
    const payments = [{ paymentId: lost.paymentId }];
    expect((await due()).filter((id) => [lost.paymentId, other.paymentId].includes(id))).toEqual([
      other.paymentId,
    ]);
    expect(await world.ask(contract.readSettlementStates, { payments })).toMatchObject({
      payments: [{ due: false, ended: false }],
    });
    expect([await start(lost.paymentId), await start(other.paymentId)]).toEqual([
      'dependencyDown',
      'answered',
    ]);
    await world.sql(
      "UPDATE payments.lost_event SET released_at = now(), released_by = 'test', reason = 'r' WHERE stream_id = $1",
      [lost.paymentId],
    );
    expect(await due()).toContain(lost.paymentId);
    expect(await start(lost.paymentId)).toBe('answered');
  });

  it('does not settle any entry of a bulk payment that lost an event, or a payment whose basket lost its final event', async () => {
    const bulk = await world.signed(bulkPayment(['1.00', '2.00']));
    const inBasket = await world.signed();
    later(61);
    const basketId = newId();
    await world.sql(
      `UPDATE payments.payment_view SET state = jsonb_set(state::jsonb, '{basketId}', to_jsonb($2::text)) WHERE stream_id = $1`,
      [inBasket.paymentId, basketId],
    );
    await lose(basketId, 'basket-cancelled');
    await lose(bulk.paymentId, 'transaction-refused', { number: 1 });
    const found = await due();
    expect(found).not.toContain(inBasket.paymentId);
    expect([1, 2].map((number) => found.includes(world.part(bulk.paymentId, number).paymentId))).toEqual([
      false,
      false,
    ]);
  });

  it('repeats a lost cancellation as soon as there is a new relay leader', async () => {
    const payment = await world.signed();
    later(61);
    await lose(payment.paymentId, 'cancelled', { tppId: 'tpp' });
    await world.endRelay();
    const status = async () =>
      (await world.ask(contract.readPaymentStatus, payment)) as { transactionStatus: string };
    const begun = performance.now();
    while ((await status()).transactionStatus !== 'CANC')
      expect(performance.now() - begun).toBeLessThan(5000);
    expect((await world.eventTypes(payment.paymentId)).at(-1)).toBe('cancelled');
    const released = async () =>
      world.sql('SELECT released_by, reason FROM payments.lost_event WHERE stream_id = $1', [
        payment.paymentId,
      ]);
    while ((await released())[0]?.['released_by'] === null)
      expect(performance.now() - begun).toBeLessThan(5000);
    expect(await released()).toEqual([{ released_by: 'payments', reason: 'cancelled again' }]);
    expect(await due()).not.toContain(payment.paymentId);
  }, 20_000);

  it('refuses an occurrence again if its refusal was lost, and plans the next occurrence together with that refusal', async () => {
    const { paymentId } = await world.signed(periodicOrder(5, world.payments.clock.date('Europe/Sofia')));
    const before = await world.eventTypes(paymentId);
    await loseRefusal(paymentId, 1, before.length + 1);
    await loseRefusal(paymentId, 2, before.length + 3);
    await world.endRelay();
    const begun = performance.now();
    while ((await readReasons(paymentId)).some(({ reason }) => reason === null))
      expect(performance.now() - begun).toBeLessThan(5000);
    const again = ['transaction-refused', 'transaction-planned'];
    expect(await world.eventTypes(paymentId)).toEqual([...before, ...again, ...again]);
    expect(await readReasons(paymentId)).toEqual(again.map(() => ({ reason: 'transaction-refused again' })));
  }, 20_000);

  it('waits for an operator if the event before a lost refusal was lost too, so that no occurrence is skipped', async () => {
    const { paymentId } = await world.signed(periodicOrder(5, world.payments.clock.date('Europe/Sofia')));
    const cancelled = await world.signed();
    const before = await world.eventTypes(paymentId);
    await loseRefusal(paymentId, 2, before.length + 4);
    await lose(cancelled.paymentId, 'cancelled', { tppId: 'tpp' });
    await world.endRelay();
    const begun = performance.now();
    while ((await readReasons(cancelled.paymentId)).some(({ reason }) => reason === null))
      expect(performance.now() - begun).toBeLessThan(5000);
    expect(await world.eventTypes(paymentId)).toEqual(before);
    expect(await readReasons(paymentId)).toEqual([{ reason: null }]);
  }, 20_000);

  const untilReleased = async (streamId: string): Promise<void> => {
    const begun = performance.now();
    while ((await readReasons(streamId)).some(({ reason }) => reason === null))
      expect(performance.now() - begun).toBeLessThan(5000);
  };

  it('repeats other lost endings even if this release cannot repeat one of them', async () => {
    const [ofTomorrow, other] = [await world.signed(), await world.signed()];
    const byTpp = { tppId: 'tpp' };
    await lose(ofTomorrow.paymentId, 'cancelled', byTpp, { at: 901, schemaVersion: 99 });
    await lose(other.paymentId, 'cancelled', byTpp, { at: 902 });
    await world.endRelay();
    await untilReleased(other.paymentId);
    expect(await readReasons(ofTomorrow.paymentId)).toEqual([{ reason: null }]);
  }, 20_000);

  it('releases a payment, without storing another event, if its ending was repeated before the comparison', async () => {
    const payment = await world.signed();
    await world.ask(contract.cancelPayment, payment);
    await lose(payment.paymentId, 'cancelled', { tppId: 'tpp' });
    await world.endRelay();
    await untilReleased(payment.paymentId);
    const ends = (await world.eventTypes(payment.paymentId)).filter((type) => type === 'cancelled');
    expect(ends).toHaveLength(1);
  }, 20_000);

  it('leaves a payment cancelled after its cancellation was repeated, even if a basket that contains it is signed', async () => {
    const [cancelled, other] = [await world.initiate(), await world.initiate()];
    const basket = await world.ask(createBasket, {
      tppId: 'tpp',
      body: { paymentIds: [cancelled.paymentId, other.paymentId] },
      idempotencyKey: { path: 'POST /signing-baskets', hash: 'of two' },
      begunAt: world.payments.clock.now(),
      redirectUris: {},
    });
    await lose(cancelled.paymentId, 'cancelled', { tppId: 'tpp' });
    await world.endRelay();
    await untilReleased(cancelled.paymentId);
    const signer = {
      basketId: basket.basketId,
      authorisationId: basket.authorisationId ?? '',
      psuId: 'ivan',
    };
    await world.ask(basketAuthorisation.identify, signer);
    await world.ask(basketAuthorisation.sign, signer);
    later(61);
    await world.ask(contract.expireDuePayments, {});
    const statusOf = async ({ paymentId }: { readonly paymentId: string }) =>
      (await world.ask(contract.readPaymentStatus, { ...other, paymentId })).transactionStatus;
    expect([await statusOf(cancelled), await statusOf(other)]).toEqual(['CANC', 'ACCP']);
    expect(await world.eventTypes(basket.basketId)).toContain('basket-items-updated');
  }, 20_000);

  it('cancels a basket again if its cancellation was lost, and releases its items', async () => {
    const { paymentId } = await world.initiate();
    const idempotencyKey = { path: 'POST /signing-baskets', hash: 'h' };
    const body = { paymentIds: [paymentId] };
    const { basketId } = await world.ask(createBasket, {
      tppId: 'tpp',
      body,
      idempotencyKey,
      begunAt: world.payments.clock.now(),
      redirectUris: {},
    });
    await lose(basketId, 'basket-cancelled', { tppId: 'tpp' });
    await world.endRelay();
    await untilReleased(basketId);
    later(61);
    const begun = performance.now();
    while ((await world.eventTypes(paymentId)).at(-1) !== 'ungrouped')
      expect(performance.now() - begun).toBeLessThan(5000);
    expect((await world.ask(readBasketStatus, { tppId: 'tpp', basketId })).transactionStatus).toBe('CANC');
  }, 20_000);
});
