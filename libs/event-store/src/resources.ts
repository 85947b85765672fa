import type { EventResource } from '@xs2a/contracts/published-event';
import type { ConsentEvent } from '@xs2a/domain/consent/consent-events';
import { consentEventTypes } from '@xs2a/domain/consent/consent-event-types';
import type { ConsentState, ConsentStatus } from '@xs2a/domain/consent/consent-state';
import { nextConsentStatus } from '@xs2a/domain/consent/consent-transitions';
import { evolveConsent } from '@xs2a/domain/consent/evolve-consent';
import type { EventTypes } from '@xs2a/domain/event-types';
import { evolvePayment } from '@xs2a/domain/payment/evolve-payment';
import { paymentEventTypes } from '@xs2a/domain/payment/payment-event-types';
import type { PaymentEvent } from '@xs2a/domain/payment/payment-events';
import type { PaymentState } from '@xs2a/domain/payment/payment-state';
import { nextPlace, type PaymentPlace, statusAt } from '@xs2a/domain/payment/payment-transitions';
import type { Folding } from './inline-view-rebuild.js';
import type { DomainEvent } from './prepare-append.js';

/** A resource as checks and tools need it, without its service. */
export interface KnownResource {
  /** The table of its status view. */
  readonly view: string;
  readonly types: EventTypes;
  /** How its states are folded, without the columns of its status view. `timeZone` is the bank's. */
  folding(timeZone: string): Folding<DomainEvent, unknown>['folding'];
  /**
   * The status of a stream after each of its events, given their types; undefined from the first one that its lifecycle has no
   * transition for.
   */
  statusesAfter(types: readonly string[]): readonly (string | undefined)[];
}

const isOneOf = <Name extends string>(names: readonly Name[], name: string): name is Name =>
  names.some((one) => one === name);
const typesOf = <Type extends string>(types: EventTypes<Type>): Type[] => Object.keys(types) as Type[];

/** The statuses after each event of a stream, found by going from place to place in its lifecycle. */
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

const nextPaymentPlace = (place: PaymentPlace | undefined, type: string): PaymentPlace | undefined =>
  isOneOf(typesOf(paymentEventTypes), type) ? nextPlace(place, type) : undefined;
/** A payment's place is finer than its status: ACCP may be for good. */
const paymentStatus = (place: PaymentPlace): string =>
  `${statusAt(place)}${place.stage === 'unfunded' ? ' (no funds)' : ''}`;
const nextStatusOfConsent = (status: ConsentStatus | undefined, type: string): ConsentStatus | undefined =>
  isOneOf(typesOf(consentEventTypes), type) ? nextConsentStatus(status, type) : undefined;

export const resources: Readonly<Record<EventResource, KnownResource>> = {
  payments: {
    view: 'payment_view',
    types: paymentEventTypes,
    folding: () => ({
      evolve: (state, event) => evolvePayment(state as PaymentState | undefined, event as PaymentEvent),
      view: { table: 'payment_view', columns: {}, row: () => ({}) },
      eventTypes: paymentEventTypes,
    }),
    statusesAfter: (types) => statusesAfter(types, nextPaymentPlace, paymentStatus),
  },
  consents: {
    view: 'consent_view',
    types: consentEventTypes,
    folding: (timeZone) => ({
      evolve: (state, event, at) =>
        evolveConsent(state as ConsentState | undefined, event as ConsentEvent, at, timeZone),
      view: { table: 'consent_view', columns: {}, row: () => ({}) },
      eventTypes: consentEventTypes,
    }),
    statusesAfter: (types) => statusesAfter(types, nextStatusOfConsent, (status) => status),
  },
};
