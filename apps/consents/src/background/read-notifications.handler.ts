import { Inject } from '@nestjs/common';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import type { AnswerOf } from '@xs2a/contracts/call';
import type { readConsentNotifications } from '@xs2a/contracts/notifications.contract';
import { notifiableConsent } from '@xs2a/domain/notification/consent-notifications';
import { dueNotifications } from '@xs2a/event-store/publishing/due-notifications';
import { readStateChanges } from '@xs2a/event-store/streams/state-changes';
import { POOL } from '@xs2a/runtime/tokens';
import type { Pool } from 'pg';
import { ConsentStore } from '../store/consent-store.js';

type Answer = AnswerOf<typeof readConsentNotifications>;

/** The notifications service asks which changes behind a position of the log TPPs are to be notified of (contract 11). */
export class ReadNotifications extends Query<Answer> {
  /** `after`: a position of the log. */
  constructor(readonly after: number) {
    super();
  }
}

/** Answers the notifications that changes of consents cause, in the order of the log. */
@QueryHandler(ReadNotifications)
export class ReadNotificationsHandler implements IQueryHandler<ReadNotifications> {
  constructor(
    private readonly store: ConsentStore,
    @Inject(POOL) private readonly pool: Pool,
  ) {}

  async execute({ after }: ReadNotifications): Promise<Answer> {
    const page = await readStateChanges(this.pool, this.store.folding, { after, column: 'notified' });
    const notifications = page.changes.flatMap((change) =>
      dueNotifications(change, notifiableConsent, {
        idName: 'consentId',
        statusName: 'consentStatus',
        id: change.streamId,
        path: `/v1/consents/${change.streamId}`,
      }),
    );
    return { notifications, next: page.next };
  }
}
