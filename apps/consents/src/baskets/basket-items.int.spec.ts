import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import * as baskets from '@xs2a/contracts/baskets.contract';
import {
  expireDueConsents,
  listPsuConsents,
  readConsent,
  readConsentForAuthorization,
  terminateConsent,
  consentAuthorisation,
} from '@xs2a/contracts/consents.contract';
import { readHistories } from '@xs2a/event-store/streams/stream-histories';
import { newId } from '@xs2a/runtime/ids';
import { testMasterKeys } from '@xs2a/runtime/testing/test-master-keys';
import { account, accountsOfPsu } from '../testing/accounts-double.js';
import {
  consentBody,
  catchFailure,
  forTwo,
  iban,
  moveClock,
  received,
  secondIban,
  startWorld,
  readStatus,
  type World,
} from '../testing/consents-world.js';

const tppId = 'tpp-1';
let world: World;
beforeAll(async () => {
  world = await startWorld();
  accountsOfPsu.set('ivan', [account(iban), account(secondIban)]);
}, 60_000);
afterAll(async () => world.stop());

const group = async (basketId: string, ...consentIds: readonly string[]) =>
  world.callClient.call(baskets.groupConsents, { tppId, basketId, consentIds });
const grouped = async () => {
  const consent = await received(world, { tppId: `tpp-${newId()}` });
  const basketId = newId();
  const ref = { tppId: consent.tppId, basketId, consentIds: [consent.consentId] };
  await world.callClient.call(baskets.groupConsents, ref);
  return { ...consent, ref };
};
const signatures = (...psuIds: readonly string[]) =>
  psuIds.map((psuId) => ({ authorisationId: newId(), psuId }));
const signedAt = (): string => world.clock.now();

describe('consents as items of a signing basket (contract 10)', () => {
  it('are returned to their TPP with the data that the basket rules need', async () => {
    const own = await received(world);
    const foreign = await received(world, { tppId: 'other' });
    const consentIds = [own.consentId, foreign.consentId, 'x'];
    const { consents } = await world.callClient.call(baskets.readConsentItems, { tppId, consentIds });
    expect(consents).toEqual([
      expect.objectContaining({
        consentId: own.consentId,
        consentStatus: 'received',
        isGrouped: false,
        isGroupedOut: false,
        namedPsuId: 'ivan',
        signaturesRequired: 1,
      }),
    ]);
  });

  it('can be claimed by exactly one of twenty racing baskets; a repeat by that basket changes nothing', async () => {
    const { consentId } = await received(world);
    const ids = Array.from({ length: 20 }, () => newId());
    const outcomes = await Promise.all(ids.map(async (id) => group(id, consentId)));
    const winners = ids.filter((_id, index) => outcomes[index]?.refused === undefined);
    expect(winners).toHaveLength(1);
    expect(await group(winners[0] ?? '', consentId)).toEqual({});
    expect((await group(newId(), consentId)).refused).toEqual({ failure: 'resourceBlocked', consentId });
  });

  it.each([
    ['gave it back', true],
    ['was abandoned before it had taken it', false],
  ])('cannot be claimed by a late call for a basket that %s', async (_when, isTaken) => {
    const { consentId } = await received(world);
    const basketId = newId();
    if (isTaken) await group(basketId, consentId);
    await world.callClient.call(baskets.ungroupConsents, { tppId, basketId, consentIds: [consentId] });
    // Does what an instance of the service would do if it hung and then resumed.
    expect((await group(basketId, consentId)).refused).toEqual({ failure: 'resourceBlocked', consentId });
    expect(await group(newId(), consentId)).toEqual({});
  });

  it('can be claimed by ten baskets in succession; any further basket is refused, and nothing more is stored', async () => {
    const { consentId } = await received(world);
    const readItem = async () =>
      (await world.callClient.call(baskets.readConsentItems, { tppId, consentIds: [consentId] })).consents;
    for (let round = 1; round <= 10; round += 1) {
      expect(await readItem()).toMatchObject([{ isGroupedOut: false }]);
      const basketId = newId();
      expect(await group(basketId, consentId)).toEqual({});
      await world.callClient.call(baskets.ungroupConsents, { tppId, basketId, consentIds: [consentId] });
    }
    expect(await readItem()).toMatchObject([{ isGroupedOut: true }]);
    expect((await group(newId(), consentId)).refused).toEqual({ failure: 'itemGroupedTooOften', consentId });
    const late = { tppId, basketId: newId(), consentIds: [consentId] };
    await world.callClient.call(baskets.ungroupConsents, late);
    expect((await group(late.basketId, consentId)).refused?.failure).toBe('itemGroupedTooOften');
  });

  it('cannot be claimed if they belong to another TPP or have already been decided', async () => {
    const foreign = await received(world, { tppId: 'other' });
    expect((await group(newId(), foreign.consentId)).refused?.failure).toBe('itemUnknown');
    const ended = await received(world);
    await world.callClient.call(terminateConsent, ended);
    expect((await group(newId(), ended.consentId)).refused?.failure).toBe('itemStatusWrong');
  });

  it('cannot be authorised, deleted or expired separately until they are released', async () => {
    const { ref, ...consent } = await grouped();
    const approve = world.callClient.call(consentAuthorisation.sign, { ...consent, psuId: 'ivan' });
    expect(await catchFailure(approve)).toEqual({ failure: 'resourceBlocked' });
    expect(await catchFailure(world.callClient.call(terminateConsent, consent))).toEqual({
      failure: 'resourceBlocked',
    });
    expect((await world.callClient.call(readConsentForAuthorization, consent)).isGrouped).toBe(true);
    await world.callClient.call(baskets.ungroupConsents, { ...ref, basketId: newId() });
    expect((await world.callClient.call(readConsentForAuthorization, consent)).isGrouped).toBe(true);
    moveClock(world, 24 * 3600);
    await world.callClient.call(expireDueConsents, {});
    expect(await readStatus(world, consent)).toBe('received');
    await world.callClient.call(baskets.ungroupConsents, ref);
    await world.callClient.call(expireDueConsents, {});
    expect(await readStatus(world, consent)).toBe('rejected');
  });

  it('are authorised once, with their accounts, and end an older recurring consent of the same PSU, as outside a basket', async () => {
    const { ref, ...older } = await grouped();
    const authorise = { ...ref, signatures: signatures('ivan'), signedAt: signedAt() };
    await world.callClient.call(baskets.authoriseConsentItems, authorise);
    await world.callClient.call(baskets.authoriseConsentItems, authorise);
    expect((await world.callClient.call(readConsent, older)).access.accounts).toEqual([{ iban }]);
    expect(await readStatus(world, older)).toBe('valid');
    const newer = await received(world, { tppId: older.tppId });
    const next = { ...ref, basketId: newId(), consentIds: [newer.consentId] };
    await world.callClient.call(baskets.groupConsents, next);
    await world.callClient.call(baskets.authoriseConsentItems, {
      ...next,
      signatures: signatures('ivan'),
      signedAt: signedAt(),
    });
    expect([await readStatus(world, newer), await readStatus(world, older)]).toEqual(['valid', 'expired']);
    const { consents } = await world.callClient.call(listPsuConsents, { psuId: 'ivan' });
    expect(consents.map(({ consentId }) => consentId)).toContain(newer.consentId);
  });

  it('fail the check if the PSU does not own the account; if the PSU loses it after the check, only that consent is rejected', async () => {
    const { ref, ...consent } = await grouped();
    accountsOfPsu.set('maria', [account(secondIban)]);
    const check = async (psuId: string) =>
      world.callClient.call(baskets.checkConsentItems, { ...ref, authorisationId: newId(), psuId });
    // The TPP named ivan when it requested the consent. Comparing the signer with that name is the task of
    // the basket.
    expect(await check('maria')).toEqual({ reason: 'not-the-account-owner' });
    expect(await check('ivan')).toEqual({});
    await world.callClient.call(baskets.authoriseConsentItems, {
      ...ref,
      signatures: signatures('maria'),
      signedAt: signedAt(),
    });
    expect(await readStatus(world, consent)).toBe('rejected');
  });

  it('cover the accounts that the PSU picks for the basket', async () => {
    const picking = consentBody(world, { access: { accounts: [], balances: [], transactions: [] } });
    const consent = await received(world, { tppId: `tpp-${newId()}`, body: picking });
    const ref = { tppId: consent.tppId, basketId: newId(), consentIds: [consent.consentId] };
    await world.callClient.call(baskets.groupConsents, ref);
    const { accounts } = await world.callClient.call(baskets.listConsentItemAccounts, {
      ...ref,
      psuId: 'ivan',
    });
    expect(accounts.map((one) => one.iban)).toEqual([iban, secondIban]);
    await world.callClient.call(baskets.authoriseConsentItems, {
      ...ref,
      signatures: signatures('ivan'),
      chosenIbans: [secondIban],
      signedAt: signedAt(),
    });
    expect((await world.callClient.call(readConsent, consent)).access.accounts).toEqual([
      { iban: secondIban },
    ]);
  });

  it('require both signatures if there are two signers', async () => {
    const consent = await forTwo(world, { tppId: `tpp-${newId()}` });
    const ref = { tppId: consent.tppId, basketId: newId(), consentIds: [consent.consentId] };
    await world.callClient.call(baskets.groupConsents, ref);
    await world.callClient.call(baskets.authoriseConsentItems, {
      ...ref,
      signatures: signatures('georgi', 'elena'),
      signedAt: signedAt(),
    });
    expect(await readStatus(world, consent)).toBe('valid');
  });

  it('keep what proves each signature on the basket', async () => {
    const { ref, ...consent } = await grouped();
    const evidence = { binding: newId(), language: 'en', textsVersion: newId(), items: [newId()] };
    const [signature] = signatures('ivan');
    if (signature === undefined) throw new Error('no signature');
    await world.callClient.call(baskets.authoriseConsentItems, {
      ...ref,
      signatures: [{ ...signature, evidence }],
      signedAt: signedAt(),
    });
    const { consentId } = consent;
    const [history = []] = await readHistories(world.pool, [consentId], { masterKeys: testMasterKeys });
    const authorised = history.find(({ type }) => type === 'authorised');
    expect(authorised?.readData()).toMatchObject({ ...signature, evidence });
  });

  it('are rejected once, together with their basket', async () => {
    const { ref, ...consent } = await grouped();
    await world.callClient.call(baskets.rejectConsentItems, { ...ref, reason: 'psu-refused' });
    await world.callClient.call(baskets.rejectConsentItems, { ...ref, reason: 'psu-refused' });
    expect(await readStatus(world, consent)).toBe('rejected');
  });
});
