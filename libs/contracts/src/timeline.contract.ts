import type { MinorAmount } from '@xs2a/domain/payment/payment-events';
import { call } from './call.js';
import type { AisEndpoint } from './consents.contract.js';

/** An event of a payment, a signing basket or a consent, as operators see it. */
export interface TimelineEvent {
  /** Its position in the log of the resource; null while it has none yet. */
  readonly pos: number | null;
  readonly version: number;
  /** @format date-time */
  readonly at: string;
  readonly type: string;
  /** The status after the event; null if the lifecycle does not include this transition. */
  readonly status: string | null;
  readonly actor: string;
  readonly requestId: string | null;
  /** The trace id of the request that caused it: 32 hexadecimal digits. */
  readonly traceId: string | null;
  /** What operators may see of its data. */
  readonly data: Readonly<Record<string, unknown>>;
}

/** What is known of a payment apart from its events. Account numbers are reduced to their last four characters. */
export interface PaymentFacts {
  readonly kind: 'payment';
  readonly service: string;
  readonly product: string;
  /** Of a periodic order the amount of each payment, of a bulk payment the sum. */
  readonly amount: MinorAmount;
  /** Null if it is erased, or if a bulk payment has several. */
  readonly debtor: string | null;
  readonly creditor: string | null;
}
export interface BasketFacts {
  readonly kind: 'signing-basket';
  readonly paymentIds: readonly string[];
  readonly consentIds: readonly string[];
}
export interface ConsentFacts {
  readonly kind: 'consent';
  readonly recurring: boolean;
  /** @format date */
  readonly validUntil: string;
  readonly frequencyPerDay: number;
  /** What calls without the PSU are left now; absent in an answer of an earlier release. */
  readonly unattended?: readonly UnattendedCalls[];
}
/** The calls without the PSU to one endpoint, for one account, that a consent still permits (spec 8). */
export interface UnattendedCalls {
  readonly endpoint: AisEndpoint;
  /** The last four characters of its number; null for the list of accounts. */
  readonly account: string | null;
  readonly left: number;
  readonly limit: number;
  /** When one more is permitted; null if one is now, or if none ever will be. @format date-time */
  readonly nextAt: string | null;
}

/** The history of a payment, a signing basket or a consent. */
export interface Timeline<Facts = PaymentFacts | BasketFacts | ConsentFacts> {
  readonly tppId: string;
  readonly facts: Facts;
  /** The newest {@link maxTimelineEvents}, oldest first. */
  readonly events: readonly TimelineEvent[];
  /** The number of older events that are left out. */
  readonly leftOut: number;
}

/** The maximum number of events in an answer, which must fit into a message. */
export const maxTimelineEvents = 500;

/** Reads the history of a payment or a signing basket. `timeline` is absent if there is none with this id. */
export const readPaymentTimeline = call<
  { readonly id: string },
  { readonly timeline?: Timeline<PaymentFacts | BasketFacts> }
>('svc.payments.console.timeline', 'idempotent');

/** Reads the history of a consent. `timeline` is absent if there is none with this id. */
export const readConsentTimeline = call<
  { readonly id: string },
  { readonly timeline?: Timeline<ConsentFacts> }
>('svc.consents.console.timeline', 'idempotent');

/** An event in the order in which events were stored. */
export interface LoggedEvent {
  readonly pos: number;
  /** @format date-time */
  readonly at: string;
  readonly type: string;
  /** The payment, signing basket or consent. */
  readonly id: string;
  readonly actor: string;
  /** Null if the resource is no longer stored. */
  readonly tppId: string | null;
  /** The product of a payment, `signing-basket` or `consent`; null if the resource is no longer stored. */
  readonly product: string | null;
}
/** A part of a log, selected by positions, a time, type, TPP, product and status. */
export interface ReadLog {
  /** Only events after this position. */
  readonly after?: number;
  /** Only events before this position. */
  readonly before?: number;
  /** Only events that had happened by this time. @format date-time */
  readonly until?: string;
  readonly type?: string;
  readonly tppId?: string;
  /** The product of a payment, `signing-basket` or `consent`. */
  readonly product?: string;
  /** The status that a payment or consent has now. That of a signing basket, which follows its items, is not stored. */
  readonly status?: string;
  /** 1 to {@link maxTimelineEvents}. */
  readonly limit: number;
}
export interface LogPage {
  /** The newest that match, newest first. */
  readonly events: readonly LoggedEvent[];
  /** The last position of the log. */
  readonly last: number;
  /** The number of matching events beyond the limit. */
  readonly leftOut: number;
  /** The first position that was searched: one answer covers at most {@link maxSearchedPositions}. */
  readonly searchedFrom: number;
  /** Positions of that part whose events were lost when the database went back to an earlier state. */
  readonly gaps: readonly LostPositions[];
  /**
   * The latest {@link maxNewestGaps} of the whole log, by the time at which they were found; absent in an answer of an earlier
   * release. A reader that follows the log finds in them what was lost behind its position.
   */
  readonly newestGaps?: readonly LostPositions[];
}
export const maxNewestGaps = 20;
/** The positions after the first one, up to the second one. */
export interface LostPositions {
  readonly after: number;
  readonly upTo: number;
}
export const maxSearchedPositions = 10_000;

/** Reads the log of payments and signing baskets. */
export const readPaymentLog = call<ReadLog, LogPage>('svc.payments.console.log', 'idempotent');
/** Reads the log of consents. */
export const readConsentLog = call<ReadLog, LogPage>('svc.consents.console.log', 'idempotent');
