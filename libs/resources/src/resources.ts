import type { EventResource } from '@xs2a/contracts/event-streams';
import type { BasketEvent, BasketEventType } from '@xs2a/domain/basket/basket-events';
import { basketEventTypes, basketStateFields } from '@xs2a/domain/basket/basket-event-types';
import type { BasketState } from '@xs2a/domain/basket/basket-state';
import {
  type BasketStage,
  findBasketStatus,
  isFinalBasket,
  nextBasketStage,
} from '@xs2a/domain/basket/basket-transitions';
import { basketStateVersion, evolveBasket } from '@xs2a/domain/basket/evolve-basket';
import type { ConsentEvent } from '@xs2a/domain/consent/consent-events';
import { consentEventTypes, consentStateFields } from '@xs2a/domain/consent/consent-event-types';
import type { ConsentState, ConsentStatus } from '@xs2a/domain/consent/consent-state';
import { isFinalConsent, nextConsentStatus } from '@xs2a/domain/consent/consent-transitions';
import { consentStateVersion, evolveConsent } from '@xs2a/domain/consent/evolve-consent';
import type { CustodyResource } from '@xs2a/custody/custody-resource';
import type { EventTypes } from '@xs2a/events/event-types';
import { personsOfBasket, personsOfConsent, personsOfPayment } from '@xs2a/domain/persons';
import { mayForbidAccess } from '@xs2a/domain/consent/lost-consent-events';
import { endsTransaction, mayForbidSettlement } from '@xs2a/domain/payment/lost-payment-events';
import { evolvePayment, paymentStateVersion } from '@xs2a/domain/payment/evolve-payment';
import { paymentEventTypes, paymentStateFields } from '@xs2a/domain/payment/payment-event-types';
import type { PaymentEvent } from '@xs2a/domain/payment/payment-events';
import type { PaymentState } from '@xs2a/domain/payment/payment-state';
import {
  initiatingEventTypes,
  isFinal,
  nextPlace,
  type PaymentPlace,
  statusAt,
  type StatusFields,
} from '@xs2a/domain/payment/payment-transitions';

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

const isEndedPayment = ({
  status,
  service,
  funds_available: fundsAvailable,
}: Readonly<Record<string, unknown>>): boolean =>
  isFinal({ status, service, fundsAvailable: fundsAvailable ?? undefined } as StatusFields);

/**
 * The resources of the bank, as the engine, custody and the tools know them. A stream that has work pending at its
 * `due_at` has not ended and is not archived.
 */
export const resources: {
  readonly [Name in EventResource]: CustodyResource & { readonly name: Name };
} = {
  payments: {
    name: 'payments',
    views: [
      {
        table: 'payment_view',
        columns: ['status', 'service', 'funds_available', 'due_at'],
        isEnded: (row) => row['due_at'] === null && isEndedPayment(row),
        fields: paymentStateFields,
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
        columns: ['stage', 'due_at'],
        isEnded: (row) => row['due_at'] === null && isFinalBasket(row['stage'] as BasketStage),
        fields: basketStateFields,
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
    personalRows: [],
  },
  consents: {
    name: 'consents',
    views: [
      {
        table: 'consent_view',
        columns: ['status', 'due_at'],
        isEnded: (row) => row['due_at'] === null && isFinalConsent(row['status'] as ConsentStatus),
        related: [
          { table: 'access_window', column: 'consent_id' },
          { table: 'consent_use', column: 'consent_id' },
        ],
        fields: consentStateFields,
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
    personalRows: [{ table: 'psu_address', column: 'consent_id' }],
  },
};
