import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  checkBeforeBody,
  createConsent,
  type CreateConsent,
  readConsent,
  consentAuthorisation,
} from '@xs2a/contracts/consents.contract';
import {
  consentBody,
  creation,
  daysAhead,
  catchFailure,
  iban,
  moveClock,
  received as receivedIn,
  startWorld,
  type World,
} from '../testing/consents-world.js';

let world: World;
beforeAll(async () => {
  world = await startWorld();
}, 30_000);
afterAll(async () => world.stop());

const received = async (more: Partial<CreateConsent> = {}) => receivedIn(world, more);

describe('POST /consents (contract 5, spec 2.1)', () => {
  it('creates a consent that shows the values in effect', async () => {
    const consent = await received({
      body: consentBody(world, { validUntil: daysAhead(world, 400), frequencyPerDay: 9 }),
    });
    expect(await world.callClient.call(readConsent, consent)).toMatchObject({
      access: { accounts: [{ iban }], balances: [{ iban }], transactions: [{ iban }] },
      consentStatus: 'received',
      validUntil: daysAhead(world, 90),
      frequencyPerDay: 4,
    });
    expect((await world.callClient.call(consentAuthorisation.list, consent)).authorisations).toEqual([
      { authorisationId: consent.authorisationId, scaStatus: 'received' },
    ]);
  });

  it('lists all violations and creates nothing', async () => {
    const body = consentBody(world, { access: {}, frequencyPerDay: 0, colour: 'red' });
    const failure = await catchFailure(
      world.callClient.call(createConsent, creation(world, { body, tppId: 'tpp-0' })),
    );
    expect(failure).toMatchObject({ failure: 'fieldMalformed', path: 'access' });
    const { rows } = await world.pool.query("SELECT FROM consent_view WHERE tpp_id = 'tpp-0'");
    expect(rows).toEqual([]);
  });

  it('requires a PSU, and rejects a corporate that the bank does not know', async () => {
    expect(
      await catchFailure(
        world.callClient.call(createConsent, creation(world, { psuId: undefined, body: {} })),
      ),
    ).toMatchObject({ failure: 'headerMalformed', path: 'PSU-ID' });
    expect(
      await catchFailure(
        world.callClient.call(createConsent, creation(world, { psuCorporateId: 'nobody', body: {} })),
      ),
    ).toEqual({ failure: 'corporateIdUnknown' });
  });
});

describe('a repeated POST (contract 2)', () => {
  const idempotencyKey = (key: string, hash: string) => ({ key, path: 'POST /consents', hash });

  it('creates one consent for twenty concurrent requests and gives the same answer to all', async () => {
    const request = creation(world, { tppId: 'tpp-twenty', idempotencyKey: idempotencyKey('k-1', 'h') });
    const answers = await Promise.all(
      Array.from({ length: 20 }, async () => world.callClient.call(createConsent, request)),
    );
    expect(new Set(answers.map(({ consentId }) => consentId)).size).toBe(1);
    const { rows } = await world.pool.query("SELECT FROM consent_view WHERE tpp_id = 'tpp-twenty'");
    expect(rows).toHaveLength(1);
  });

  it('rejects the key with another body, even a malformed one', async () => {
    await received({ idempotencyKey: idempotencyKey('k-2', 'h') });
    const reused = { failure: 'idempotencyKeyReused' };
    const other = creation(world, { idempotencyKey: idempotencyKey('k-2', 'other') });
    expect(await catchFailure(world.callClient.call(createConsent, other))).toEqual(reused);
    expect(await catchFailure(world.callClient.call(createConsent, { ...other, body: {} }))).toEqual(reused);
    expect(await catchFailure(world.callClient.call(checkBeforeBody, other))).toEqual(reused);
  });

  it('can be checked without its body, which claims no key (contract 3)', async () => {
    const request = creation(world, { idempotencyKey: idempotencyKey('k-6', 'other') });
    expect(await world.callClient.call(checkBeforeBody, request)).toEqual({});
    await received({ idempotencyKey: idempotencyKey('k-6', 'h') });
  });

  it('reports a wrong header and an unknown corporate before the key (contract 3)', async () => {
    const request = creation(world, { idempotencyKey: idempotencyKey('k-5', 'h') });
    await world.callClient.call(createConsent, request);
    for (const hash of ['h', 'other'])
      for (const [headers, failure] of [
        [{ psuId: undefined }, 'headerMalformed'],
        [{ psuCorporateId: 'nobody' }, 'corporateIdUnknown'],
      ] as const) {
        const sent = { ...request, ...headers, idempotencyKey: idempotencyKey('k-5', hash) };
        expect((await catchFailure(world.callClient.call(createConsent, sent)))?.failure).toBe(failure);
        expect((await catchFailure(world.callClient.call(checkBeforeBody, sent)))?.failure).toBe(failure);
      }
  });

  it('separates keys by TPP, does not keep the keys of refused requests, and lets keys expire after 24 hours', async () => {
    const wrong = creation(world, { idempotencyKey: idempotencyKey('k-3', 'wrong'), body: {} });
    expect((await catchFailure(world.callClient.call(createConsent, wrong)))?.failure).toBe('fieldMissing');
    const first = await received({ idempotencyKey: idempotencyKey('k-3', 'h') });
    expect((await received({ idempotencyKey: idempotencyKey('k-3', 'h') })).consentId).toBe(first.consentId);
    const elsewhere = await received({ tppId: 'tpp-2', idempotencyKey: idempotencyKey('k-3', 'h') });
    expect(elsewhere.consentId).not.toBe(first.consentId);
    moveClock(world, 24 * 3600 + 1);
    const body = consentBody(world);
    expect((await received({ body, idempotencyKey: idempotencyKey('k-3', 'h') })).consentId).not.toBe(
      first.consentId,
    );
  });

  it('returns the same answer even if the body is no longer valid because its last day has passed', async () => {
    const body = consentBody(world, { validUntil: daysAhead(world, 0) });
    const request = creation(world, { body, idempotencyKey: idempotencyKey('k-4', 'h') });
    const first = await world.callClient.call(createConsent, request);
    moveClock(world, 23 * 3600);
    expect(await world.callClient.call(createConsent, request)).toEqual(first);
  });
});
