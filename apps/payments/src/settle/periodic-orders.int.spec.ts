// Lane: long (it takes a quarter of a minute or more).
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import * as contract from '@xs2a/contracts/payments.contract';
import { addDays } from '@xs2a/domain/time/bank-calendar';
import {
  catchFailure,
  ivansAccount,
  type PaymentsWorld,
  periodicOrder,
  startPaymentsWorld,
} from '../testing/payments-world.js';

let world: PaymentsWorld;
beforeAll(async () => {
  world = await startPaymentsWorld();
}, 60_000);
afterAll(async () => world.stop());

const today = (): string => world.payments.clock.date('Europe/Sofia');
const order = (days = 3) => periodicOrder(days, today());
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
const readStatus = async (ref: contract.PaymentRef) =>
  (await world.ask(contract.readPaymentStatus, ref)).transactionStatus;

describe('periodic orders (spec 3.2, contract 9)', () => {
  it('are RCVD after initiation, and are returned as submitted', async () => {
    const ref = await world.initiate(order());
    expect(await world.ask(contract.readPayment, ref)).toMatchObject({
      body: { startDate: today(), frequency: 'Daily', numberOfPayments: 3 },
      transactionStatus: 'RCVD',
      occurrences: [],
    });
    expect(
      await world.ask(contract.paymentAuthorisation.read, {
        paymentId: ref.paymentId,
        authorisationId: ref.authorisationId,
      }),
    ).toMatchObject({
      service: 'periodic-payments',
      orders: [{ debtorIban: ivansAccount, amount: { minor: 1250, currency: 'BGN' } }],
      schedule: { startDate: today(), frequency: 'Daily', numberOfPayments: 3 },
    });
  });

  it('can be found only under their own payment service', async () => {
    const ref = await world.initiate(order());
    const asSingle = { ...ref, service: 'payments' } as const;
    expect(await catchFailure(world.ask(contract.readPayment, asSingle))).toBe('serviceWrong');
    expect(await catchFailure(world.ask(contract.cancelPayment, asSingle))).toBe('serviceWrong');
  });

  it('list past occurrences, including those that lacked funds, and the next one', async () => {
    const ref = await world.signed(order());
    const { paymentId } = ref;
    await world.record(started(paymentId, 1), settled(paymentId, 1), refused(paymentId, 2));
    const { transactionStatus, occurrences } = await world.ask(contract.readPayment, ref);
    expect(transactionStatus).toBe('ACSP');
    expect(occurrences).toEqual([
      { transactionId: 't1', executionDate: today(), transactionStatus: 'ACTC', fundsAvailable: true },
      {
        transactionId: expect.stringMatching(/^[0-9a-f]{32}$/),
        executionDate: addDays(today(), 1),
        transactionStatus: 'ACTC',
        fundsAvailable: false,
      },
      {
        transactionId: expect.stringMatching(/^[0-9a-f]{32}$/),
        executionDate: addDays(today(), 2),
        transactionStatus: 'ACTC',
      },
    ]);
  });

  it('are ACSC after the last attempted occurrence; booked occurrences are ACSC, all others CANC', async () => {
    const ref = await world.signed(order(2));
    const { paymentId } = ref;
    await world.record(started(paymentId, 1), settled(paymentId, 1), refused(paymentId, 2));
    expect(await world.ask(contract.readPayment, ref)).toMatchObject({
      transactionStatus: 'ACSC',
      occurrences: [{ transactionStatus: 'ACSC' }, { transactionStatus: 'CANC', fundsAvailable: false }],
    });
  });

  it('are listed for the PSU who signed them, with the next execution day', async () => {
    const { paymentId } = await world.signed(order());
    const { payments } = await world.ask(contract.listSignedPayments, { psuId: 'ivan' });
    expect(payments.find((one) => one.paymentId === paymentId)).toMatchObject({
      service: 'periodic-payments',
      schedule: { frequency: 'Daily' },
      nextExecutionDate: today(),
      numberOfPayments: 1,
    });
  });
});

describe('cancellation of a periodic order (contract 9)', () => {
  it('races with a running occurrence 200 times: each time, the occurrence is either booked or was never held', async () => {
    for (let round = 0; round < 200; round += 1) {
      const ref = await world.signed(order());
      const { paymentId } = ref;
      const [cancelled, [recorded]] = await Promise.all([
        catchFailure(world.second.callClient.call(contract.cancelPayment, ref)),
        world.record(started(paymentId, 1)),
      ]);
      // A running order can be cancelled too, so the cancellation always succeeds.
      expect(cancelled).toBe('answered');
      expect(await readStatus(ref)).toBe('CANC');
      const { occurrences } = await world.ask(contract.readPayment, ref);
      if (recorded?.recorded === true) {
        expect(occurrences).toMatchObject([{ transactionStatus: 'ACTC', fundsAvailable: true }]);
        expect(await world.record(settled(paymentId, 1))).toMatchObject([{ recorded: true, ended: true }]);
        expect((await world.ask(contract.readPayment, ref)).occurrences).toMatchObject([
          { transactionStatus: 'ACSC' },
        ]);
      } else {
        expect(recorded).toMatchObject({ recorded: false, ended: true });
        expect(occurrences).toMatchObject([{ transactionStatus: 'CANC' }]);
      }
    }
  });
});

describe('the list of a PSU who has signed 100 newer payments (contract 12)', () => {
  const listed = async (): Promise<string[]> =>
    (await world.ask(contract.listSignedPayments, { psuId: 'ivan' })).payments.map((one) => one.paymentId);

  it('contains each order that has not ended, once, and not the ended ones', async () => {
    const [{ paymentId: live }, { paymentId: stopped }] = [
      await world.signed(order()),
      await world.signed(order()),
    ];
    await world.ask(contract.stopOrder, { paymentId: stopped, psuId: 'ivan' });
    const newest: string[] = [];
    for (let signed = 0; signed < 100; signed += 1) newest.unshift((await world.signed()).paymentId);
    const ids = await listed();
    expect(ids.slice(0, 100)).toEqual(newest);
    expect(ids.filter((id) => id === live)).toHaveLength(1);
    expect(ids).not.toContain(stopped);
    const { paymentId: newer } = await world.signed(order());
    expect((await listed()).filter((id) => id === newer)).toHaveLength(1);
  });
});

describe('the list of a PSU with very many orders (contract 12)', () => {
  it('has pages of 250, each order is on one of them, and an answer is far smaller than a NATS message', async () => {
    const psuId = 'ivan';
    const ids: string[] = [];
    while (ids.length < 260) {
      const signed = await Promise.all(Array.from({ length: 5 }, async () => world.signed(order())));
      ids.push(...signed.map(({ paymentId }) => paymentId));
    }
    const first = await world.ask(contract.listSignedPayments, { psuId });
    expect(first).toMatchObject({ page: 0 });
    const { pages = 0 } = first;
    expect(pages).toBeGreaterThanOrEqual(2);
    const seen: string[] = [];
    for (let page = 0; page < pages; page += 1) {
      const answer = await world.ask(contract.listSignedPayments, { psuId, page });
      expect(answer).toMatchObject({ page, pages });
      expect(answer.payments.length).toBeLessThanOrEqual(250);
      expect(Buffer.byteLength(JSON.stringify(answer))).toBeLessThan(500_000);
      if (page > 0) for (const one of answer.payments) expect(one.service).toBe('periodic-payments');
      seen.push(...answer.payments.map(({ paymentId }) => paymentId));
    }
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen).toEqual(expect.arrayContaining(ids));
    const beyond = await world.ask(contract.listSignedPayments, { psuId, page: 9999 });
    expect(beyond.page).toBe(pages - 1);
    for (const page of [-1, 1.5])
      expect(await catchFailure(world.ask(contract.listSignedPayments, { psuId, page }))).toBe(
        'fieldMalformed',
      );
  }, 60_000);
});

describe('a signer who stops a periodic order (contract 12)', () => {
  const stop = async (paymentId: string, psuId = 'ivan'): Promise<unknown> =>
    catchFailure(world.ask(contract.stopOrder, { paymentId, psuId }));
  const listed = async (paymentId: string, psuId = 'ivan') =>
    (await world.ask(contract.listSignedPayments, { psuId })).payments.find(
      (one) => one.paymentId === paymentId,
    );

  it('makes it CANC; a repeat changes nothing, and no occurrence follows', async () => {
    const ref = await world.signed(order());
    const { paymentId } = ref;
    expect(await listed(paymentId)).toMatchObject({ canBeStopped: true });
    await world.record(started(paymentId, 1), settled(paymentId, 1));
    expect([await stop(paymentId), await stop(paymentId)]).toEqual(['answered', 'answered']);
    expect(await readStatus(ref)).toBe('CANC');
    const { authorisationId } = ref;
    const shown = await world.ask(contract.paymentAuthorisation.read, { paymentId, authorisationId });
    expect(shown).toMatchObject({ transactionStatus: 'CANC', isStopped: true });
    expect(await listed(paymentId)).toMatchObject({ canBeStopped: false, stoppedBy: 'psu' });
    const [late] = await world.record(started(paymentId, 2));
    expect(late).toMatchObject({ recorded: false, ended: true });
  });

  it('is refused for a PSU who has not signed it, for an unknown order and for a single payment', async () => {
    const { paymentId } = await world.signed(order());
    const { paymentId: unsigned } = await world.initiate(order());
    const { paymentId: single } = await world.signed();
    expect(await stop(paymentId, 'maria')).toBe('resourceUnknown');
    expect(await stop(unsigned)).toBe('resourceUnknown');
    expect(await stop(crypto.randomUUID())).toBe('resourceUnknown');
    expect(await stop(single)).toBe('resourceUnknown');
  });

  it('is refused once the TPP has cancelled it', async () => {
    const ref = await world.signed(order());
    await world.ask(contract.cancelPayment, ref);
    expect(await stop(ref.paymentId)).toBe('cancellationNotPossible');
    expect(await listed(ref.paymentId)).not.toHaveProperty('stoppedBy');
    expect(await world.ask(contract.paymentAuthorisation.read, ref)).toMatchObject({ isStopped: false });
  });

  it('races with a running occurrence 100 times: each time, the occurrence is either booked or was never held', async () => {
    for (let round = 0; round < 100; round += 1) {
      const ref = await world.signed(order());
      const { paymentId } = ref;
      const [stopped, [recorded]] = await Promise.all([
        catchFailure(world.second.callClient.call(contract.stopOrder, { paymentId, psuId: 'ivan' })),
        world.record(started(paymentId, 1)),
      ]);
      expect([stopped, await readStatus(ref)]).toEqual(['answered', 'CANC']);
      if (recorded?.recorded === true)
        expect(await world.record(settled(paymentId, 1))).toMatchObject([{ recorded: true, ended: true }]);
      else expect(recorded).toMatchObject({ recorded: false, ended: true });
    }
  });
});
