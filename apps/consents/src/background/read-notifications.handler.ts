import { Inject } from '@nestjs/common';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { QueryOf } from '@xs2a/calls/handlers';
import type { AnswerOf } from '@xs2a/contracts/call';
import { readConsentNotifications } from '@xs2a/contracts/notifications.contract';
import { notifiableConsent } from '@xs2a/domain/notification/consent-notifications';
import { dueNotifications, leftOut } from '@xs2a/resources/due-notifications';
import { CONSENT_STORE, type ConsentStore } from '../store/consent-store.js';

type Answer = AnswerOf<typeof readConsentNotifications>;

/**
 * The notifications service asks for the changes after a log position of which a TPP must be notified (contract
 * 11).
 */
export class ReadNotifications extends QueryOf(readConsentNotifications) {}

/** Returns the notifications for changes to consents, in log order. */
@QueryHandler(ReadNotifications)
export class ReadNotificationsHandler implements IQueryHandler<ReadNotifications> {
  constructor(@Inject(CONSENT_STORE) private readonly store: ConsentStore) {}

  async execute({ request: { after, only } }: ReadNotifications): Promise<Answer> {
    const page = await this.store.many.readChanges(
      {
        after,
        column: 'notified',
        only: only && { streamId: only.resourceId, upTo: only.upTo },
      },
      (change) =>
        dueNotifications(change, notifiableConsent, {
          idName: 'consentId',
          statusName: 'consentStatus',
          id: change.streamId,
          path: `/v1/consents/${change.streamId}`,
        }),
    );
    return { notifications: page.changes, next: page.next, unread: leftOut(page.unread) };
  }
}
