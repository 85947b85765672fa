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
  /** The transaction id of an occurrence of an order. */
  readonly transactionId?: string;
  /** The time of the change by the service's clock, which can be moved in the sandbox. @format date-time */
  readonly timestamp: string;
  readonly _links: Readonly<Record<string, { readonly href: string }>>;
}

/** A change of a resource that is to be sent to its TPP. */
export interface DueNotification {
  /** The event's position in its service's log, which determines the order of a resource's notifications. */
  readonly pos: number;
  /** The index of the notification within its event, 0-based. */
  readonly part: number;
  /** Derived from the event, so it is the same on every read. Used as the X-Request-ID of all attempts. @format uuid */
  readonly notificationId: string;
  /** @format uuid */
  readonly resourceId: string;
  readonly tppId: string;
  readonly uri: string;
  readonly body: NotificationBody;
}

/** The log position after which to start reading; 0 reads from the beginning. */
interface NotificationsAfter {
  readonly after: number;
  /** Requests omitted notifications again: those of one resource, up to a position. */
  readonly only?: { readonly resourceId: string; readonly upTo: number };
}

/** A resource that this instance cannot read from a position on: its events are damaged or were written by a newer release. */
export interface UnreadResource {
  /** @format uuid */
  readonly resourceId: string;
  readonly pos: number;
}

interface NotificationPage {
  readonly notifications: readonly DueNotification[];
  /** The position where the next page starts; equal to `after` if there is nothing new. */
  readonly next: number;
  /**
   * The resources omitted from the page because they cannot be read at the moment; the caller requests them again
   * with `only`.
   */
  readonly unread: readonly UnreadResource[];
}

/** Returns the notifications for TPPs about payments, orders and bulks, in order. */
export const readPaymentNotifications = call<NotificationsAfter, NotificationPage>(
  'svc.payments.notifications.read',
  'idempotent',
  5000,
);
/** Returns the notifications for TPPs about consents, in order. */
export const readConsentNotifications = call<NotificationsAfter, NotificationPage>(
  'svc.consents.notifications.read',
  'idempotent',
  5000,
);

/**
 * Signs notification bodies: a detached JWS for each (RFC 7515 appendix F), made with the current signing key;
 * null for a body that is not a notification.
 */
export const signNotifications = call<
  { readonly bodies: readonly string[] },
  { readonly signatures: readonly (string | null)[] }
>('svc.auth.sign-notifications', 'idempotent');
