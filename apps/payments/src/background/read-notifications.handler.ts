import { Inject } from '@nestjs/common';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { QueryOf } from '@xs2a/calls/handlers';
import type { AnswerOf } from '@xs2a/contracts/call';
import { type DueNotification, readPaymentNotifications } from '@xs2a/contracts/notifications.contract';
import { notifiableBasket } from '@xs2a/domain/notification/basket-notifications';
import { notifiablePayment, occurrenceIn } from '@xs2a/domain/notification/payment-notifications';
import type { BasketState } from '@xs2a/domain/basket/basket-state';
import type { PaymentEvent } from '@xs2a/domain/payment/payment-events';
import { getService, type PaymentState } from '@xs2a/domain/payment/payment-state';
import { dueNotifications, leftOut } from '@xs2a/resources/due-notifications';
import type { StateChange } from '@xs2a/event-store/streams/state-changes';
import { occurrenceTransactionId } from '@xs2a/runtime/booking-ids';
import { BASKET_STORE, type BasketStore } from '../baskets/basket-store.js';
import { PAYMENT_STORE, type PaymentStore } from '../store/payment-store.js';

type Answer = AnswerOf<typeof readPaymentNotifications>;

const paymentNotifications = (change: StateChange<PaymentState, PaymentEvent>): DueNotification[] => {
  const { product, paymentId } = change.after;
  const resource = {
    idName: 'paymentId',
    statusName: 'transactionStatus',
    id: paymentId,
    path: `/v1/${getService(change.after)}/${product}/${paymentId}`,
  } as const;
  const occurrence = occurrenceIn(change.event, change.after, (number) =>
    occurrenceTransactionId({ paymentId, number }),
  );
  return dueNotifications(change, notifiablePayment, resource, occurrence);
};

const basketNotifications = (change: StateChange<BasketState>): DueNotification[] =>
  dueNotifications(change, notifiableBasket, {
    idName: 'basketId',
    statusName: 'transactionStatus',
    id: change.streamId,
    path: `/v1/signing-baskets/${change.streamId}`,
  });

/**
 * The notifications service asks for the changes after a log position of which a TPP must be notified (contract
 * 11).
 */
export class ReadNotifications extends QueryOf(readPaymentNotifications) {}

/** Returns the notifications for changes to payments and baskets, in log order. */
@QueryHandler(ReadNotifications)
export class ReadNotificationsHandler implements IQueryHandler<ReadNotifications> {
  constructor(
    @Inject(PAYMENT_STORE) private readonly store: PaymentStore,
    @Inject(BASKET_STORE) private readonly baskets: BasketStore,
  ) {}

  async execute({ request: { after, only } }: ReadNotifications): Promise<Answer> {
    const asked = {
      after,
      column: 'notified',
      only: only && { streamId: only.resourceId, upTo: only.upTo },
    };
    const page = await this.store.many.readChanges(asked, paymentNotifications);
    const baskets = await this.baskets.many.readChanges(asked, basketNotifications);
    // Both pages come from the same log. The part of the longer page that lies beyond the end of the shorter
    // one is read again next time.
    const next = Math.min(page.next, baskets.next);
    const notifications = [...page.changes, ...baskets.changes]
      .filter(({ pos }) => pos <= next)
      .sort((one, other) => one.pos - other.pos);
    const unread = [...page.unread, ...baskets.unread].filter(({ pos }) => pos <= next);
    return { notifications, next, unread: leftOut(unread) };
  }
}
