import { eventType, type EventTypes, withPersonal } from '../event-types.js';
import type { PersonalMembers } from '../personal-data.js';
import { personalOfAuthorisation } from '../sca/authorisations.js';
import type { BasketEventType } from './basket-events.js';

const ofPsu: PersonalMembers = { psuId: true };
const ofSigner: PersonalMembers = { psuId: true, chosenIbans: true };
const ofTpp: PersonalMembers = { psuId: true, redirectUris: true, notification: true };

/** The personal data in a basket's state. */
export const personalOfBasket: PersonalMembers = {
  namedPsuId: true,
  redirectUris: true,
  notification: true,
  authorisations: personalOfAuthorisation,
  cancelledWithKey: true,
  chosenIbans: true,
};

/** Every event type of a signing basket (contract 10). */
export const basketEventTypes: EventTypes<BasketEventType> = {
  'basket-opened': withPersonal(
    ofTpp,
    eventType(
      'A TPP asked to group payments and consents; the items are not in the basket yet, and nobody can see it.',
    ),
  ),
  'basket-created': eventType('Every item is in the basket: RCVD.'),
  'basket-abandoned': eventType(
    'An item could not be added: the basket does not exist, and its items are free.',
  ),
  'basket-authorisation-started': withPersonal(
    ofTpp,
    eventType('A TPP started an authorisation by another signer; the status is unchanged.'),
  ),
  'basket-signer-identified': withPersonal(
    ofPsu,
    eventType('A signer is identified and may sign every item; the status is unchanged.'),
  ),
  'basket-partly-signed': withPersonal(
    ofSigner,
    eventType('A signer signed; others have yet to sign: PATC.'),
  ),
  'basket-signed': withPersonal(ofSigner, eventType('The last signer signed every item: ACTC.')),
  'basket-rejected': withPersonal(
    ofPsu,
    eventType(
      'A PSU refused or cancelled, SCA failed, or it was not signed in time: RJCT, final; every item is rejected too.',
    ),
  ),
  'basket-cancelled': withPersonal(
    { idempotencyKey: true },
    eventType('The TPP deleted it before the first signature: CANC, final; its items are free.'),
  ),
  'basket-items-updated': eventType(
    'Every item received the signatures, was rejected or was freed; the status is unchanged.',
  ),
  'basket-completed': eventType('Every item reached its final status: ACSC, final.'),
};
