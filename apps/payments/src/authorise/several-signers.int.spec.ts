import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import * as contract from '@xs2a/contracts/payments.contract';
import type { AuthorisationStarted } from '@xs2a/contracts/authorisations.contract';
import type { StartAuthorisation } from '@xs2a/contracts/authorisations.contract';
import { CallFailed } from '@xs2a/domain/failure/failed';
import { newId } from '@xs2a/runtime/ids';
import {
  body,
  corporateAccount,
  ivansAccount,
  type PaymentsWorld,
  startPaymentsWorld,
  catchFailure,
} from '../testing/payments-world.js';

let world: PaymentsWorld;
beforeAll(async () => {
  world = await startPaymentsWorld();
}, 60_000);
afterAll(async () => world.stop());

const start = async (
  payment: contract.PaymentRef,
  psuId?: string,
  changes: Partial<StartAuthorisation> = {},
): Promise<AuthorisationStarted> =>
  world.ask(contract.paymentAuthorisation.start, {
    ...payment,
    idempotencyKey: { path: `POST /authorisations ${payment.paymentId}`, hash: 'h', key: newId() },
    redirectUris: {},
    psuId,
    ...changes,
  });
const readyToSign: PaymentsWorld['identified'] = async (payment, psuId) => world.identified(payment, psuId);
const readStatus = async (payment: contract.PaymentRef): Promise<string> =>
  (await world.ask(contract.readPaymentStatus, payment)).transactionStatus;

describe('starting an authorisation (contract 2, 10)', () => {
  it('happens once for twenty parallel requests with the same key, all of which receive its id', async () => {
    const payment = await world.initiateForSeveral();
    const idempotencyKey = { path: `POST /authorisations ${payment.paymentId}`, hash: 'h', key: newId() };
    const answers = await Promise.all(
      Array.from({ length: 20 }, async (_one, index) =>
        (index % 2 === 0 ? world.payments : world.second).callClient.call(
          contract.paymentAuthorisation.start,
          {
            ...payment,
            idempotencyKey,
            psuId: 'georgi',
            redirectUris: {},
          },
        ),
      ),
    );
    expect(new Set(answers.map(({ authorisationId }) => authorisationId)).size).toBe(1);
    const { authorisations } = await world.ask(contract.paymentAuthorisation.list, payment);
    expect(authorisations).toEqual([{ ...answers[0], scaStatus: 'received' }]);
    expect(
      await catchFailure(start(payment, 'elena', { idempotencyKey: { ...idempotencyKey, hash: 'other' } })),
    ).toBe('idempotencyKeyReused');
  });

  it('uses the redirect URIs of the authorisation or, if it has none, those of the payment', async () => {
    const payment = await world.initiateForSeveral();
    const { authorisationId } = await start(payment, 'georgi', {
      redirectUris: { ok: 'https://tpp/georgi' },
    });
    const { paymentId } = payment;
    expect(await world.ask(contract.paymentAuthorisation.read, { paymentId, authorisationId })).toMatchObject(
      {
        redirectUris: { ok: 'https://tpp/georgi' },
        signaturesMissing: 2,
      },
    );
  });

  it('stores the corporate that signs nowhere, because only the PSU and the addresses are encrypted', async () => {
    const payment = await world.initiateForSeveral();
    await start(payment, 'georgi', {
      psuCorporateId: 'acme',
      redirectUris: { ok: 'https://tpp/georgi' },
    });
    const [event] = await world.sql(
      "SELECT data FROM payments.events WHERE stream_id = $1 AND type = 'authorisation-started'",
      [payment.paymentId],
    );
    expect(Object.keys(event?.['data'] as object).sort()).toEqual(['authorisationId', 'personal']);
  });

  it.each([
    ['no PSU-ID', undefined, {}, 'headerMalformed'],
    ['an unknown corporate', 'georgi', { psuCorporateId: 'nobody' }, 'corporateIdUnknown'],
  ])('is refused with %s, and nothing is started', async (_what, psuId, changes, failure) => {
    const payment = await world.initiateForSeveral();
    expect(await catchFailure(start(payment, psuId, changes))).toBe(failure);
    expect((await world.ask(contract.paymentAuthorisation.list, payment)).authorisations).toEqual([]);
  });

  it('is refused for a payment of another TPP, as for an unknown one', async () => {
    const payment = await world.initiateForSeveral();
    expect(await catchFailure(start({ ...payment, tppId: 'other' }, 'georgi'))).toBe('resourceUnknown');
  });

  it('requires, even at initiation, a corporate that the bank knows and that owns the account (contract 3)', async () => {
    const initiate = (psuCorporateId: string, iban: string) =>
      catchFailure(world.initiate({ psuCorporateId, body: body({ debtorAccount: { iban } }) }));
    expect(await initiate('nobody', corporateAccount)).toBe('corporateIdUnknown');
    expect(await initiate('acme', ivansAccount)).toBe('debtorAccountUnusable');
  });
});

describe('multiple signatures of a payment (contract 10)', () => {
  it('count once per signer when two signers send twenty at once, and only one signature counts as the last', async () => {
    const payment = await world.initiateForSeveral();
    const refs = [await readyToSign(payment, 'georgi'), await readyToSign(payment, 'elena')];
    const outcomes = await Promise.all(
      Array.from({ length: 20 }, async (_one, index) => {
        const service = index % 4 < 2 ? world.payments : world.second;
        const ref = refs[index % 2];
        if (ref === undefined) throw new Error('two persons');
        return service.callClient.call(contract.paymentAuthorisation.sign, ref).then(
          ({ signaturesMissing }) => `${signaturesMissing} missing`,
          (error: unknown) => (error instanceof CallFailed ? error.failures[0]?.failure : String(error)),
        );
      }),
    );
    expect(outcomes.filter((one) => one?.endsWith('missing')).sort()).toEqual(['0 missing', '1 missing']);
    const types = await world.eventTypes(payment.paymentId);
    expect(types.slice(-2)).toEqual(['partly-signed', 'signed']);
    expect(await readStatus(payment)).toBe('ACCP');
  });

  it('put the payment on the list of each PSU who has signed, from the first signature on', async () => {
    const payment = await world.initiateForSeveral();
    const listed = async (psuId: string) =>
      (await world.ask(contract.listSignedPayments, { psuId })).payments.find(
        ({ paymentId }) => paymentId === payment.paymentId,
      );
    await world.ask(contract.paymentAuthorisation.sign, await readyToSign(payment, 'georgi'));
    expect(await listed('georgi')).toMatchObject({ transactionStatus: 'PATC' });
    expect(await listed('elena')).toBeUndefined();
    await world.ask(contract.paymentAuthorisation.sign, await readyToSign(payment, 'petar'));
    expect(await listed('georgi')).toMatchObject({ transactionStatus: 'ACCP' });
    expect(await listed('petar')).toMatchObject({ transactionStatus: 'ACCP' });
  });

  it('compete with a concurrent refusal, and only one of the two wins', async () => {
    for (let round = 0; round < 10; round += 1) {
      const payment = await world.initiateForSeveral();
      const [georgi, elena, petar] = [
        await readyToSign(payment, 'georgi'),
        await readyToSign(payment, 'elena'),
        await readyToSign(payment, 'petar'),
      ];
      await world.ask(contract.paymentAuthorisation.sign, georgi);
      const outcomes = await Promise.allSettled([
        world.payments.callClient.call(contract.paymentAuthorisation.sign, elena),
        world.second.callClient.call(contract.paymentAuthorisation.reject, {
          ...petar,
          reason: 'psu-refused',
        }),
      ]);
      const [signed, refused] = outcomes.map(({ status }) => status === 'fulfilled');
      expect(signed).not.toBe(refused);
      expect(await readStatus(payment)).toBe(signed === true ? 'ACCP' : 'RJCT');
    }
  });

  it('lead to a rejection by the background job if one is still missing after 15 minutes, even if nobody opens the pages', async () => {
    const payment = await world.initiateForSeveral();
    const georgi = await readyToSign(payment, 'georgi');
    await world.ask(contract.paymentAuthorisation.sign, georgi);
    world.payments.clock.raiseTo(world.payments.clock.offsetMs + 15 * 60 * 1000);
    await world.ask(contract.expireDuePayments, {});
    expect(await world.ask(contract.readPaymentStatus, payment)).toEqual({
      transactionStatus: 'RJCT',
      rejectionReason: 'not-authorised-in-time',
    });
    expect(await world.ask(contract.paymentAuthorisation.read, georgi)).toMatchObject({
      rejectionReason: 'not-authorised-in-time',
    });
    expect(await catchFailure(start(payment, 'elena'))).toBe('statusForbidsAuthorisation');
  });
});
