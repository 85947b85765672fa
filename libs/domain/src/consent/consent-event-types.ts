import { eventTypesOf, type FieldTable, fieldsOf } from '@xs2a/events/field-tables';
import { authorisationFields } from '../sca/authorisations.js';
import { evidenceFields } from '../sca/signature-evidence.js';
import type { ConsentEvent, GrantedAccount } from './consent-events.js';
import type { ConsentState } from './consent-state.js';

/** The access types and the currency of an account do not identify a person. */
const grantFields: FieldTable<GrantedAccount> = {
  iban: 'personal',
  resourceId: 'personal',
  currency: 'plain',
  access: 'plain',
};

/** Which members of a consent's state are personal data. */
export const consentStateFields = fieldsOf<ConsentState>({
  consentId: 'plain',
  tppId: 'plain',
  access: 'personal',
  psuPicksAccounts: 'plain',
  recurringIndicator: 'plain',
  validUntil: 'plain',
  frequencyPerDay: 'plain',
  combinedServiceIndicator: 'plain',
  namedPsuId: 'personal',
  psuCorporateId: 'personal',
  redirectUris: 'personal',
  notification: 'personal',
  expiresAt: 'plain',
  status: 'plain',
  signaturesRequired: 'plain',
  corporateId: 'personal',
  authorisations: authorisationFields,
  basketId: 'plain',
  formerBasketIds: 'plain',
  accounts: grantFields,
  oneOffEndsAt: 'plain',
  lastActionDate: 'plain',
});

const ofBasket = { basketId: 'plain' } as const;
const ofSigner = { authorisationId: 'plain', psuId: 'personal' } as const;

/** Every event type of a consent (contract 5). */
export const consentEventTypes = eventTypesOf<ConsentEvent>({
  created: {
    meaning: 'A TPP asked for access to accounts: received.',
    fields: {
      consentId: 'plain',
      tppId: 'plain',
      access: 'personal',
      psuPicksAccounts: 'plain',
      recurringIndicator: 'plain',
      validUntil: 'plain',
      frequencyPerDay: 'plain',
      combinedServiceIndicator: 'plain',
      ...ofSigner,
      psuCorporateId: 'personal',
      signaturesRequired: 'plain',
      corporateId: 'personal',
      redirectUris: 'personal',
      expiresAt: 'plain',
      notification: 'personal',
    },
  },
  'authorisation-started': {
    meaning: 'An authorisation by another signer was started; the status is unchanged.',
    fields: { ...ofSigner, redirectUris: 'personal', notification: 'personal' },
  },
  grouped: {
    meaning:
      'The consent was added to a signing basket and is authorised there, not on its own; the status is unchanged.',
    fields: ofBasket,
  },
  ungrouped: {
    meaning: 'The signing basket released the consent, or will never include it; the status is unchanged.',
    fields: ofBasket,
  },
  'partly-authorised': {
    meaning: 'A signer authorised it with SCA; others have yet to do so: partiallyAuthorised.',
    fields: { ...ofSigner, accounts: grantFields, evidence: evidenceFields },
  },
  authorised: {
    meaning: 'The PSU, or the last of several, authorised it with SCA: valid, for these accounts.',
    fields: { ...ofSigner, accounts: grantFields, evidence: evidenceFields },
  },
  rejected: {
    meaning:
      'The PSU refused, SCA failed, or the TPP or the bank ended it before authorisation: rejected, final.',
    fields: { ...ofSigner, reason: 'plain' },
  },
  'terminated-by-tpp': {
    meaning: 'The TPP ended a valid consent: terminatedByTpp, final.',
    fields: { tppId: 'plain' },
  },
  'revoked-by-psu': {
    meaning: 'The PSU withdrew it at the bank: revokedByPsu, final.',
    fields: { psuId: 'personal' },
  },
  expired: {
    meaning:
      'Its last day passed, its one use is over, a newer consent replaced it, or the bank ended it: expired, final.',
    fields: { reason: 'plain' },
  },
  'first-used': {
    meaning: 'A one-off consent was used for the first time; it ends 20 minutes later.',
    fields: { expiresAt: 'plain' },
  },
});
