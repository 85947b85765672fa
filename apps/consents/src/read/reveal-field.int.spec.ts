import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { revealConsentField } from '@xs2a/contracts/console/reveal.contract';
import type { ConsentReveal } from '@xs2a/domain/consent/consent-reveal';
import { newId } from '@xs2a/runtime/ids';
import { catchFailure, iban, startWorld, validConsent, type World } from '../testing/consents-world.js';

let world: World;
beforeAll(async () => {
  world = await startWorld(1);
}, 60_000);
afterAll(async () => world.stop());

const reveal = async (id: string, field: ConsentReveal, entry?: number) =>
  world.callClient.call(revealConsentField, { id, field, entry });

describe('a field of a consent that the console reveals', () => {
  it('is exactly the one that is asked for', async () => {
    const { consentId, psuId } = await validConsent(world);
    expect(await reveal(consentId, 'psuId')).toEqual({ values: [psuId] });
    expect(await reveal(consentId, 'accounts')).toEqual({ values: [iban] });
    expect(await reveal(consentId, 'corporateId')).toEqual({ values: [] });
  });

  it('is unknown for another id', async () => {
    expect(await reveal(newId(), 'psuId')).toEqual({ missing: 'unknown' });
  });

  it('is refused if it is not on the list', async () => {
    const { consentId } = await validConsent(world);
    for (const field of ['redirectUris', 'validUntil', 'toString', 'creditorName', undefined])
      expect(await catchFailure(reveal(consentId, field as ConsentReveal))).toMatchObject({
        failure: 'fieldMalformed',
      });
    expect(await catchFailure(reveal(consentId, 'psuId', 2))).toMatchObject({ failure: 'fieldMalformed' });
    expect(await catchFailure(reveal('x', 'psuId'))).toMatchObject({ failure: 'fieldMalformed' });
  });
});
