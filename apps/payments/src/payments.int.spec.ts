import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { jetstream } from '@nats-io/jetstream';
import * as contract from '@xs2a/contracts/payments.contract';
import { type PublishedEvent, subjectOfEvent } from '@xs2a/events/published-event';
import type { Call } from '@xs2a/contracts/call';
import { CallFailed } from '@xs2a/domain/failure/failed';
import { until } from '@xs2a/nats/testing/until';
import { newId } from '@xs2a/runtime/ids';
import {
  body,
  ivansAccount,
  savings,
  startPaymentsWorld,
  type PaymentsWorld,
  catchFailure,
} from './testing/payments-world.js';

let world: PaymentsWorld;
beforeAll(async () => {
  world = await startPaymentsWorld();
}, 60_000);
afterAll(async () => world.stop());

const idempotencyKey = (key: string, hash = 'h') => ({
  path: 'POST /payments/domestic-credit-transfer-BGN',
  key,
  hash,
});
const held = (paymentId: string): contract.SettlementRecord => ({
  paymentId,
  step: 'settlement-started',
  holdId: 'hold-1',
  transactionId: 'tx-1',
});

describe('initiation (spec 3.1, contract 8)', () => {
  it('stores a payment as RCVD and returns it as submitted', async () => {
    const ref = await world.initiate();
    expect(await world.ask(contract.readPayment, ref)).toEqual({
      body: body(),
      transactionStatus: 'RCVD',
      paymentType: 'DOMESTIC',
    });
    expect(await world.ask(contract.readPaymentStatus, ref)).toEqual({ transactionStatus: 'RCVD' });
    expect(await world.ask(contract.paymentAuthorisation.list, ref)).toEqual({
      authorisations: [{ authorisationId: ref.authorisationId, scaStatus: 'received' }],
    });
  });

  it('reports all violations in the body, and stores nothing', async () => {
    const refused = world.initiate({
      body: body({ creditorName: undefined, serviceLevel: 'XXXX', extra: 1 }),
      tppId: 'form',
    });
    await expect(refused).rejects.toMatchObject({
      failures: [
        { failure: 'fieldMissing', path: 'creditorName' },
        { failure: 'fieldMalformed', path: 'serviceLevel' },
        { failure: 'fieldUnknown', path: 'extra' },
      ],
    });
    expect(await world.sql("SELECT 1 FROM payments.payment_view WHERE tpp_id = 'form'")).toEqual([]);
  });

  it('returns the same error for every debtor account that cannot be debited', async () => {
    const unknown = 'BG88XSBK92001000000031';
    const refusals = await Promise.all(
      [savings, unknown].map(async (iban) =>
        world
          .initiate({ body: body({ debtorAccount: { iban } }) })
          .catch((error: unknown) => (error as CallFailed).failures),
      ),
    );
    expect(refusals).toEqual(
      Array.from({ length: 2 }, () => [{ failure: 'debtorAccountUnusable', path: 'debtorAccount' }]),
    );
  });
});

describe('idempotency (contract 2)', () => {
  it('creates one payment for 20 parallel requests to two instances', async () => {
    const key = newId();
    const answers = await Promise.all(
      Array.from({ length: 20 }, async () =>
        world.initiate({ idempotencyKey: idempotencyKey(key), tppId: 'twenty' }),
      ),
    );
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(
      await world.sql("SELECT count(*)::int AS n FROM payments.payment_view WHERE tpp_id = 'twenty'"),
    ).toEqual([{ n: 1 }]);
  });

  it('replays the answer without validating the body again, and rejects the key with another body', async () => {
    const key = newId();
    const first = await world.initiate({ idempotencyKey: idempotencyKey(key) });
    expect(await world.initiate({ idempotencyKey: idempotencyKey(key), body: { wrong: true } })).toEqual(
      first,
    );
    expect(
      await catchFailure(
        world.initiate({ idempotencyKey: idempotencyKey(key, 'other'), body: { wrong: true } }),
      ),
    ).toBe('idempotencyKeyReused');
    expect(await catchFailure(world.initiate({ idempotencyKey: idempotencyKey(key, 'other') }))).toBe(
      'idempotencyKeyReused',
    );
  });

  it('does not keep the key of a refused request, so the request may be corrected and sent again', async () => {
    const key = newId();
    expect(
      await catchFailure(world.initiate({ idempotencyKey: idempotencyKey(key, 'bad'), body: {} })),
    ).toContain('fieldMissing');
    await expect(world.initiate({ idempotencyKey: idempotencyKey(key, 'good') })).resolves.toBeDefined();
  });
});

describe('the check before the body (contract 3: headers, replay)', () => {
  const check = async (key: string, hash: string, psuCorporateId?: string) => {
    const request = { tppId: 'tpp', idempotencyKey: idempotencyKey(key, hash), psuCorporateId };
    return catchFailure(world.ask(contract.checkBeforeBody, request));
  };

  it('fails if the key was used with another body, otherwise if the corporate is unknown', async () => {
    const key = newId();
    expect(await check(key, 'h', 'nobody')).toBe('corporateIdUnknown');
    await world.initiate({ idempotencyKey: idempotencyKey(key) });
    expect(await check(key, 'other', 'nobody')).toBe('idempotencyKeyReused');
  });

  it('succeeds for a new key, which it does not claim, and for a repeat', async () => {
    const key = newId();
    expect(await check(key, 'h', 'acme')).toBe('answered');
    await world.initiate({ idempotencyKey: idempotencyKey(key, 'other') });
    expect(await check(key, 'other')).toBe('answered');
  });
});

describe('access to payments (contract 3)', () => {
  it('fails for payments of other TPPs, for unknown payments, and for payments under another product', async () => {
    const ref = await world.initiate();
    const foreign = { ...ref, tppId: 'other-tpp' };
    const calls = [
      contract.readPayment,
      contract.readPaymentStatus,
      contract.paymentAuthorisation.list,
      contract.cancelPayment,
    ];
    for (const call of calls as Call<contract.PaymentRef, unknown>[]) {
      expect(await catchFailure(world.ask(call, foreign))).toBe('resourceUnknown');
      expect(await catchFailure(world.ask(call, { ...ref, paymentId: newId() }))).toBe('resourceUnknown');
      expect(await catchFailure(world.ask(call, { ...ref, paymentId: "1' OR 1=1" }))).toBe('resourceUnknown');
      expect(await catchFailure(world.ask(call, { ...ref, product: 'SEPA-Credit-Transfer' }))).toBe(
        'productWrong',
      );
      expect(await catchFailure(world.ask(call, { ...ref, service: 'bulk-payments' }))).toBe('serviceWrong');
    }
    expect(await world.eventTypes(ref.paymentId)).toEqual(['initiated']);
  });

  it('needs both the payment id and the authorisation id to read an authorisation', async () => {
    const { paymentId, authorisationId } = await world.initiate({
      psuId: 'ivan',
      redirectUris: { ok: 'https://tpp.example/ok' },
    });
    expect(await world.ask(contract.paymentAuthorisation.read, { paymentId, authorisationId })).toMatchObject(
      {
        scaStatus: 'received',
        redirectUris: { ok: 'https://tpp.example/ok' },
        orders: [{ debtorIban: ivansAccount, amount: { minor: 1250, currency: 'BGN' } }],
      },
    );
    const wrong = { paymentId, authorisationId: newId() };
    expect(await catchFailure(world.ask(contract.paymentAuthorisation.read, wrong))).toBe('resourceUnknown');
    expect(
      await catchFailure(world.ask(contract.paymentAuthorisation.identify, { ...wrong, psuId: 'ivan' })),
    ).toBe('resourceUnknown');
  });
});

describe('authorisation by the PSU (spec 3.4)', () => {
  it('accepts the owner, who signs and is then the only one to see the payment in the list', async () => {
    const { paymentId, authorisationId } = await world.initiate();
    const ref = { paymentId, authorisationId, psuId: 'ivan' };
    expect(await world.ask(contract.paymentAuthorisation.identify, ref)).toEqual({
      scaStatus: 'psuIdentified',
    });
    expect(await world.ask(contract.paymentAuthorisation.sign, ref)).toEqual({
      status: 'ACCP',
      isSigned: true,
      signaturesMissing: 0,
    });
    const { payments } = await world.ask(contract.listSignedPayments, { psuId: 'ivan' });
    expect(payments[0]).toMatchObject({
      paymentId,
      amount: { minor: 1250, currency: 'BGN' },
      transactionStatus: 'ACCP',
    });
    const ofAnother = await world.ask(contract.listSignedPayments, { psuId: 'maria' });
    expect(ofAnother.payments.map((one) => one.paymentId)).not.toContain(paymentId);
    expect(
      await catchFailure(world.ask(contract.paymentAuthorisation.reject, { ...ref, reason: 'psu-refused' })),
    ).toBe('statusForbidsAuthorisation');
  });

  it('rejects the payment if the PSU is not the owner, or if the PSU refuses', async () => {
    const [mine, other] = [await world.initiate(), await world.initiate()];
    expect(await world.ask(contract.paymentAuthorisation.identify, { ...other, psuId: 'maria' })).toEqual({
      scaStatus: 'failed',
      rejectionReason: 'not-the-account-owner',
    });
    await world.ask(contract.paymentAuthorisation.reject, { ...mine, reason: 'psu-refused' });
    expect(await world.ask(contract.readPaymentStatus, mine)).toEqual({
      transactionStatus: 'RJCT',
      rejectionReason: 'psu-refused',
    });
  });

  it('accepts only one of many concurrent signatures', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { paymentId, authorisationId } = await world.initiate();
      const ref = { paymentId, authorisationId, psuId: 'ivan' };
      await world.ask(contract.paymentAuthorisation.identify, ref);
      const outcomes = await Promise.all(
        Array.from({ length: 8 }, async () =>
          catchFailure(world.ask(contract.paymentAuthorisation.sign, ref)),
        ),
      );
      expect(outcomes.sort()).toEqual(['answered', ...Array<string>(7).fill('statusForbidsAuthorisation')]);
      expect(await world.eventTypes(paymentId)).toEqual(['initiated', 'accepted', 'signed']);
    }
  });
});

describe('settlement steps (spec 3.1; an earlier cancellation wins)', () => {
  it('are recorded once each, however often they are repeated', async () => {
    const { paymentId } = await world.signed();
    const steps: contract.SettlementRecord[] = [
      held(paymentId),
      { paymentId, step: 'settled', postingId: 'post-1' },
      { paymentId, step: 'entry-booked' },
    ];
    for (let round = 0; round < 2; round += 1) {
      const { results } = await world.ask(contract.recordSettlement, { records: steps });
      expect(results.map(({ recorded }) => recorded)).toEqual([true, true, true]);
    }
    expect(await world.eventTypes(paymentId)).toEqual([
      'initiated',
      'accepted',
      'signed',
      'settlement-started',
      'settled',
      'entry-booked',
    ]);
    const { payments } = await world.ask(contract.readSettlementStates, {
      payments: [{ paymentId }, { paymentId: newId() }],
    });
    expect(payments).toMatchObject([{ paymentId, ended: true, due: false }]);
  });

  it('race with a cancellation 50 times, and exactly one of the two wins each time', async () => {
    const winners = new Set<string>();
    for (let round = 0; round < 50; round += 1) {
      const ref = await world.signed();
      const cancelling = world.second.callClient.call(contract.cancelPayment, {
        ...ref,
        idempotencyKey: 'k',
      });
      const records = [held(ref.paymentId)];
      const [cancelled, { results }] = await Promise.all([
        catchFailure(cancelling),
        world.ask(contract.recordSettlement, { records }),
      ]);
      const { transactionStatus } = await world.ask(contract.readPaymentStatus, ref);
      winners.add(transactionStatus);
      expect({ cancelled, recorded: results[0]?.recorded, ended: results[0]?.ended }).toEqual(
        transactionStatus === 'CANC'
          ? { cancelled: 'answered', recorded: false, ended: true }
          : { cancelled: 'cancellationNotPossible', recorded: true, ended: false },
      );
    }
    expect([...winners].every((status) => ['CANC', 'ACSP'].includes(status))).toBe(true);
  }, 30_000);

  it('include a refusal for lack of funds, which is stored permanently and prevents cancellation', async () => {
    const ref = await world.signed();
    const refusal = {
      paymentId: ref.paymentId,
      step: 'funds-refused',
      reason: 'insufficient-funds',
    } as const;
    expect((await world.ask(contract.recordSettlement, { records: [refusal] })).results[0]?.recorded).toBe(
      true,
    );
    expect(
      (await world.ask(contract.recordSettlement, { records: [held(ref.paymentId)] })).results[0],
    ).toMatchObject({
      recorded: false,
      ended: true,
    });
    expect(await world.ask(contract.readPaymentStatus, ref)).toEqual({
      transactionStatus: 'ACCP',
      fundsAvailable: false,
    });
    expect(await catchFailure(world.ask(contract.cancelPayment, ref))).toBe('cancellationNotPossible');
  });
});

describe('cancellation (spec 3.3)', () => {
  it('repeats its answer only for the same key', async () => {
    const ref = { ...(await world.initiate()), idempotencyKey: 'k-1' };
    await world.ask(contract.cancelPayment, ref);
    await world.ask(contract.cancelPayment, ref);
    expect(await catchFailure(world.ask(contract.cancelPayment, { ...ref, idempotencyKey: 'k-2' }))).toBe(
      'cancellationNotPossible',
    );
    expect(await world.eventTypes(ref.paymentId)).toEqual(['initiated', 'cancelled']);
  });
});

describe('the payments service', () => {
  it('publishes every event, in order, under the subject of its type and the partition of its payment', async () => {
    const { paymentId } = await world.signed();
    const stream = await jetstream(world.payments.nats).streams.get('PAYMENTS');
    await until(async () => {
      const query = { last_by_subj: subjectOfEvent('payments', 'signed', paymentId) };
      expect((await stream.getMessage(query))?.json()).toMatchObject({ subject: paymentId });
    });
    const messages = await Promise.all(
      ['initiated', 'accepted', 'signed'].map(async (type) =>
        stream.getMessage({ last_by_subj: subjectOfEvent('payments', type, paymentId) }),
      ),
    );
    expect(
      messages
        .map((message) => message?.json<PublishedEvent>())
        .map((event) => [event?.subject, event?.sequence]),
    ).toEqual([1, 2, 3].map((sequence) => [paymentId, sequence]));
  });

  it('rejects payments that are not signed within 15 minutes of the POST, and no others', async () => {
    const [unsigned, signed] = [await world.initiate(), await world.signed()];
    const accepted = await world.initiate();
    await world.ask(contract.paymentAuthorisation.identify, { ...accepted, psuId: 'ivan' });
    world.payments.clock.raiseTo(14 * 60_000);
    await world.ask(contract.expireDuePayments, {});
    expect(await world.ask(contract.readPaymentStatus, unsigned)).toEqual({ transactionStatus: 'RCVD' });
    world.payments.clock.raiseTo(15 * 60_000 + 1000);
    expect(
      await catchFailure(world.ask(contract.paymentAuthorisation.sign, { ...accepted, psuId: 'ivan' })),
    ).toBe('statusForbidsAuthorisation');
    await world.ask(contract.expireDuePayments, {});
    for (const ref of [unsigned, accepted]) {
      expect(await world.ask(contract.readPaymentStatus, ref)).toEqual({
        transactionStatus: 'RJCT',
        rejectionReason: 'not-authorised-in-time',
      });
    }
    expect(await world.ask(contract.readPaymentStatus, signed)).toEqual({ transactionStatus: 'ACCP' });
  });

  it('hides the cleared payments of a TPP: cancels every payment that can be cancelled, and lets the rest continue (contract 13)', async () => {
    const moving = await world.signed();
    await world.ask(contract.recordSettlement, { records: [held(moving.paymentId)] });
    const open = await world.initiate();
    const others = await world.initiate({ tppId: 'other-tpp' });
    await world.ask(contract.clearPayments, { tppId: 'tpp' });
    for (const ref of [moving, open]) {
      expect(await catchFailure(world.ask(contract.readPaymentStatus, ref))).toBe('resourceUnknown');
    }
    expect(await world.ask(contract.readPaymentStatus, others)).toEqual({ transactionStatus: 'RCVD' });
    expect((await world.eventTypes(open.paymentId)).at(-1)).toBe('cancelled');
    expect((await world.eventTypes(moving.paymentId)).at(-1)).toBe('settlement-started');
    const settled = { paymentId: moving.paymentId, step: 'settled', postingId: 'p' } as const;
    expect((await world.ask(contract.recordSettlement, { records: [settled] })).results[0]).toMatchObject({
      recorded: true,
      ended: true,
    });
  });
});
