import { eventTypesOf, fieldsOf } from '@xs2a/events/field-tables';
import { authorisationFields } from '../sca/authorisations.js';
import { evidenceFields } from '../sca/signature-evidence.js';
import type { BasketEvent } from './basket-events.js';
import type { BasketState } from './basket-state.js';

/** Which members of a basket's state are personal data. */
export const basketStateFields = fieldsOf<BasketState>({
  basketId: 'plain',
  tppId: 'plain',
  paymentIds: 'plain',
  consentIds: 'plain',
  namedPsuId: 'personal',
  redirectUris: 'personal',
  notification: 'personal',
  expiresAt: 'plain',
  abandonAt: 'plain',
  stage: 'plain',
  signaturesRequired: 'plain',
  authorisations: authorisationFields,
  chosenIbans: 'personal',
  updatesItemsSince: 'plain',
  refusal: { failure: 'plain', path: 'plain', text: 'plain', retryAfter: 'plain' },
  rejectionReason: 'plain',
  cancelledWithKey: 'personal',
  clockOffsetMs: 'plain',
});

const ofSigner = { authorisationId: 'plain', psuId: 'personal' } as const;
const signedFields = {
  ...ofSigner,
  signedAt: 'plain',
  evidence: evidenceFields,
  chosenIbans: 'personal',
} as const;

/** Every event type of a signing basket (contract 10). */
export const basketEventTypes = eventTypesOf<BasketEvent>({
  'basket-opened': {
    meaning:
      'A TPP asked to group payments and consents; the items are not in the basket yet, and nobody can see it.',
    fields: {
      basketId: 'plain',
      tppId: 'plain',
      paymentIds: 'plain',
      consentIds: 'plain',
      ...ofSigner,
      signaturesRequired: 'plain',
      redirectUris: 'personal',
      expiresAt: 'plain',
      abandonAt: 'plain',
      notification: 'personal',
    },
  },
  'basket-created': { meaning: 'Every item is in the basket: RCVD.', fields: {} },
  'basket-abandoned': {
    meaning: 'An item could not be added: the basket does not exist, and its items are free.',
    fields: { failure: 'plain', path: 'plain' },
  },
  'basket-authorisation-started': {
    meaning: 'A TPP started an authorisation by another signer; the status is unchanged.',
    fields: { ...ofSigner, redirectUris: 'personal', notification: 'personal' },
  },
  'basket-signer-identified': {
    meaning: 'A signer is identified and may sign every item; the status is unchanged.',
    fields: ofSigner,
  },
  'basket-partly-signed': {
    meaning: 'A signer signed; others have yet to sign: PATC.',
    fields: signedFields,
  },
  'basket-signed': {
    meaning: 'The last signer signed every item: ACTC.',
    fields: { ...signedFields, clockOffsetMs: 'plain' },
  },
  'basket-rejected': {
    meaning:
      'A PSU refused or cancelled, SCA failed, or it was not signed in time: RJCT, final; every item is rejected too.',
    fields: { ...ofSigner, reason: 'plain' },
  },
  'basket-cancelled': {
    meaning: 'The TPP deleted it before the first signature: CANC, final; its items are free.',
    fields: { tppId: 'plain', idempotencyKey: 'personal' },
  },
  'basket-items-updated': {
    meaning: 'Every item received the signatures, was rejected or was freed; the status is unchanged.',
    fields: {},
  },
  'basket-completed': { meaning: 'Every item reached its final status: ACSC, final.', fields: {} },
});
