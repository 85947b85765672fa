import { eventType, type EventTypes } from '../event-types.js';
import type { BasketEventType } from './basket-events.js';

/** Every event type of a signing basket (contract 10). */
export const basketEventTypes: EventTypes<BasketEventType> = {
  'basket-opened': eventType(
    'A TPP wants to group payments and consents; they are not taken yet, nobody sees it.',
  ),
  'basket-created': eventType('Every item is taken into the basket: RCVD.'),
  'basket-abandoned': eventType(
    'An item could not be taken: there is no such basket, and its items are free.',
  ),
  'basket-authorisation-started': eventType(
    'A TPP started an authorisation by a further person; the status stays.',
  ),
  'basket-signer-identified': eventType('A signer is identified and may sign every item; the status stays.'),
  'basket-partly-signed': eventType('One of several persons signed, others are still to: PATC.'),
  'basket-signed': eventType('The last signer signed every item: ACTC.'),
  'basket-rejected': eventType(
    'A PSU refused or cancelled, SCA failed, or it was not signed in time: RJCT, final, as is every item.',
  ),
  'basket-cancelled': eventType(
    'The TPP dissolved it before the first signature: CANC, final; its items are free.',
  ),
  'basket-items-updated': eventType(
    'Every item was given the signatures, the rejection or its freedom; the status stays.',
  ),
  'basket-completed': eventType('Every item reached its final status: ACSC, final.'),
};
