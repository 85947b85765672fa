import { Inject } from '@nestjs/common';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import type { AnswerOf } from '@xs2a/contracts/call';
import type { readPaymentNotifications } from '@xs2a/contracts/notifications.contract';
import { notifiableBasket } from '@xs2a/domain/notification/basket-notifications';
import { notifiablePayment, occurrenceIn } from '@xs2a/domain/notification/payment-notifications';
import { serviceOf } from '@xs2a/domain/payment/payment-state';
import { dueNotifications } from '@xs2a/event-store/publishing/due-notifications';
import { readStateChanges } from '@xs2a/event-store/streams/state-changes';
import { occurrenceTransactionId } from '@xs2a/runtime/booking-ids';
import { POOL } from '@xs2a/runtime/tokens';
import type { Pool } from 'pg';
import { BasketStore } from '../baskets/basket-store.js';
import { PaymentStore } from '../store/payment-store.js';

type Answer = AnswerOf<typeof readPaymentNotifications>;

/** The notifications service asks which changes behind a position of the log TPPs are to be notified of (contract 11). */
export class ReadNotifications extends Query<Answer> {
  /** `after`: a position of the log. */
  constructor(readonly after: number) {
    super();
  }
}

/** Answers the notifications that changes of payments and baskets cause, in the order of the log. */
@QueryHandler(ReadNotifications)
export class ReadNotificationsHandler implements IQueryHandler<ReadNotifications> {
  constructor(
    private readonly store: PaymentStore,
    private readonly baskets: BasketStore,
    @Inject(POOL) private readonly pool: Pool,
  ) {}

  async execute({ after }: ReadNotifications): Promise<Answer> {
    const from = { after, column: 'notified' };
    const page = await readStateChanges(this.pool, this.store.folding, from);
    const baskets = await readStateChanges(this.pool, this.baskets.folding, from);
    // Both pages are of the same log; what the longer one has behind the end of the shorter one is read again.
    const next = Math.min(page.next, baskets.next);
    const ofPayments = page.changes.flatMap((change) => {
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
    const ofBaskets = baskets.changes.flatMap((change) =>
      dueNotifications(change, notifiableBasket, {
        idName: 'basketId',
        statusName: 'transactionStatus',
        id: change.streamId,
        path: `/v1/signing-baskets/${change.streamId}`,
      }),
    );
    const notifications = [...ofPayments, ...ofBaskets]
      .filter(({ pos }) => pos <= next)
      .sort((one, other) => one.pos - other.pos);
    return { notifications, next };
  }
}
