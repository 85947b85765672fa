import type { EventResource } from '@xs2a/contracts/published-event';
import type { ConsentEvent } from '@xs2a/domain/consent/consent-events';
import { consentEventTypes } from '@xs2a/domain/consent/consent-event-types';
import type { ConsentState } from '@xs2a/domain/consent/consent-state';
import { consentLifecycle, nextConsentStatus } from '@xs2a/domain/consent/consent-transitions';
import { evolveConsent } from '@xs2a/domain/consent/evolve-consent';
import type { EventTypes } from '@xs2a/domain/event-types';
import { evolvePayment } from '@xs2a/domain/payment/evolve-payment';
import { paymentEventTypes } from '@xs2a/domain/payment/payment-event-types';
import type { PaymentEvent } from '@xs2a/domain/payment/payment-events';
import type { PaymentState } from '@xs2a/domain/payment/payment-state';
import { nextStage, paymentStages } from '@xs2a/domain/payment/payment-transitions';
import type { Folding } from './inline-view-rebuild.js';
import type { DomainEvent } from './prepare-append.js';

/** A resource as checks and tools need it, without its service. */
export interface KnownResource {
  /** The table of its status view. */
  readonly view: string;
  readonly types: EventTypes;
  /** How its states are folded, without the columns of its status view. `timeZone` is the bank's. */
  folding(timeZone: string): Folding<DomainEvent, unknown>['folding'];
  /** Where a stream stands after an event; undefined when its lifecycle has no such transition. */
  next(stage: string | undefined, type: string): string | undefined;
}

const isOneOf = <Name extends string>(names: readonly Name[], name: string): name is Name =>
  names.some((one) => one === name);
const typesOf = <Type extends string>(types: EventTypes<Type>): Type[] => Object.keys(types) as Type[];

const consentStatuses = Object.keys(consentLifecycle) as (keyof typeof consentLifecycle)[];

export const resources: Readonly<Record<EventResource, KnownResource>> = {
  payments: {
    view: 'payment_view',
    types: paymentEventTypes,
    folding: () => ({
      evolve: (state, event) => evolvePayment(state as PaymentState | undefined, event as PaymentEvent),
      view: { table: 'payment_view', columns: {}, row: () => ({}) },
      eventTypes: paymentEventTypes,
    }),
    next: (stage, type) => {
      if (!isOneOf(typesOf(paymentEventTypes), type)) return undefined;
      if (stage === undefined) return nextStage(undefined, type);
      return isOneOf(paymentStages, stage) ? nextStage(stage, type) : undefined;
    },
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
    next: (status, type) => {
      if (!isOneOf(typesOf(consentEventTypes), type)) return undefined;
      if (status === undefined) return nextConsentStatus(undefined, type);
      return isOneOf(consentStatuses, status) ? nextConsentStatus(status, type) : undefined;
    },
  },
};
