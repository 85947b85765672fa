import type { DueNotification, UnreadResource } from '@xs2a/contracts/notifications.contract';
import type { NotificationRegistration } from '@xs2a/domain/notification/notification-content';
import { notificationBody, type NotifiedResource } from '@xs2a/domain/notification/notification-body';
import {
  type Notifiable,
  listNotifications,
  type OccurrenceChange,
} from '@xs2a/domain/notification/status-notification';
import { uuidv5 } from '@xs2a/runtime/ids';
import type { StateChange, UnreadStream } from '@xs2a/event-store/streams/state-changes';

/** The part of a resource's state that defines how its TPP is notified. */
export interface NotifiedState {
  readonly tppId: string;
  /** If absent, no notification is sent. */
  readonly notification?: NotificationRegistration;
}

/**
 * Returns the notifications that a change causes for the TPP. Their ids are derived from the event's id, so
 * reading them again returns the same ids.
 */
export const dueNotifications = <State extends NotifiedState>(
  { before, after, pos, streamId, eventId, at, traceparent }: StateChange<State>,
  notifiable: (state: State) => Notifiable,
  resource: NotifiedResource,
  occurrence?: OccurrenceChange,
): DueNotification[] => {
  const { notification, tppId } = after;
  if (notification === undefined) return [];
  const { uri, content } = notification;
  const changes = listNotifications(before && notifiable(before), notifiable(after), content, occurrence);
  return changes.map((change, part) => ({
    pos,
    part,
    notificationId: uuidv5(`notification ${part}`, eventId),
    resourceId: streamId,
    tppId,
    uri,
    body: notificationBody(resource, change, at),
    traceparent,
  }));
};

/** Returns the resources whose changes a page omits. */
export const leftOut = (unread: readonly UnreadStream[]): UnreadResource[] =>
  unread.map(({ streamId: resourceId, pos }) => ({ resourceId, pos }));
