import { describe, expect, it } from '@jest/globals';
import { anotherPerson, withoutOthers } from './without-others.js';

describe('an export of personal data', () => {
  it('does not name another signer, and omits the data that belong to that person', () => {
    const state = {
      namedPsuId: 'maria',
      authorisations: [
        { authorisationId: '1', psuId: 'maria', redirectUris: { ok: 'https://a.example' } },
        { authorisationId: '2', psuId: 'ivan', redirectUris: { ok: 'https://b.example/?for=ivan' } },
      ],
    };
    expect(withoutOthers(state, ['maria'])).toEqual({
      ...state,
      authorisations: [state.authorisations[0], { authorisationId: '2', psuId: anotherPerson }],
    });
  });

  it('keeps the creditor and the texts of payments made by the person', () => {
    const order = { debtorIban: 'BG1', creditorName: 'Ivan', remittance: 'ivan', amount: { minor: 5 } };
    expect(withoutOthers({ order, psuId: 'maria', reason: null }, ['maria'])).toEqual({
      order,
      psuId: 'maria',
      reason: null,
    });
  });
});
