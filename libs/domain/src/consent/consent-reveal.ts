import { revealable } from '../reveal.js';
import { consentStateFields } from './consent-event-types.js';
import { listIbans } from './consent-events.js';
import type { ConsentState } from './consent-state.js';

/** The fields of a consent that an operator may have revealed, one at a time. */
export const consentReveals = ['psuId', 'accounts', 'corporateId'] as const;
export type ConsentReveal = (typeof consentReveals)[number];

export const revealableConsentFields = revealable<ConsentState, ConsentReveal>(consentStateFields, {
  psuId: {
    members: ['namedPsuId', 'authorisations.psuId', 'authorisations.namedPsuId'],
    read: ({ namedPsuId, authorisations }) => [
      namedPsuId,
      ...authorisations.flatMap((one) => [one.psuId, one.namedPsuId]),
    ],
  },
  /** The accounts that the TPP named, and those that the PSU granted. */
  accounts: {
    members: ['access', 'accounts.iban'],
    read: ({ access, accounts }) => [...listIbans(access), ...accounts.map(({ iban }) => iban)],
  },
  corporateId: {
    members: ['corporateId', 'psuCorporateId'],
    read: ({ corporateId, psuCorporateId }) => [corporateId, psuCorporateId],
  },
});
