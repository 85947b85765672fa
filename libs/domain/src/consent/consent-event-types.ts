import { eventType, type EventTypes, withPersonal } from '../event-types.js';
import type { PersonalMembers } from '../personal-data.js';
import { personalOfAuthorisation } from '../sca/authorisations.js';
import type { ConsentEventType } from './consent-events.js';

const ofPsu: PersonalMembers = { psuId: true };
/** The personal data of the granted accounts: their IBANs. The access and currency of an account identify no person. */
const personalOfGrant: PersonalMembers = { iban: true, resourceId: true };

/** The personal data in the state of a consent. */
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
    eventType('An authorisation by a further person was started; the status stays.'),
  ),
  grouped: eventType(
    'A signing basket took the consent: it is authorised there, not alone; the status stays.',
  ),
  ungrouped: eventType('The signing basket gave the consent back, or will never take it; the status stays.'),
  'partly-authorised': withPersonal(
    { psuId: true, accounts: personalOfGrant },
    eventType('One of several persons authorised it with SCA, others are still to: partiallyAuthorised.'),
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
