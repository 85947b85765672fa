import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { groupConsents } from '@xs2a/contracts/baskets.contract';
import {
  consentAuthorisation,
  endConsentByBank,
  revokeConsent,
  terminateConsent,
} from '@xs2a/contracts/consents.contract';
import { readConsentTimeline } from '@xs2a/contracts/timeline.contract';
import { newId } from '@xs2a/runtime/ids';
import { account, accountsOfPsu } from '../testing/accounts-double.js';
import {
  catchFailure,
  countCall,
  iban,
  readStatus,
  received,
  startWorld,
  validConsent,
  type World,
} from '../testing/consents-world.js';

let world: World;
beforeAll(async () => {
  world = await startWorld();
  accountsOfPsu.set('ivan', [account(iban)]);
}, 60_000);
afterAll(async () => world.stop());

const end = async (consentId: string) => world.callClient.call(endConsentByBank, { consentId });
const events = async (id: string) =>
  (await world.callClient.call(readConsentTimeline, { id })).timeline?.events ?? [];
const finals = new Set(['expired', 'rejected', 'revoked-by-psu', 'terminated-by-tpp']);
const ends = async (id: string): Promise<string[]> =>
  (await events(id)).map(({ type }) => type).filter((type) => finals.has(type));

describe('the end of a consent by the bank (contract 5)', () => {
  it('expires a valid consent at once, for every instance, and changes nothing when repeated', async () => {
    const consent = await validConsent(world);
    expect(await countCall(world, consent)).toBeUndefined();
    expect(await end(consent.consentId)).toEqual({ consentStatus: 'expired', ended: true });
    expect(await countCall(world, consent)).toMatchObject({ failure: 'consentExpired' });
    expect(await end(consent.consentId)).toEqual({ consentStatus: 'expired', ended: false });
    expect((await events(consent.consentId)).at(-1)).toMatchObject({
      type: 'expired',
      actor: 'operator',
      data: { reason: 'ended-by-bank' },
    });
  });

  it('rejects a consent that awaits a signature', async () => {
    const { consentId, authorisationId, tppId } = await received(world);
    expect(await end(consentId)).toEqual({ consentStatus: 'rejected', ended: true });
    const late = world.callClient.call(consentAuthorisation.sign, {
      consentId,
      authorisationId,
      psuId: 'ivan',
    });
    expect(await catchFailure(late)).toBeDefined();
    expect(await readStatus(world, { tppId, consentId })).toBe('rejected');
  });

  it('has one winner if two operators, the TPP and the PSU end a consent at the same time', async () => {
    for (let round = 0; round < 10; round += 1) {
      const { consentId, tppId, psuId } = await validConsent(world);
      const [one, other] = await Promise.all([
        end(consentId),
        end(consentId),
        world.callClient.call(terminateConsent, { tppId, consentId }),
        world.callClient.call(revokeConsent, { psuId, consentId }),
      ]);
      const winners = await ends(consentId);
      expect(winners).toHaveLength(1);
      const isOurs = winners[0] === 'expired';
      expect([one.ended, other.ended].filter(Boolean)).toHaveLength(isOurs ? 1 : 0);
      expect(one.consentStatus).toBe(other.consentStatus);
    }
  });

  it('has one winner against the signature of the PSU, and no access is left', async () => {
    for (let round = 0; round < 10; round += 1) {
      const { consentId, authorisationId, tppId } = await received(world);
      const signing = world.callClient.call(consentAuthorisation.sign, {
        consentId,
        authorisationId,
        psuId: 'ivan',
      });
      const [ended] = await Promise.all([end(consentId), catchFailure(signing)]);
      expect(ended.ended).toBe(true);
      expect(await ends(consentId)).toHaveLength(1);
      expect(await readStatus(world, { tppId, consentId })).toBe(ended.consentStatus);
    }
  });

  it('is refused for a consent in an undecided basket, an unknown one, and an id that is none', async () => {
    const { consentId, tppId } = await received(world);
    const ref = { tppId, basketId: newId(), consentIds: [consentId] };
    await world.callClient.call(groupConsents, ref);
    for (const [id, failure] of [
      [consentId, 'resourceBlocked'],
      [newId(), 'consentUnknown'],
      ['x', 'consentUnknown'],
    ] as const)
      expect(await catchFailure(end(id))).toMatchObject({ failure });
    expect(await ends(consentId)).toEqual([]);
  });
});
