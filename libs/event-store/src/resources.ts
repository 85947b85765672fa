import type { EventResource } from '@xs2a/contracts/published-event';
import { consentEventTypes } from '@xs2a/domain/consent/consent-event-types';
import { consentLifecycle, nextConsentStatus } from '@xs2a/domain/consent/consent-transitions';
import type { EventTypes } from '@xs2a/domain/event-types';
import { paymentEventTypes } from '@xs2a/domain/payment/payment-event-types';
import { nextStage, paymentStages } from '@xs2a/domain/payment/payment-transitions';

/** What checks and tools need to know of a resource without its service. */
export interface KnownResource {
  /** The table of its status view. */
  readonly view: string;
  readonly types: EventTypes;
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
    next: (stage, type) => {
      if (!isOneOf(typesOf(paymentEventTypes), type)) return undefined;
      if (stage === undefined) return nextStage(undefined, type);
      return isOneOf(paymentStages, stage) ? nextStage(stage, type) : undefined;
    },
  },
  consents: {
    view: 'consent_view',
    types: consentEventTypes,
    next: (status, type) => {
      if (!isOneOf(typesOf(consentEventTypes), type)) return undefined;
      if (status === undefined) return nextConsentStatus(undefined, type);
      return isOneOf(consentStatuses, status) ? nextConsentStatus(status, type) : undefined;
    },
  },
};
