import { eventType, type EventTypes, sealsPersonalData, type Upcast, withPersonal } from '../event-types.js';
import type { PersonalMembers } from '../personal-data.js';
import { personalOfAuthorisation } from '../sca/authorisations.js';
import type { ConsentEventType } from './consent-events.js';

/** Access named IBANs alone before it named account references. */
const withReferences: Upcast = (data) => {
  const { access, ...others } = data as { readonly access: Readonly<Record<string, readonly string[]>> };
  const references = Object.entries(access).map(([type, ibans]) => [type, ibans.map((iban) => ({ iban }))]);
  return { ...others, access: Object.fromEntries(references) };
};

/** An address for notifications may be registered with it. Before, none was. */
const mayBeNotified: Upcast = (data) => data;

const ofPsu: PersonalMembers = { psuId: true };
/** The personal data of the accounts that were granted: their IBANs. The access and the currency of an account name no person. */
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
    eventType(
      'A TPP asked for access to accounts: received.',
      (data) => {
        const { psuCorporateId, ...others } = data as { readonly psuCorporateId?: string };
        const corporate = psuCorporateId === undefined ? {} : { psuCorporateId, corporateId: psuCorporateId };
        return { ...others, ...corporate, signaturesRequired: 1 };
      },
      withReferences,
      mayBeNotified,
      sealsPersonalData,
    ),
  ),
  'authorisation-started': withPersonal(
    { psuId: true, redirectUris: true, notification: true },
    eventType(
      'An authorisation by a further person was started; the status stays.',
      mayBeNotified,
      sealsPersonalData,
    ),
  ),
  grouped: eventType(
    'A signing basket took the consent: it is authorised there, not alone; the status stays.',
  ),
  ungrouped: eventType('The signing basket gave the consent back, or will never take it; the status stays.'),
  'partly-authorised': withPersonal(
    { psuId: true, accounts: personalOfGrant },
    eventType(
      'One of several persons authorised it with SCA, others are still to: partiallyAuthorised.',
      sealsPersonalData,
    ),
  ),
  authorised: withPersonal(
    { psuId: true, accounts: personalOfGrant },
    eventType(
      'The PSU, or the last of several, authorised it with SCA: valid, for these accounts.',
      sealsPersonalData,
    ),
  ),
  rejected: withPersonal(
    ofPsu,
    eventType(
      'The PSU refused, SCA failed, or the TPP withdrew it before authorisation: rejected, final.',
      (data) => data,
      sealsPersonalData,
    ),
  ),
  'terminated-by-tpp': eventType('The TPP ended a valid consent: terminatedByTpp, final.'),
  'revoked-by-psu': withPersonal(
    ofPsu,
    eventType('The PSU withdrew it at the bank: revokedByPsu, final.', sealsPersonalData),
  ),
  expired: eventType(
    'Its last day passed, its one use is over, or a newer consent replaced it: expired, final.',
  ),
  'first-used': eventType('A one-off consent was used for the first time; it ends 20 minutes later.'),
};
