import type { EventResource } from '@xs2a/contracts/published-event';
import type { BasketEvent, BasketEventType } from '@xs2a/domain/basket/basket-events';
import { basketEventTypes, personalOfBasket } from '@xs2a/domain/basket/basket-event-types';
import type { BasketState } from '@xs2a/domain/basket/basket-state';
import { type BasketStage, findBasketStatus, nextBasketStage } from '@xs2a/domain/basket/basket-transitions';
import { basketStateVersion, evolveBasket } from '@xs2a/domain/basket/evolve-basket';
import type { ConsentEvent } from '@xs2a/domain/consent/consent-events';
import { consentEventTypes, personalOfConsent } from '@xs2a/domain/consent/consent-event-types';
import type { ConsentState, ConsentStatus } from '@xs2a/domain/consent/consent-state';
import { nextConsentStatus } from '@xs2a/domain/consent/consent-transitions';
import { consentStateVersion, evolveConsent } from '@xs2a/domain/consent/evolve-consent';
import type { EventTypes } from '@xs2a/domain/event-types';
import type { PersonalMembers } from '@xs2a/domain/personal-data';
import { type Involved, personsOfBasket, personsOfConsent, personsOfPayment } from '@xs2a/domain/persons';
import { mayForbidAccess } from '@xs2a/domain/consent/lost-consent-events';
import { endsTransaction, mayForbidSettlement } from '@xs2a/domain/payment/lost-payment-events';
import { evolvePayment, paymentStateVersion } from '@xs2a/domain/payment/evolve-payment';
import { paymentEventTypes, personalOfPayment } from '@xs2a/domain/payment/payment-event-types';
import type { PaymentEvent } from '@xs2a/domain/payment/payment-events';
import type { PaymentState } from '@xs2a/domain/payment/payment-state';
import {
  initiatingEventTypes,
  nextPlace,
  type PaymentPlace,
  statusAt,
} from '@xs2a/domain/payment/payment-transitions';
import type { Folding } from './projections/inline-view-rebuild.js';
import type { DomainEvent } from './streams/prepare-append.js';

/** A status view, described so that checks and tools can use it without loading its service. */
export interface KnownView {
  readonly table: string;
  /** The members of the view's states that contain personal data. */
  readonly personal: PersonalMembers;
  /** Returns the persons to whom the payment, consent or basket in a state belongs. */
  persons(state: unknown): Involved;
  /**
   * Returns the functions that fold events into the view's states, without the columns of the view. `timeZone` is
   * the bank's time zone.
   */
  folding(timeZone: string): Folding<DomainEvent, unknown>['folding'];
}

/** A resource, described so that checks and tools can use it without loading its service. */
export interface KnownResource {
  /**
   * Each view shows the streams that begin with the view's own event types. One view is enough if all streams are
   * of the same kind.
   */
  readonly views: readonly KnownView[];
  readonly types: EventTypes;
  /**
   * Returns the status of a stream after each of its events, given the events' types. The status is undefined from
   * the first event for which the lifecycle has no transition.
   */
  statusesAfter(types: readonly string[]): readonly (string | undefined)[];
  /**
   * True if an event of this type that the database lost may have ended something that the database still
   * considers open.
   */
  holds(type: string): boolean;
  /**
   * True if an event of this type ends one occurrence or entry rather than the whole resource. Such an event is
   * meaningful only after the event before it.
   */
  endsPart(type: string): boolean;
}

const isIn = <Name extends string>(names: readonly Name[], name: string): name is Name =>
  names.some((one) => one === name);
const listTypes = <Type extends string>(types: EventTypes<Type>): Type[] => Object.keys(types) as Type[];

/** Returns the status after each event of a stream by following the transitions of its lifecycle. */
const statusesAfter = <Place>(
  types: readonly string[],
  next: (place: Place | undefined, type: string) => Place | undefined,
  status: (place: Place) => string | undefined,
): readonly (string | undefined)[] => {
  let place: Place | undefined;
  return types.map((type, index) => {
    place = index > 0 && place === undefined ? undefined : next(place, type);
    return place === undefined ? undefined : status(place);
  });
};

/** The place of a payments stream in its lifecycle, which is the lifecycle of either a payment or a basket. */
type Place = PaymentPlace | { readonly basket: BasketStage };
const nextPaymentPlace = (place: Place | undefined, type: string): Place | undefined => {
  if (isIn<BasketEventType>(listTypes(basketEventTypes), type)) {
    if (place !== undefined && !('basket' in place)) return undefined;
    const basket = nextBasketStage(place?.basket, type);
    return basket === undefined ? undefined : { basket };
  }
  if (place !== undefined && 'basket' in place) return undefined;
  return isIn(listTypes(paymentEventTypes), type) ? nextPlace(place, type) : undefined;
};
/**
 * A payment's place is more detailed than its status, because ACCP may be final. A basket has no status before it
 * is created.
 */
const paymentStatus = (place: Place): string =>
  'basket' in place
    ? (findBasketStatus(place.basket) ?? place.basket)
    : `${statusAt(place)}${place.stage === 'unfunded' ? ' (no funds)' : ''}`;
const nextStatusOfConsent = (status: ConsentStatus | undefined, type: string): ConsentStatus | undefined =>
  isIn(listTypes(consentEventTypes), type) ? nextConsentStatus(status, type) : undefined;

export const resources: Readonly<Record<EventResource, KnownResource>> = {
  payments: {
    views: [
      {
        table: 'payment_view',
        personal: personalOfPayment,
        persons: (state) => personsOfPayment(state as PaymentState),
        folding: () => ({
          evolve: (state, event) => evolvePayment(state as PaymentState | undefined, event as PaymentEvent),
          stateVersion: paymentStateVersion,
          view: { table: 'payment_view', columns: {}, row: () => ({}) },
          beginnings: initiatingEventTypes,
          eventTypes: paymentEventTypes,
        }),
      },
      {
        table: 'basket_view',
        personal: personalOfBasket,
        persons: (state) => personsOfBasket(state as BasketState),
        folding: () => ({
          evolve: (state, event, at) =>
            evolveBasket(state as BasketState | undefined, event as BasketEvent, at),
          stateVersion: basketStateVersion,
          view: { table: 'basket_view', columns: {}, row: () => ({}) },
          beginnings: ['basket-opened'],
          eventTypes: basketEventTypes,
        }),
      },
    ],
    types: { ...paymentEventTypes, ...basketEventTypes },
    statusesAfter: (types) => statusesAfter(types, nextPaymentPlace, paymentStatus),
    holds: mayForbidSettlement,
    endsPart: endsTransaction,
  },
  consents: {
    views: [
      {
        table: 'consent_view',
        personal: personalOfConsent,
        persons: (state) => personsOfConsent(state as ConsentState),
        folding: (timeZone) => ({
          evolve: (state, event, at) =>
            evolveConsent(state as ConsentState | undefined, event as ConsentEvent, at, timeZone),
          stateVersion: consentStateVersion,
          view: { table: 'consent_view', columns: {}, row: () => ({}) },
          eventTypes: consentEventTypes,
        }),
      },
    ],
    types: consentEventTypes,
    statusesAfter: (types) => statusesAfter(types, nextStatusOfConsent, (status) => status),
    holds: mayForbidAccess,
    endsPart: () => false,
  },
};
