import { Controller, Inject } from '@nestjs/common';
import { readPaymentNotifications } from '@xs2a/contracts/notifications.contract';
import { notifiablePayment, occurrenceIn } from '@xs2a/domain/notification/payment-notifications';
import { serviceOf } from '@xs2a/domain/payment/payment-state';
import { dueNotifications } from '@xs2a/event-store/due-notifications';
import { readStateChanges } from '@xs2a/event-store/state-changes';
import { Handles } from '@xs2a/messaging/handles';
import { occurrenceTransactionId } from '@xs2a/runtime/booking-ids';
import { POOL } from '@xs2a/runtime/tokens';
import type { Pool } from 'pg';
import { PaymentStore } from './payment-store.js';

/** Answers what TPPs are to be told of payments (contract 11). */
@Controller()
export class NotificationsController {
  constructor(
    private readonly store: PaymentStore,
    @Inject(POOL) private readonly pool: Pool,
  ) {}

  @Handles(readPaymentNotifications)
  async read({ after }: { readonly after: number }) {
    const page = await readStateChanges(this.pool, this.store.folding, { after, column: 'notified' });
    const notifications = page.changes.flatMap((change) => {
      const { product, paymentId } = change.after;
      const resource = {
        idName: 'paymentId',
        statusName: 'transactionStatus',
        id: paymentId,
        path: `/v1/${serviceOf(change.after)}/${product}/${paymentId}`,
      } as const;
      const occurrence = occurrenceIn(change.event, change.after, (number) =>
        occurrenceTransactionId({ paymentId, number }),
      );
      return dueNotifications(change, notifiablePayment, resource, occurrence);
    });
    return { notifications, next: page.next };
  }
}
