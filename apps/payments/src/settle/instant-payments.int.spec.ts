import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readDueInstants, recordInstants } from '@xs2a/contracts/instant/instant.contract';
import { basketAuthorisation } from '@xs2a/contracts/baskets.contract';
import { verifyBasketPayees } from '@xs2a/contracts/payees/payees.contract';
import {
  cancelPayment,
  expireDuePayments,
  handToSettlement,
  readDuePayments,
  readPaymentStatus,
} from '@xs2a/contracts/payments.contract';
import { signBasket } from '@xs2a/domain/basket/authorise-basket';
import type { InstantStep } from '@xs2a/domain/payment/instant/instant-steps';
import { answerWithinMs } from '@xs2a/domain/payment/instant/instant-payments';
import { makeProfile } from '@xs2a/domain/testing/profiles';
import { createLogger } from '@xs2a/observability/logger';
import { until } from '@xs2a/nats/testing/until';
import { newId } from '@xs2a/runtime/ids';
import { testMasterKeys } from '@xs2a/runtime/testing/test-master-keys';
import { createBasketStore } from '../baskets/basket-store.js';
import { createdBasket } from '../testing/basket-walks.js';
import { body, catchFailure, type PaymentsWorld, startPaymentsWorld } from '../testing/payments-world.js';

const product = 'instant-SEPA-credit-transfer';
let world: PaymentsWorld;
beforeAll(async () => {
  world = await startPaymentsWorld(makeProfile('bg-euro'));
}, 60_000);
afterAll(async () => world.stop());

const { serviceLevel: _, ...ofSepa } = body({ instructedAmount: { amount: '12.50', currency: 'EUR' } });
const signed = async (more: Record<string, unknown> = {}) => {
  const { authorisationId: _authorisation, ...ref } = await world.signed({
    product,
    body: { ...ofSepa, ...more },
  });
  return { ...ref, product } as const;
};
const due = async (only?: readonly string[]) => {
  const refs = only?.map((paymentId) => ({ paymentId }));
  return (await world.ask(readDueInstants, { limit: 1000, only: refs })).payments;
};
const record = async (paymentId: string, step: InstantStep) => {
  const { results } = await world.ask(recordInstants, { records: [{ paymentId, step }] });
  const [outcome] = results;
  if (outcome === undefined || 'failure' in outcome) throw new Error('not decided');
  return outcome;
};
const held = (answerBy: string): InstantStep => ({
  step: 'held',
  holdId: newId(),
  transactionId: 'tx',
  answerBy,
});
const later = (seconds: number): void => {
  for (const { clock } of [world.payments, world.second]) clock.raiseTo(clock.offsetMs + seconds * 1000);
};

describe('a signed instant payment (contract E3.2)', () => {
  it('has to be held at once, by its deadline in real time, and never by the batch job', async () => {
    later(3600);
    const before = Date.now();
    const { paymentId } = await signed();
    const payment = (await due()).find((one) => one.paymentId === paymentId);
    expect(payment?.order).toMatchObject({ amount: { minor: 1250, currency: 'EUR' } });
    const { progress } = payment ?? {};
    if (progress?.next !== 'hold') throw new Error('not to be held');
    const answerBy = Date.parse(progress.answerBy ?? '');
    expect(answerBy).toBeGreaterThanOrEqual(before + answerWithinMs - 1);
    expect(answerBy).toBeLessThanOrEqual(Date.now() + answerWithinMs + 1);
    later(120);
    const { payments } = await world.ask(readDuePayments, { limit: 1000 });
    expect(payments.map((one) => one.paymentId)).not.toContain(paymentId);
    const ahead = await world.ask(readDuePayments, { limit: 1000, ahead: { except: [] } });
    expect(ahead.payments.map((one) => one.paymentId)).not.toContain(paymentId);
  });

  it('is found by the index of instant payments', async () => {
    const session = await world.session();
    try {
      await session.query('SET enable_seqscan = off');
      const { rows } = await session.query<{ 'QUERY PLAN': string }>(
        `EXPLAIN SELECT stream_id FROM payments.payment_view
         WHERE due_at <= now() AND product = '${product}' ORDER BY due_at, stream_id LIMIT 9`,
      );
      expect(rows.map((row) => row['QUERY PLAN']).join('\n')).toContain('payment_instant_due');
    } finally {
      session.release();
    }
  });

  it('ends as the recorded steps say, and its status has the reason', async () => {
    const ref = await signed();
    const { paymentId } = ref;
    const answerBy = new Date(Date.now() + answerWithinMs).toISOString();
    expect(await record(paymentId, held(answerBy))).toEqual({
      recorded: true,
      progress: { next: 'send', answerBy },
      answeredLate: false,
    });
    expect(await world.ask(readPaymentStatus, ref)).toMatchObject({ transactionStatus: 'ACSP' });
    const answer = { outcome: 'rejected', reasonCode: 'AC04' } as const;
    expect((await record(paymentId, { step: 'answered', answer })).progress).toEqual({
      next: 'void',
      reasonCode: 'AC04',
    });
    expect((await record(paymentId, { step: 'released', reasonCode: 'AC04' })).progress).toEqual({
      next: 'none',
    });
    expect(await world.ask(readPaymentStatus, ref)).toMatchObject({
      transactionStatus: 'RJCT',
      reasonCode: 'AC04',
    });
    expect((await due()).map((one) => one.paymentId)).not.toContain(paymentId);
    expect(await due([paymentId])).toMatchObject([{ paymentId, progress: { next: 'none' } }]);
    const late = await record(paymentId, { step: 'answered', answer: { outcome: 'settled' } });
    expect(late).toMatchObject({ recorded: true, answeredLate: true });
    expect((await world.eventTypes(paymentId)).slice(-5)).toEqual([
      'signed',
      'settlement-started',
      'instant-answered',
      'instant-rejected',
      'instant-answered-late',
    ]);
  });

  it('is recorded together with others, in their order, and an unknown one does not stop it', async () => {
    const [first, second, unknown] = [await signed(), await signed(), newId()];
    const answerBy = new Date(Date.now() + 9000).toISOString();
    const ids = [second.paymentId, unknown, first.paymentId];
    const step = held(answerBy);
    const records = [
      ...ids.map((paymentId) => ({ paymentId, step })),
      { paymentId: second.paymentId, step: { step: 'answered', answer: { outcome: 'settled' } } } as const,
    ];
    const send = { recorded: true, progress: { next: 'send', answerBy }, answeredLate: false };
    expect((await world.ask(recordInstants, { records })).results).toEqual([
      send,
      { failure: 'resourceUnknown' },
      send,
      { recorded: true, progress: { next: 'post' }, answeredLate: false },
    ]);
    expect((await world.eventTypes(second.paymentId)).slice(-2)).toEqual([
      'settlement-started',
      'instant-answered',
    ]);
  });

  it('is unknown only if it has no events in a database that has been compared with the stream (ADR 35)', async () => {
    const [lost, damaged] = [newId(), (await signed()).paymentId];
    const unknown = async () => {
      const only = [lost, damaged].map((paymentId) => ({ paymentId }));
      return (await world.ask(readDueInstants, { limit: 0, only })).unknown;
    };
    await world.sql('DELETE FROM payments.payment_view WHERE stream_id = $1', [damaged]);
    expect(await unknown()).toEqual([lost]);
    await world.sql('UPDATE payments.examined_server SET server = $1', ['another']);
    expect(await unknown()).toEqual([]);
    await world.endRelay();
    await until(async () => expect(await unknown()).toEqual([lost]));
  }, 20_000);

  it('is read without those that are under way', async () => {
    const [first, second] = [await signed(), await signed()];
    const asked = { limit: 1000, except: [first.paymentId] };
    const found = (await world.ask(readDueInstants, asked)).payments.map(({ paymentId }) => paymentId);
    expect(found).toContain(second.paymentId);
    expect(found).not.toContain(first.paymentId);
  });

  it('in a basket has its deadline from the signature, which may reach it after a move of the clock', async () => {
    const { paymentId } = await world.initiate({ product, body: ofSepa });
    const { basketId, authorisationId = '' } = await createdBasket(world, [paymentId]);
    const ref = { basketId, authorisationId, psuId: 'ivan' };
    await world.ask(basketAuthorisation.identify, ref);
    const sign = async (): Promise<unknown> => catchFailure(world.ask(basketAuthorisation.sign, ref));
    expect(await sign()).toBe('statusForbidsAuthorisation');
    await world.ask(verifyBasketPayees, { ...ref, language: 'bg', textsVersion: 'v' });
    const before = Date.now();
    const { pool, clock } = world.payments;
    if (pool === undefined) throw new Error('no database');
    const baskets = createBasketStore(pool, clock, createLogger('test', 'silent'), {
      MASTER_KEYS: testMasterKeys,
    });
    const signature = { ...ref, now: clock.now(), clockOffsetMs: clock.offsetMs, hasOpenPayees: false };
    // The instance ends before the signature reaches the payment.
    await baskets.change(basketId, (state) => signBasket(state, signature), { actor: 'psu' });
    later(86_400);
    await world.ask(expireDuePayments, {});
    const [payment] = await due([paymentId]);
    if (payment?.progress.next !== 'hold') throw new Error('not to be held');
    const answerBy = Date.parse(payment.progress.answerBy ?? '');
    expect(answerBy).toBeGreaterThanOrEqual(before + answerWithinMs - 1);
    expect(answerBy).toBeLessThanOrEqual(Date.now() + answerWithinMs + 1);
  });

  it('is found although another one cannot be read', async () => {
    const [broken, whole] = [await signed(), await signed()];
    await world.sql(
      `UPDATE payments.payment_view SET state = (state::jsonb || '{"personal": "AAAA"}')::json WHERE stream_id = $1`,
      [broken.paymentId],
    );
    const found = await due([broken.paymentId, whole.paymentId]);
    expect(found.map(({ paymentId }) => paymentId)).toEqual([whole.paymentId]);
    const all = (await due()).map(({ paymentId }) => paymentId);
    expect(all).toContain(whole.paymentId);
    expect(all).not.toContain(broken.paymentId);
  });

  it('cannot be cancelled, and has one answer if several workers record theirs at the same time', async () => {
    const ref = await signed();
    expect(await catchFailure(world.ask(cancelPayment, ref))).toBe('cancellationNotPossible');
    await record(ref.paymentId, held(new Date().toISOString()));
    const answers = [
      { outcome: 'settled' },
      { outcome: 'rejected', reasonCode: 'AB05' },
      { outcome: 'rejected', reasonCode: 'AC04' },
    ] as const;
    const results = await Promise.all(
      answers.map(async (answer) => record(ref.paymentId, { step: 'answered', answer })),
    );
    const types = await world.eventTypes(ref.paymentId);
    expect(types.filter((type) => type === 'instant-answered')).toHaveLength(1);
    const next = new Set(results.map(({ progress }) => JSON.stringify(progress)));
    expect([...next]).toEqual([JSON.stringify((await due([ref.paymentId]))[0]?.progress)]);
  });
});

describe('an instant payment whose rejection the database lost (ADR 35)', () => {
  it('gets the answer of the payee’s bank back, so that its hold is voided and no operator has to decide', async () => {
    const { paymentId } = await signed();
    await record(paymentId, held(new Date().toISOString()));
    const kept = (await world.eventTypes(paymentId)).length;
    const answer = { outcome: 'rejected', reasonCode: 'AB05' };
    const lost = [
      ['instant-answered', { answer }, false],
      ['instant-rejected', { reasonCode: 'AB05' }, true],
    ] as const;
    for (const [index, [type, data, holds]] of lost.entries())
      await world.sql(
        `INSERT INTO payments.lost_event (event_id, stream_id, version, pos, type, schema_version, data, actor, occurred_at, holds)
         VALUES ($1, $2, $3, $3 + 90000, $4, 1, $5, 'settlement', now(), $6)`,
        [newId(), paymentId, kept + 1 + index, type, JSON.stringify(data), holds],
      );
    expect((await due()).map((one) => one.paymentId)).not.toContain(paymentId);
    await world.endRelay();
    const reason = async () =>
      world.sql('SELECT reason FROM payments.lost_event WHERE stream_id = $1 AND holds', [paymentId]);
    await until(async () => expect(await reason()).toEqual([{ reason: 'instant-rejected again' }]));
    expect((await due()).find((one) => one.paymentId === paymentId)?.progress).toEqual({
      next: 'void',
      reasonCode: 'AB05',
    });
    expect((await world.eventTypes(paymentId)).slice(kept)).toEqual(['instant-answered']);
  });
});

describe('instant payments that are due together (contract E3.8)', () => {
  it('are read single ones first, then those of as many bulk payments as have two megabytes', async () => {
    const { debtorAccount, ...entry } = ofSepa;
    const bulks: string[] = [];
    for (let count = 0; count < 3; count += 1) {
      const bulk = {
        service: 'bulk-payments',
        product,
        body: { debtorAccount, payments: [entry, entry] },
      } as const;
      bulks.push((await world.signed(bulk)).paymentId);
    }
    const { paymentId: single } = await signed();
    const read = async (): Promise<readonly string[]> => {
      const ids = (await due()).map(({ paymentId, partOf }) => partOf?.paymentId ?? paymentId);
      return ids.filter((id) => id === single || bulks.includes(id));
    };
    expect(await read()).toEqual([single, ...bulks.flatMap((id) => [id, id])]);
    await world.sql(
      `UPDATE payments.payment_view SET state = (state::jsonb || jsonb_build_object('padding',
         (SELECT string_agg(gen_random_uuid()::text, '') FROM generate_series(1, 36000))))::json
       WHERE stream_id = ANY($1::uuid[])`,
      [bulks],
    );
    expect(await read()).toEqual([single, ...bulks.slice(0, 2).flatMap((id) => [id, id])]);
  });
});

describe('an instant payment with a later execution date (contract E3.6)', () => {
  it('can be cancelled before that day, then has to be held, and an operator sees when', async () => {
    const day = new Date(world.payments.clock.nowMs() + 3 * 86_400_000).toISOString().slice(0, 10);
    const [kept, cancelled] = [
      await signed({ requestedExecutionDate: day }),
      await signed({ requestedExecutionDate: day }),
    ];
    expect((await due()).map((one) => one.paymentId)).not.toContain(kept.paymentId);
    expect(await catchFailure(world.ask(cancelPayment, cancelled))).toBe('answered');
    const handed = await world.ask(handToSettlement, { paymentId: kept.paymentId });
    expect(handed).toMatchObject({ transactionStatus: 'ACCP', isDue: false, repaired: false });
    later(3 * 86_400);
    expect(await due([kept.paymentId])).toMatchObject([{ progress: { next: 'hold' } }]);
    expect(await catchFailure(world.ask(cancelPayment, kept))).toBe('cancellationNotPossible');
    expect((await due()).map((one) => one.paymentId)).not.toContain(cancelled.paymentId);
  });
});
