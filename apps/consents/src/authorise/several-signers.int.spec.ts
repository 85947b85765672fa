import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  beginConsentAuthorisation,
  expireDueConsents,
  listPsuConsents,
  readConsent,
  readConsentForAuthorization,
  revokeConsent,
  consentAuthorisation,
} from '@xs2a/contracts/consents.contract';
import { newId } from '@xs2a/runtime/ids';
import { account, accountsOfPsu, corporates } from '../testing/accounts-double.js';
import {
  countCall,
  consentBody,
  corporateIban,
  catchFailure,
  forTwo,
  iban,
  moveClock,
  received,
  signers,
  started,
  startWorld,
  readStatus,
  validConsent,
  type World,
} from '../testing/consents-world.js';

let world: World;
beforeAll(async () => {
  world = await startWorld();
}, 30_000);
afterAll(async () => world.stop());

const authorise = async (signing: Awaited<ReturnType<typeof started>>, chosenIbans?: readonly string[]) =>
  world.callClient.call(consentAuthorisation.sign, {
    ...signing,
    chosenIbans,
  });
const signedByTwo = async (more: Parameters<typeof forTwo>[1] = {}) => {
  const consent = await forTwo(world, more);
  for (const psuId of ['georgi', 'elena']) await authorise(await started(world, consent, psuId));
  return consent;
};
const atCorporateAccount = { resourceId: `resource-${corporateIban}` };

describe('a consent that requires two signatures (contract 5, 10)', () => {
  it.each([
    ['because of its accounts', {}],
    ['by PSU-Corporate-ID', { psuId: undefined, psuCorporateId: 'acme' }],
  ])('%s grants access when valid, but not when partiallyAuthorised', async (_how, more) => {
    const consent = await forTwo(world, more);
    expect((await world.callClient.call(consentAuthorisation.list, consent)).authorisations).toEqual([]);
    expect(await authorise(await started(world, consent, 'georgi'))).toEqual({
      status: 'partiallyAuthorised',
      isSigned: true,
      signaturesMissing: 1,
    });
    expect((await countCall(world, consent, atCorporateAccount))?.failure).toBe('consentInvalid');
    expect(await authorise(await started(world, consent, 'elena'))).toEqual({
      status: 'valid',
      isSigned: true,
      signaturesMissing: 0,
    });
    expect(await countCall(world, consent, atCorporateAccount)).toBeUndefined();
  });

  it('counts each of two signers once when they send twenty signatures concurrently, and becomes valid once', async () => {
    const consent = await forTwo(world);
    const signings = [await started(world, consent, 'georgi'), await started(world, consent, 'elena')];
    await Promise.all(
      Array.from({ length: 20 }, async (_one, index) => {
        const signing = signings[index % 2];
        return signing && authorise(signing);
      }),
    );
    const { rows } = await world.pool.query<{ type: string }>(
      'SELECT type FROM events WHERE stream_id = $1 ORDER BY version',
      [consent.consentId],
    );
    expect(rows.map(({ type }) => type).slice(-2)).toEqual(['partly-authorised', 'authorised']);
    expect(rows).toHaveLength(5);
  });

  it('is rejected by a single refusal, even if others have already signed', async () => {
    const consent = await forTwo(world);
    await authorise(await started(world, consent, 'georgi'));
    const elena = await started(world, consent, 'elena');
    await world.callClient.call(consentAuthorisation.reject, { ...elena, reason: 'psu-refused' });
    expect(await readStatus(world, consent)).toBe('rejected');
    expect((await world.callClient.call(readConsent, consent)).access).toEqual({
      accounts: [{ iban: corporateIban }],
      balances: [{ iban: corporateIban }],
      transactions: [{ iban: corporateIban }],
    });
  });

  it('is rejected after 24 hours, even if nobody opens a link', async () => {
    const consent = await forTwo(world);
    await authorise(await started(world, consent, 'georgi'));
    const nobodyYet = await forTwo(world);
    moveClock(world, 24 * 3600);
    await world.callClient.call(expireDueConsents, {});
    for (const one of [consent, nobodyYet]) expect(await readStatus(world, one)).toBe('rejected');
  });
});

describe('starting an authorisation of a consent (contract 2, 10)', () => {
  it('happens once for twenty parallel requests with the same key', async () => {
    const consent = await forTwo(world);
    const idempotencyKey = { path: 'POST /authorisations', hash: 'h', key: newId() };
    const answers = await Promise.all(
      Array.from({ length: 20 }, async () =>
        world.callClient.call(consentAuthorisation.start, {
          ...consent,
          idempotencyKey,
          psuId: 'georgi',
          redirectUris: {},
        }),
      ),
    );
    expect(new Set(answers.map(({ authorisationId }) => authorisationId)).size).toBe(1);
    expect((await world.callClient.call(consentAuthorisation.list, consent)).authorisations).toHaveLength(1);
  });

  it('through the authorization server returns the authorisation that the TPP has started, or starts exactly one if there is none', async () => {
    const consent = await forTwo(world);
    const georgi = await started(world, consent, 'georgi');
    const begin = async (psuId: string) =>
      (await world.callClient.call(beginConsentAuthorisation, { ...consent, psuId })).authorisationId;
    expect(await begin('georgi')).toBe(georgi.authorisationId);
    const ids = await Promise.all(Array.from({ length: 10 }, async () => begin('elena')));
    expect(new Set(ids).size).toBe(1);
    const { authorisations } = await world.callClient.call(readConsentForAuthorization, consent);
    expect(authorisations.map(({ namedPsuId }) => namedPsuId)).toEqual(['georgi', 'elena']);
  });
});

describe('accounts picked by signers (contract 5, 10)', () => {
  const picking = (psuCorporateId?: string) => ({
    psuId: 'georgi',
    psuCorporateId,
    body: consentBody(world, { access: { accounts: [], balances: [], transactions: [] } }),
  });

  it('are chosen by the first signer from those of the corporate, and confirmed by the second', async () => {
    const consent = await forTwo(world, picking('acme'));
    const georgi = await started(world, consent, 'georgi');
    const elena = await started(world, consent, 'elena');
    expect(await authorise(georgi, [corporateIban])).toMatchObject({ status: 'partiallyAuthorised' });
    expect(await world.callClient.call(readConsentForAuthorization, consent)).toMatchObject({
      agreedIbans: [corporateIban],
      signedBy: ['georgi'],
    });
    expect(await catchFailure(authorise(elena, [iban]))).toMatchObject({ failure: 'fieldMalformed' });
    expect(await authorise(elena)).toMatchObject({ status: 'valid' });
  });

  it('do not include accounts that need multiple signatures if there is only one signer', async () => {
    await forTwo(world);
    accountsOfPsu.set('both', [account(iban), account(corporateIban, { corporateId: 'acme' })]);
    const consent = await received(world, { ...picking(), psuId: 'both' });
    const { accounts } = await world.callClient.call(consentAuthorisation.accounts, {
      ...consent,
      psuId: 'both',
    });
    expect(accounts.map((one) => one.iban)).toEqual([iban]);
  });
});

describe('consents of a corporate (contract 5, 12)', () => {
  it('replace an older recurring consent of the same TPP even if other signers signed it, but not the personal consents of a PSU', async () => {
    const tppId = `tpp-${newId()}`;
    const own = await validConsent(world, { tppId, psuId: `own-${newId()}` });
    const older = await signedByTwo({ tppId });
    const newer = await forTwo(world, { tppId });
    await authorise(await started(world, newer, 'petar'));
    expect(await readStatus(world, older)).toBe('valid');
    await authorise(await started(world, newer, 'elena'));
    expect(await readStatus(world, newer)).toBe('valid');
    expect(await readStatus(world, older)).toBe('expired');
    expect(await readStatus(world, own)).toBe('valid');
  });

  it('can be seen and withdrawn by each signer of the corporate', async () => {
    const consent = await signedByTwo({ tppId: `tpp-${newId()}` });
    for (const psuId of signers) {
      const { consents } = await world.callClient.call(listPsuConsents, { psuId });
      expect(consents.map(({ consentId }) => consentId)).toContain(consent.consentId);
    }
    const stranger = await catchFailure(world.callClient.call(revokeConsent, { ...consent, psuId: 'ivan' }));
    expect(stranger).toEqual({ failure: 'consentUnknown' });
    await world.callClient.call(revokeConsent, { ...consent, psuId: 'petar' });
    expect(await readStatus(world, consent)).toBe('revokedByPsu');
  });

  it('are rejected if they are withdrawn before the last signature', async () => {
    const consent = await forTwo(world, { tppId: `tpp-${newId()}` });
    await authorise(await started(world, consent, 'georgi'));
    await world.callClient.call(revokeConsent, { ...consent, psuId: 'georgi' });
    expect(await readStatus(world, consent)).toBe('rejected');
  });

  it.each([
    ['that is not known', 'nobody', { failure: 'corporateIdUnknown' }],
    ['of somebody else', 'other', { failure: 'headerMalformed', path: 'PSU-Corporate-ID' }],
    ['whose accounts these are', 'acme', undefined],
  ])(
    'are checked against PSU-Corporate-ID when an authorisation is started: a corporate %s',
    async (_which, psuCorporateId, failure) => {
      corporates.set('other', 1);
      const consent = await forTwo(world);
      const start = world.callClient.call(consentAuthorisation.start, {
        ...consent,
        idempotencyKey: { path: 'POST /authorisations', hash: 'h' },
        psuId: 'georgi',
        psuCorporateId,
        redirectUris: {},
      });
      const refused = await catchFailure(start);
      if (failure === undefined) expect(refused).toBeUndefined();
      else expect(refused).toMatchObject(failure);
    },
  );
});
