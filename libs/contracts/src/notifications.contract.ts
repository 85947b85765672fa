import { call } from './call.js';

/** A notification as it is POSTed to a TPP: JSON, with one of the ids and one of the statuses (contract 11). */
interface NotificationBody {
  readonly paymentId?: string;
  readonly consentId?: string;
  readonly basketId?: string;
  readonly transactionStatus?: string;
  readonly consentStatus?: string;
  readonly fundsAvailable?: boolean;
  readonly authorisationId?: string;
  readonly scaStatus?: string;
  /** The transaction of an order's occurrence. */
  readonly transactionId?: string;
  /** When it happened, by the one clock, which the sandbox can move. @format date-time */
  readonly timestamp: string;
  readonly _links: Readonly<Record<string, { readonly href: string }>>;
}

/** A change of a resource that its TPP is to be notified of. */
export interface DueNotification {
  /** The event's position in its service's log; the order of a resource's notifications. */
  readonly pos: number;
  /** Counts the notifications of one event, from 0. */
  readonly part: number;
  /** Follows from the event: the same each time that it is read. It is the X-Request-ID of all tries. @format uuid */
  readonly notificationId: string;
  /** @format uuid */
  readonly resourceId: string;
  readonly tppId: string;
  readonly uri: string;
  readonly body: NotificationBody;
}

/** Position in the log behind which is read; 0: from the first. */
interface NotificationsAfter {
  readonly after: number;
  /** Asks again for what was left out: the notifications of one resource, up to a position. */
  readonly only?: { readonly resourceId: string; readonly upTo: number };
}

/** A resource whose changes the asked instance cannot read from a position on: its events are damaged, or of a newer release. */
export interface UnreadResource {
  /** @format uuid */
  readonly resourceId: string;
  readonly pos: number;
}

interface NotificationPage {
  readonly notifications: readonly DueNotification[];
  /** The position at which the next page begins. The same as `after`: nothing has happened. */
  readonly next: number;
  /** The resources that the page leaves out, since they cannot be read now: the caller asks for them again with `only`. */
  readonly unread: readonly UnreadResource[];
}

/** Answers the notifications that TPPs are to get of payments, orders and bulks, in order. */
export const readPaymentNotifications = call<NotificationsAfter, NotificationPage>(
  'svc.payments.notifications.read',
  'idempotent',
  5000,
);
/** Answers the notifications that TPPs are to get of consents, in order. */
export const readConsentNotifications = call<NotificationsAfter, NotificationPage>(
  'svc.consents.notifications.read',
  'idempotent',
  5000,
);

/**
 * Signs bodies of notifications: a detached JWS for each (RFC 7515 appendix F), made with the key that signs now; null for
 * a body that is none of a notification.
 */
export const signNotifications = call<
  { readonly bodies: readonly string[] },
  { readonly signatures: readonly (string | null)[] }
>('svc.auth.sign-notifications', 'idempotent');
