import type { EventResource } from '@xs2a/contracts/event-streams';
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
import type { PaymentState } from '@xs2a/domain/payment/payment-state';
import {
  initiatingEventTypes,
  isFinal,
  nextPlace,
  statusAt,
  type StatusFields,
} from '@xs2a/domain/payment/payment-transitions';

/** A kind of stream, as the operator's tools name it. */
export type StreamKind = 'payment' | 'signing-basket' | 'consent';

/** One kind of stream: its event types, its lifecycle and its status view. */
interface Kind extends Pick<CustodyResource, 'types' | 'statusesAfter'> {
  readonly name: StreamKind;
  readonly view: CustodyResource['views'][number];
}

const isIn = <Type extends string>(types: EventTypes<Type>, type: string): type is Type =>
  Object.hasOwn(types, type);

/** Returns the status after each event of a stream by following the transitions of its lifecycle. */
const lifecycle =
  <Type extends string, Place>(
    types: EventTypes<Type>,
    next: (place: Place | undefined, type: Type) => Place | undefined,
    status: (place: Place) => string,
  ): CustodyResource['statusesAfter'] =>
  (events) => {
    let place: Place | undefined;
    return events.map((type, index) => {
      const canFollow = isIn(types, type) && (index === 0 || place !== undefined);
      place = canFollow ? next(place, type) : undefined;
      return place === undefined ? undefined : status(place);
    });
  };

/** Combines kinds of streams. The first event of a stream determines its kind. */
const ofKinds = (kinds: readonly Kind[]): Pick<CustodyResource, 'views' | 'types' | 'statusesAfter'> => ({
  views: kinds.map(({ view }) => view),
  types: Object.assign({}, ...kinds.map(({ types }) => types)) as EventTypes,
  statusesAfter: (events) => {
    const kind = kinds.find(({ types }) => isIn(types, events[0] ?? ''));
    return kind?.statusesAfter(events) ?? events.map(() => undefined);
  },
});

const isEndedPayment = ({
  status,
  service,
  funds_available: fundsAvailable,
}: Readonly<Record<string, unknown>>): boolean =>
  isFinal({ status, service, fundsAvailable: fundsAvailable ?? undefined } as StatusFields);

const payment: Kind = {
  name: 'payment',
  types: paymentEventTypes,
  // A payment's place is more detailed than its status, because ACCP may be final.
  statusesAfter: lifecycle(
    paymentEventTypes,
    nextPlace,
    (place) => `${statusAt(place)}${place.stage === 'unfunded' ? ' (no funds)' : ''}`,
  ),
  view: {
    table: 'payment_view',
    columns: ['status', 'service', 'funds_available', 'due_at'],
    isEnded: (row) => row['due_at'] === null && isEndedPayment(row),
    fields: paymentStateFields,
    persons: (state) => personsOfPayment(state as PaymentState),
    folding: () => ({
      evolve: evolvePayment,
      stateVersion: paymentStateVersion,
      view: { table: 'payment_view', columns: {}, row: () => ({}) },
      beginnings: initiatingEventTypes,
      eventTypes: paymentEventTypes,
    }),
  },
};

const basket: Kind = {
  name: 'signing-basket',
  types: basketEventTypes,
  // A basket has no status before it is created.
  statusesAfter: lifecycle(basketEventTypes, nextBasketStage, (stage) => findBasketStatus(stage) ?? stage),
  view: {
    table: 'basket_view',
    columns: ['stage', 'due_at'],
    isEnded: (row) => row['due_at'] === null && isFinalBasket(row['stage'] as BasketStage),
    fields: basketStateFields,
    persons: (state) => personsOfBasket(state as BasketState),
    folding: () => ({
      evolve: evolveBasket,
      stateVersion: basketStateVersion,
      view: { table: 'basket_view', columns: {}, row: () => ({}) },
      beginnings: ['basket-opened'],
      eventTypes: basketEventTypes,
    }),
  },
};

const consent: Kind = {
  name: 'consent',
  types: consentEventTypes,
  statusesAfter: lifecycle(consentEventTypes, nextConsentStatus, (status) => status),
  view: {
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
      evolve: (state: ConsentState | undefined, event: ConsentEvent, at) =>
        evolveConsent(state, event, at, timeZone),
      stateVersion: consentStateVersion,
      view: { table: 'consent_view', columns: {}, row: () => ({}) },
      eventTypes: consentEventTypes,
    }),
  },
};

/** The kinds of streams in each schema. */
export const streamKinds: Readonly<Record<EventResource, readonly Kind[]>> = {
  payments: [payment, basket],
  consents: [consent],
};

/**
 * The resources of the bank, as the engine, custody and the tools know them. A stream that has work pending at its
 * `due_at` has not ended and is not archived.
 */
export const resources: {
  readonly [Name in EventResource]: CustodyResource & { readonly name: Name };
} = {
  payments: {
    name: 'payments',
    ...ofKinds(streamKinds.payments),
    holds: mayForbidSettlement,
    endsPart: endsTransaction,
    personalRows: [],
  },
  consents: {
    name: 'consents',
    ...ofKinds(streamKinds.consents),
    holds: mayForbidAccess,
    endsPart: () => false,
    personalRows: [{ table: 'psu_address', column: 'consent_id' }],
  },
};
