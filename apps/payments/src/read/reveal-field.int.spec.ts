import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { revealPaymentField } from '@xs2a/contracts/console/reveal.contract';
import { eraseStreams } from '@xs2a/custody/personal-data/erase-streams';
import { type PaymentReveal, paymentReveals } from '@xs2a/domain/payment/payment-reveal';
import { createPool } from '@xs2a/postgres/pool';
import { resources } from '@xs2a/resources/resources';
import { newId } from '@xs2a/runtime/ids';
import {
  body,
  bulkPayment,
  catchFailure,
  ivansAccount,
  type PaymentsWorld,
  startPaymentsWorld,
} from '../testing/payments-world.js';

let world: PaymentsWorld;
beforeAll(async () => {
  world = await startPaymentsWorld();
}, 60_000);
afterAll(async () => world.stop());

const reveal = async (id: string, field: PaymentReveal, entry?: number) =>
  world.ask(revealPaymentField, { id, field, entry });

describe('a field of a payment that the console reveals', () => {
  it('is exactly the one that is asked for', async () => {
    const { paymentId } = await world.signed();
    const answers = Object.fromEntries(
      await Promise.all(
        paymentReveals.map(async (field) => [field, await reveal(paymentId, field)] as const),
      ),
    );
    expect(answers).toEqual({
      debtorIban: { values: [ivansAccount] },
      creditorName: { values: ['Мария Георгиева'] },
      creditorAccount: { values: ['BG80BNBG96611020345678'] },
      remittance: { values: ['Фактура 1'] },
      endToEndId: { values: ['INV-1'] },
      psuId: { values: ['ivan'] },
    });
  });

  it('has no value if the TPP gave none, and several if several PSUs signed', async () => {
    const { endToEndIdentification: _, ...without } = body();
    const { paymentId } = await world.initiate({ body: without });
    expect(await reveal(paymentId, 'endToEndId')).toEqual({ values: [] });
    const shared = await world.initiateForSeveral();
    await world.identified(shared, 'elena');
    await world.identified(shared, 'georgi');
    expect(await reveal(shared.paymentId, 'psuId')).toEqual({ values: ['elena', 'georgi'] });
  });

  it('of a bulk payment is that of one entry', async () => {
    const payment = bulkPayment(['1.00', '2.00']);
    const { payments } = payment.body as { payments: Record<string, unknown>[] };
    Object.assign(payments[1] ?? {}, { creditorName: 'ТЕЦ София' });
    const { paymentId } = await world.initiateAny(payment);
    expect(await reveal(paymentId, 'creditorName')).toEqual({ values: ['Мария Георгиева'] });
    expect(await reveal(paymentId, 'creditorName', 2)).toEqual({ values: ['ТЕЦ София'] });
    for (const entry of [0, 3, 1.5])
      expect(await catchFailure(reveal(paymentId, 'creditorName', entry))).toBe('fieldMalformed');
  });

  it('is unknown for another id, and erased after an erasure', async () => {
    const { paymentId } = await world.signed();
    expect(await reveal(newId(), 'psuId')).toEqual({ missing: 'unknown' });
    await world.record({ paymentId, step: 'funds-refused', reason: 'insufficient-funds' });
    const url = new URL(world.ownerUrl);
    url.searchParams.set('options', '-c search_path=payments');
    const owner = createPool({ url: url.href, name: 'owner', max: 2, byKey: true });
    await eraseStreams(owner, [paymentId], {
      resource: resources.payments,
      nowMs: world.payments.clock.nowMs(),
      retainedYears: 5,
      timeZone: 'Europe/Sofia',
      despiteRetention: true,
    });
    await owner.end();
    expect(await reveal(paymentId, 'psuId')).toEqual({ missing: 'erased' });
  });

  it('is refused if it is not on the list', async () => {
    const { paymentId } = await world.initiate();
    for (const field of ['body', 'redirectUris', 'product', 'toString', 'accounts', undefined])
      expect(await catchFailure(reveal(paymentId, field as PaymentReveal))).toBe('fieldMalformed');
    expect(await catchFailure(reveal('x', 'psuId'))).toBe('fieldMalformed');
  });
});
