import { Controller, Inject } from '@nestjs/common';
import { readConsentNotifications } from '@xs2a/contracts/notifications.contract';
import { notifiableConsent } from '@xs2a/domain/notification/consent-notifications';
import { dueNotifications } from '@xs2a/event-store/publishing/due-notifications';
import { readStateChanges } from '@xs2a/event-store/streams/state-changes';
import { Handles } from '@xs2a/calls/handles';
import { POOL } from '@xs2a/runtime/tokens';
import type { Pool } from 'pg';
import { ConsentStore } from '../store/consent-store.js';

/** Answers what TPPs are to be told of consents (contract 11). */
@Controller()
export class NotificationsController {
  constructor(
    private readonly store: ConsentStore,
    @Inject(POOL) private readonly pool: Pool,
  ) {}

  @Handles(readConsentNotifications)
  async read({ after }: { readonly after: number }) {
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
