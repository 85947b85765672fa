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
