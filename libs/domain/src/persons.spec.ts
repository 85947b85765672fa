import { describe, expect, it } from '@jest/globals';
import type { BasketState } from './basket/basket-state.js';
import type { ConsentState } from './consent/consent-state.js';
import type { PaymentState } from './payment/payment-state.js';
import { personsOfBasket, personsOfConsent, personsOfPayment } from './persons.js';

const authorisations = [
  { authorisationId: 'a', scaStatus: 'finalised', psuId: 'maria' },
  { authorisationId: 'b', scaStatus: 'failed', namedPsuId: 'ivan' },
];

describe('the data subjects of a resource (docs/how-to/erasure.md)', () => {
  it('include, for a payment, the debtor and every PSU who signed or has to sign, but never the creditor', () => {
    const order = { debtorIban: 'BG1', creditorAccount: 'BG9', creditorName: 'Ana' };
    const state = { namedPsuId: 'maria', authorisations, order } as unknown as PaymentState;
    expect(personsOfPayment(state)).toEqual({
      psuIds: ['maria', 'ivan'],
      signers: ['maria'],
      ibans: ['BG1'],
    });
    const bulk = { service: 'bulk-payments', authorisations: [], orders: [order, order] };
    expect(personsOfPayment(bulk as unknown as PaymentState)).toEqual({
      psuIds: [],
      signers: [],
      ibans: ['BG1'],
    });
  });

  it('include, for a consent, the requested and granted accounts', () => {
    const state = { authorisations, access: { balances: [{ iban: 'BG1' }] }, accounts: [{ iban: 'BG2' }] };
    expect(personsOfConsent(state as unknown as ConsentState)).toEqual({
      psuIds: ['maria', 'ivan'],
      signers: ['maria'],
      ibans: ['BG1', 'BG2'],
    });
  });

  it('include, for a basket, its signers and the accounts that they chose', () => {
    const state = { authorisations, chosenIbans: ['BG3'] } as unknown as BasketState;
    expect(personsOfBasket(state)).toEqual({
      psuIds: ['maria', 'ivan'],
      signers: ['maria'],
      ibans: ['BG3'],
    });
    expect(personsOfBasket({ authorisations: [] } as unknown as BasketState)).toEqual({
      psuIds: [],
      signers: [],
      ibans: [],
    });
  });

  it.each([
    ['who signed', 1, 'finalised', undefined, true],
    ['whom the bank identified as a signer', 1, 'psuIdentified', undefined, true],
    ['who refused what they could have signed', 1, 'failed', 'psu-refused', true],
    ['who opened the link of another person’s account', 1, 'failed', 'not-the-account-owner', false],
    ['who was not the one named', 1, 'failed', 'not-the-named-psu', false],
    ['who refused where several sign', 2, 'failed', undefined, true],
  ])('correctly include or exclude a PSU %s', (_, signaturesRequired, scaStatus, rejectionReason, counts) => {
    const state = {
      signaturesRequired,
      rejectionReason,
      namedPsuId: 'ivan',
      authorisations: [{ authorisationId: 'a', scaStatus, psuId: 'maria', namedPsuId: 'ivan' }],
    } as unknown as BasketState;
    expect(personsOfBasket(state)).toMatchObject({
      psuIds: ['ivan', 'maria'],
      signers: counts ? ['maria'] : [],
    });
  });
});
