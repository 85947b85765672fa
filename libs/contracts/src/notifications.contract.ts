import { call } from './call.js';

/** A notification as sent to a TPP by POST: JSON with exactly one of the ids and one of the statuses (contract 11). */
interface NotificationBody {
  readonly paymentId?: string;
  readonly consentId?: string;
  readonly basketId?: string;
  readonly transactionStatus?: string;
  readonly consentStatus?: string;
  readonly fundsAvailable?: boolean;
  readonly authorisationId?: string;
  readonly scaStatus?: string;
  /** The transaction id of one occurrence of a periodic order. */
  readonly transactionId?: string;
  /** The time of the change by the service's clock, which can be moved forward in the sandbox. @format date-time */
  readonly timestamp: string;
  readonly _links: Readonly<Record<string, { readonly href: string }>>;
}

/** A change to a resource of which the TPP must be notified. */
export interface DueNotification {
  /** The event's position in its service's log. It determines the order of a resource's notifications. */
  readonly pos: number;
  /** The 0-based index of the notification within its event. */
  readonly part: number;
  /**
   * Derived from the event and therefore the same on every read. Used as the X-Request-ID of all delivery
   * attempts. @format uuid
   */
  readonly notificationId: string;
  /** @format uuid */
  readonly resourceId: string;
  readonly tppId: string;
  readonly uri: string;
  readonly body: NotificationBody;
  /** The trace context of the event. */
  readonly traceparent?: string | undefined;
}

/** The log position after which to start reading; 0 means from the beginning. */
interface NotificationsAfter {
  readonly after: number;
  /** Requests notifications that were omitted before: those of one resource, up to a position. */
  readonly only?: { readonly resourceId: string; readonly upTo: number };
}

/**
 * A resource that this instance cannot read after a certain position, because its events are damaged or were
 * written by a newer release.
 */
export interface UnreadResource {
  /** @format uuid */
  readonly resourceId: string;
  readonly pos: number;
}

interface NotificationPage {
  readonly notifications: readonly DueNotification[];
  /** The position from which to read the next page. Equal to `after` if there is nothing new. */
  readonly next: number;
  /**
   * The resources omitted from the page because they cannot be read at the moment. The caller requests them later
   * with `only`.
   */
  readonly unread: readonly UnreadResource[];
}

/** Returns, in order, the notifications about payments, orders and bulk payments that are addressed to TPPs. */
export const readPaymentNotifications = call<NotificationsAfter, NotificationPage>(
  'svc.payments.notifications.read',
  'idempotent',
  5000,
);
/** Returns, in order, the notifications about consents that are addressed to TPPs. */
export const readConsentNotifications = call<NotificationsAfter, NotificationPage>(
  'svc.consents.notifications.read',
  'idempotent',
  5000,
);

/**
 * Signs notification bodies with the current signing key. Returns a detached JWS (RFC 7515 appendix F) for each
 * body, or null for a body that is not a notification. `signedAt` is the ISO instant from which their `iat` is taken.
 */
export const signNotifications = call<
  { readonly bodies: readonly string[] },
  { readonly signatures: readonly (string | null)[]; readonly signedAt: string }
>('svc.auth.sign-notifications', 'idempotent');

/**
 * `waiting`: in the queue, not tried yet or behind an earlier one of the same resource; `failing`: an attempt failed
 * and will be repeated; `dead`: not accepted for 24 hours; `delivered`: accepted by the receiver.
 */
export const notificationStates = ['waiting', 'failing', 'dead', 'delivered'] as const;
export type NotificationState = (typeof notificationStates)[number];

/** A notification as the bank's staff sees it. */
export interface QueuedNotification {
  /** The X-Request-ID that all delivery attempts use. @format uuid */
  readonly id: string;
  readonly state: NotificationState;
  readonly tppId: string;
  /** @format uuid */
  readonly resourceId: string;
  /** The target address without its path and query, which may contain the customer's name. */
  readonly uri: string;
  /** The reported status. */
  readonly tells: string;
  /** The number of failed attempts. */
  readonly failures: number;
  /** When the first attempt failed; null if none has, absent in an answer of an earlier release. @format date-time */
  readonly firstFailedAt?: string | null;
  /** When it was delivered or became a dead letter; null until then. Absent like the first. @format date-time */
  readonly endedAt?: string | null;
  /** @format date-time */
  readonly createdAt: string;
  /** The real time of the next attempt; null while the notification waits for the one before it. */
  readonly nextTryAt: string | null;
  /** Why the last attempt failed. It contains nothing that the receiver sent except the HTTP status. */
  readonly reason: string | null;
}

export interface NotificationFilter {
  readonly states: readonly NotificationState[];
  readonly tppId?: string | undefined;
  /** @format uuid */
  readonly resourceId?: string | undefined;
  /** 1 to {@link maxListed}. */
  readonly limit: number;
}
export const maxListed = 500;

/** Lists notifications in the order in which they were created. */
export const listNotifications = call<
  NotificationFilter,
  { readonly notifications: readonly QueuedNotification[] }
>('svc.notifications.console.list', 'idempotent');

/** The notifications of a TPP that are not delivered. */
export interface TppQueue {
  readonly tppId: string;
  readonly waiting: number;
  readonly failing: number;
  readonly dead: number;
  /** When the oldest waiting or failing notification was created; absent if all are dead letters. @format date-time */
  readonly oldestAt?: string | undefined;
  /**
   * Why an attempt failed last: of the notification that began to fail last, which is the one tried most often. Without
   * failing notifications, of the latest dead letter.
   */
  readonly reason?: string | undefined;
  /** The target address of the same notification, without its path and query. */
  readonly uri?: string | undefined;
}

/** A resource whose changes cannot be read, so that its notifications wait. */
export interface UnreadableResource {
  /** The service that owns it: `payments` or `consents`. */
  readonly source: string;
  /** @format uuid */
  readonly resourceId: string;
  /** @format date-time */
  readonly since: string;
}

/** The notifications that are not delivered. */
export interface NotificationSummary {
  /** The TPPs that have any, worst first; at most {@link maxSummarised}. */
  readonly tpps: readonly TppQueue[];
  readonly totals: {
    readonly tpps: number;
    readonly waiting: number;
    readonly failing: number;
    readonly dead: number;
    /** Notifications that have been due for more than a minute. */
    readonly overdue: number;
    /** Resources whose changes cannot be read. */
    readonly unread: number;
  };
  /** Those resources, oldest first; at most {@link maxSummarised}. */
  readonly unread: readonly UnreadableResource[];
}
export const maxSummarised = 200;

/** Sums up the notifications that are not delivered. Every instance answers, also one that stands by. */
export const summariseNotifications = call<Record<string, never>, NotificationSummary>(
  'svc.notifications.console.summary',
  'idempotent',
);
/** The most dead letters that are listed or sent again at once. */
export const [maxDeadListed, maxReplayed] = [10_000, 100];

/** Lists the ids of dead letters, of one TPP or of all, oldest first; at most {@link maxDeadListed}. */
export const listDeadLetters = call<
  { readonly tppId?: string | undefined },
  { readonly ids: readonly string[] }
>('svc.notifications.console.dead', 'idempotent', 5000);
/**
 * Sends dead letters again, for another 24 hours: 1 to {@link maxReplayed}. Returns the ids of those that were dead letters,
 * so that a repeat returns none.
 */
export const replayNotifications = call<
  { readonly ids: readonly string[] },
  { readonly replayed: readonly string[] }
>('svc.notifications.console.replay', 'not-idempotent', 5000);
