import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { consentAuthorisation, terminateConsent } from '@xs2a/contracts/consents.contract';
import { readOwnConsentTimeline } from '@xs2a/contracts/sandbox/own-consents.contract';
import { account, accountsOfPsu } from '../testing/accounts-double.js';
import {
  catchFailure,
  consentBody,
  iban,
  received,
  secondIban,
  startWorld,
  validConsent,
  type World,
} from '../testing/consents-world.js';

let world: World;
beforeAll(async () => {
  world = await startWorld();
  accountsOfPsu.set('ivan', [account(iban), account(secondIban)]);
}, 30_000);
afterAll(async () => world.stop());

const timeline = async (ref: { readonly tppId: string; readonly consentId: string }) =>
  world.callClient.call(readOwnConsentTimeline, ref);
const time = expect.stringMatching(/^\d{4}-.*Z$/);

describe("the timeline of a TPP's own consent (contract 13)", () => {
  it('has its events, oldest first, with the status after each', async () => {
    const consent = await validConsent(world);
    await world.callClient.call(terminateConsent, consent);
    expect(await timeline(consent)).toEqual({
      events: [
        { time, type: 'created', status: 'received' },
        { time, type: 'authorised', status: 'valid', authorisationId: expect.any(String) },
        { time, type: 'terminated-by-tpp', status: 'terminatedByTpp' },
      ],
      leftOut: 0,
    });
  });

  it.each([
    ['an account that is not the PSU’s', { access: { balances: [{ iban: 'BG26RZBB91551023456789' }] } }],
    ['another currency than that of the account', { access: { balances: [{ iban, currency: 'USD' }] } }],
  ])('has the reason of a rejection: %s', async (_what, changes) => {
    const consent = await received(world, { body: consentBody(world, changes) });
    await world.callClient.call(consentAuthorisation.sign, { ...consent, psuId: 'ivan' });
    const { events } = await timeline(consent);
    const { authorisationId } = consent;
    const rejected = {
      type: 'rejected',
      status: 'rejected',
      reason: 'not-the-account-owner',
      authorisationId,
    };
    expect(events.at(-1)).toEqual({ time, ...rejected });
  });

  it('contains nothing of the PSU', async () => {
    const text = JSON.stringify(await timeline(await validConsent(world)));
    for (const secret of [iban, iban.slice(-4), 'ivan', '(hidden)']) expect(text).not.toContain(secret);
  });

  it('is refused to another TPP and for an unknown consent with the same failure', async () => {
    const consent = await validConsent(world);
    const { tppId } = consent;
    const unknown = '01890000-0000-7000-8000-000000000000';
    for (const ref of [
      { ...consent, tppId: 'tpp-2' },
      { tppId, consentId: unknown },
      { tppId, consentId: 'x' },
    ])
      expect(await catchFailure(timeline(ref))).toEqual({ failure: 'consentUnknown' });
  });
});
