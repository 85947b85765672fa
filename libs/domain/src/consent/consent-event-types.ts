import { eventType, type EventTypes, withPersonal } from '../event-types.js';
import type { PersonalMembers } from '../personal-data.js';
import { personalOfAuthorisation } from '../sca/authorisations.js';
import type { ConsentEventType } from './consent-events.js';

const ofPsu: PersonalMembers = { psuId: true };
/**
 * The personal data of a granted account: its IBAN and resource id. The access types and the currency do not
 * identify a person.
 */
const personalOfGrant: PersonalMembers = { iban: true, resourceId: true };

/** The personal data in a consent's state. */
export const personalOfConsent: PersonalMembers = {
  access: true,
  namedPsuId: true,
  psuCorporateId: true,
  corporateId: true,
  redirectUris: true,
  notification: true,
  authorisations: personalOfAuthorisation,
  accounts: personalOfGrant,
};

/** Every event type of a consent (contract 5). */
export const consentEventTypes: EventTypes<ConsentEventType> = {
  created: withPersonal(
    {
      access: true,
      psuId: true,
      psuCorporateId: true,
      corporateId: true,
      redirectUris: true,
      notification: true,
    },
    eventType('A TPP asked for access to accounts: received.'),
  ),
  'authorisation-started': withPersonal(
    { psuId: true, redirectUris: true, notification: true },
    eventType('An authorisation by another signer was started; the status is unchanged.'),
  ),
  grouped: eventType(
    'The consent was added to a signing basket and is authorised there, not on its own; the status is unchanged.',
  ),
  ungrouped: eventType(
    'The signing basket released the consent, or will never include it; the status is unchanged.',
  ),
  'partly-authorised': withPersonal(
    { psuId: true, accounts: personalOfGrant },
    eventType('A signer authorised it with SCA; others have yet to do so: partiallyAuthorised.'),
  ),
  authorised: withPersonal(
    { psuId: true, accounts: personalOfGrant },
    eventType('The PSU, or the last of several, authorised it with SCA: valid, for these accounts.'),
  ),
  rejected: withPersonal(
    ofPsu,
    eventType('The PSU refused, SCA failed, or the TPP withdrew it before authorisation: rejected, final.'),
  ),
  'terminated-by-tpp': eventType('The TPP ended a valid consent: terminatedByTpp, final.'),
  'revoked-by-psu': withPersonal(ofPsu, eventType('The PSU withdrew it at the bank: revokedByPsu, final.')),
  expired: eventType(
    'Its last day passed, its one use is over, or a newer consent replaced it: expired, final.',
  ),
  'first-used': eventType('A one-off consent was used for the first time; it ends 20 minutes later.'),
};
