import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { consentAuthorisation } from '@xs2a/contracts/consents.contract';
import { makeProfile } from '@xs2a/domain/testing/profiles';
import { account, accountsOfCorporate, accountsOfPsu, corporates } from '../testing/accounts-double.js';
import {
  consentBody,
  corporateIban,
  catchFailure,
  iban,
  received,
  startWorld,
  readStatus,
  type World,
} from '../testing/consents-world.js';

let world: World;
beforeAll(async () => {
  world = await startWorld(1, makeProfile('sandbox', { offers: [] }));
  corporates.set('acme', 2);
  accountsOfCorporate.set(corporateIban, 'acme');
  accountsOfPsu.set('georgi', [account(iban), account(corporateIban, { corporateId: 'acme' })]);
}, 30_000);
afterAll(async () => world.stop());

const naming = (...ibans: readonly string[]) => {
  const references = ibans.map((one) => ({ iban: one }));
  return { access: { accounts: references, balances: references, transactions: references } };
};
const none = { access: { accounts: [], balances: [], transactions: [] } };

describe('without multilevel SCA, if accounts need multiple signatures (spec 1.7, contract 9)', () => {
  it.each([
    ['it alone', [corporateIban]],
    ['it and an account of the PSU', [iban, corporateIban]],
  ])(
    'given a corporate account, a consent that names %s is created for one signer, and rejected at its authorisation',
    async (_what, ibans) => {
      const consent = await received(world, { psuId: 'georgi', body: consentBody(world, naming(...ibans)) });
      await world.callClient.call(consentAuthorisation.sign, { ...consent, psuId: 'georgi' });
      expect(await readStatus(world, consent)).toBe('rejected');
    },
  );

  it('a consent for the corporate in PSU-Corporate-ID is rejected at its authorisation too', async () => {
    const consent = await received(world, {
      psuId: undefined,
      psuCorporateId: 'acme',
      body: consentBody(world, naming(corporateIban)),
    });
    await world.callClient.call(consentAuthorisation.sign, { ...consent, psuId: 'georgi' });
    expect(await readStatus(world, consent)).toBe('rejected');
  });

  it('an account that needs multiple signatures cannot be picked, but other accounts of the PSU can be', async () => {
    const consent = await received(world, { psuId: 'georgi', body: consentBody(world, none) });
    const choosing = (chosen: string) =>
      world.callClient.call(consentAuthorisation.sign, {
        ...consent,
        psuId: 'georgi',
        chosenIbans: [chosen],
      });
    expect((await catchFailure(choosing(corporateIban)))?.failure).toBe('fieldMalformed');
    expect((await choosing(iban)).status).toBe('valid');
  });
});
