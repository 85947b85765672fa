import { eventType, type EventTypes, type Upcast } from '../event-types.js';
import type { ConsentEventType } from './consent-events.js';

/** Access named IBANs alone before it named account references. */
const withReferences: Upcast = (data) => {
  const { access, ...others } = data as { readonly access: Readonly<Record<string, readonly string[]>> };
  const references = Object.entries(access).map(([type, ibans]) => [type, ibans.map((iban) => ({ iban }))]);
  return { ...others, access: Object.fromEntries(references) };
};

/** An address for notifications may be registered with it. Before, none was. */
const mayBeNotified: Upcast = (data) => data;

/** Every event type of a consent (contract 5). */
export const consentEventTypes: EventTypes<ConsentEventType> = {
  created: eventType(
    'A TPP asked for access to accounts: received.',
    (data) => {
      const { psuCorporateId, ...others } = data as { readonly psuCorporateId?: string };
      const corporate = psuCorporateId === undefined ? {} : { psuCorporateId, corporateId: psuCorporateId };
      return { ...others, ...corporate, signaturesRequired: 1 };
    },
    withReferences,
    mayBeNotified,
  ),
  'authorisation-started': eventType(
    'An authorisation by a further person was started; the status stays.',
    mayBeNotified,
  ),
  grouped: eventType(
    'A signing basket took the consent: it is authorised there, not alone; the status stays.',
  ),
  ungrouped: eventType('The signing basket gave the consent back; the status stays.'),
  'partly-authorised': eventType(
    'One of several persons authorised it with SCA, others are still to: partiallyAuthorised.',
  ),
  authorised: eventType(
    'The PSU, or the last of several, authorised it with SCA: valid, for these accounts.',
  ),
  rejected: eventType(
    'The PSU refused, SCA failed, or the TPP withdrew it before authorisation: rejected, final.',
    (data) => data,
  ),
  'terminated-by-tpp': eventType('The TPP ended a valid consent: terminatedByTpp, final.'),
  'revoked-by-psu': eventType('The PSU withdrew it at the bank: revokedByPsu, final.'),
  expired: eventType(
    'Its last day passed, its one use is over, or a newer consent replaced it: expired, final.',
  ),
  'first-used': eventType('A one-off consent was used for the first time; it ends 20 minutes later.'),
};
