import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import * as contract from '@xs2a/contracts/payments.contract';
import {
  bulkPayment,
  catchFailure,
  type PaymentsWorld,
  startPaymentsWorld,
} from '../testing/payments-world.js';

let world: PaymentsWorld;
beforeAll(async () => {
  world = await startPaymentsWorld();
}, 60_000);
afterAll(async () => world.stop());

const amounts = ['1.00', '2.00', '3.00'];
const started = (paymentId: string, number: number) =>
  ({
    ...world.part(paymentId, number),
    step: 'settlement-started',
    holdId: `h${number}`,
    transactionId: `t${number}`,
  }) as const;
const settled = (paymentId: string, number: number) =>
  ({ ...world.part(paymentId, number), step: 'settled', postingId: `p${number}` }) as const;
const refused = (paymentId: string, number: number) =>
  ({ ...world.part(paymentId, number), step: 'funds-refused', reason: 'insufficient-funds' }) as const;
const listEntries = async (ref: contract.PaymentRef) => (await world.ask(contract.readPayment, ref)).entries;
const later = (seconds: number): void => {
  for (const { clock } of [world.payments, world.second]) clock.raiseTo(clock.offsetMs + seconds * 1000);
};
const all = [1, 2, 3];

describe('bulk payments (contract 9)', () => {
  it('show the status of the bulk payment for each entry until that entry is settled', async () => {
    const ref = await world.initiate(bulkPayment(amounts));
    expect(await world.ask(contract.readPayment, ref)).toMatchObject({
      transactionStatus: 'RCVD',
      entries: all.map(() => ({ transactionStatus: 'RCVD' })),
    });
    await world.ask(contract.cancelPayment, ref);
    expect(await listEntries(ref)).toEqual(all.map(() => ({ transactionStatus: 'CANC' })));
  });

  it('make all entries due together, in order and each under its own id', async () => {
    const { paymentId } = await world.signed(bulkPayment(amounts));
    later(61);
    const { payments } = await world.ask(contract.readDuePayments, { limit: 1000 });
    const due = payments.filter(({ partOf }) => partOf?.paymentId === paymentId);
    expect(due.map(({ partOf, order }) => [partOf?.number, order.amount.minor])).toEqual([
      [1, 100],
      [2, 200],
      [3, 300],
    ]);
    expect(new Set(due.map((one) => one.paymentId)).size).toBe(3);
    expect(due.map((one) => one.paymentId)).toEqual(
      all.map((number) => world.part(paymentId, number).paymentId),
    );
    await world.record(...all.map((number) => refused(paymentId, number)));
  });

  it('record a batch of steps together: ACSP first, then ACSC when all entries are paid', async () => {
    const ref = await world.signed(bulkPayment(amounts));
    const { paymentId } = ref;
    const results = await world.record(...all.map((number) => started(paymentId, number)));
    expect(results.map(({ recorded }) => recorded)).toEqual([true, true, true]);
    expect(await world.ask(contract.readPaymentStatus, ref)).toEqual({ transactionStatus: 'ACSP' });
    await world.record(...all.map((number) => settled(paymentId, number)));
    expect(await world.ask(contract.readPaymentStatus, ref)).toEqual({
      transactionStatus: 'ACSC',
      fundsAvailable: true,
    });
    expect(await world.eventTypes(paymentId)).toEqual([
      'bulk-initiated',
      'accepted',
      'signed',
      ...all.map(() => 'transaction-started'),
      ...all.map(() => 'transaction-settled'),
      'completed',
    ]);
  });

  it('are PART when some entries are ACSC and others unfunded, and show the status of each entry', async () => {
    const ref = await world.signed(bulkPayment(amounts));
    const { paymentId } = ref;
    await world.record(
      started(paymentId, 1),
      refused(paymentId, 2),
      started(paymentId, 3),
      settled(paymentId, 1),
      settled(paymentId, 3),
    );
    expect(await world.ask(contract.readPayment, ref)).toMatchObject({
      transactionStatus: 'PART',
      entries: [
        { transactionStatus: 'ACSC', fundsAvailable: true },
        { transactionStatus: 'ACCP', fundsAvailable: false },
        { transactionStatus: 'ACSC', fundsAvailable: true },
      ],
    });
  });

  it('are ACCP with fundsAvailable=false when all entries are unfunded', async () => {
    const ref = await world.signed(bulkPayment(amounts));
    await world.record(...all.map((number) => refused(ref.paymentId, number)));
    expect(await world.ask(contract.readPaymentStatus, ref)).toEqual({
      transactionStatus: 'ACCP',
      fundsAvailable: false,
    });
    expect(await catchFailure(world.ask(contract.cancelPayment, ref))).toBe('cancellationNotPossible');
  });

  it('of 250 entries are signed once and settled in batches of 100', async () => {
    const ref = await world.signed(bulkPayment(Array.from({ length: 250 }, (_, index) => `${index + 1}.00`)));
    const numbers = Array.from({ length: 250 }, (_, index) => index + 1);
    for (const step of [started, settled])
      for (let from = 0; from < 250; from += 100)
        await world.record(...numbers.slice(from, from + 100).map((number) => step(ref.paymentId, number)));
    expect(await world.ask(contract.readPaymentStatus, ref)).toMatchObject({ transactionStatus: 'ACSC' });
  });
});

describe('cancellation of a bulk payment (contract 9)', () => {
  it('races with the first hold 50 times, and exactly one of the two wins each time', async () => {
    for (let round = 0; round < 50; round += 1) {
      const ref = await world.signed(bulkPayment(amounts));
      const [cancelled, results] = await Promise.all([
        catchFailure(world.second.callClient.call(contract.cancelPayment, ref)),
        world.record(...all.map((number) => started(ref.paymentId, number))),
      ]);
      const { transactionStatus } = await world.ask(contract.readPaymentStatus, ref);
      const recorded = results.map((result) => result.recorded);
      expect({ cancelled, recorded }).toEqual(
        transactionStatus === 'CANC'
          ? { cancelled: 'answered', recorded: [false, false, false] }
          : { cancelled: 'cancellationNotPossible', recorded: [true, true, true] },
      );
    }
  });
});
