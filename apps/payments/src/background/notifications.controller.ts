import { Controller } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { Handles } from '@xs2a/calls/handles';
import type { AnswerOf, RequestOf } from '@xs2a/contracts/call';
import { readPaymentNotifications } from '@xs2a/contracts/notifications.contract';
import { ReadNotifications } from './read-notifications.handler.js';

/** Answers the notifications service about payments and baskets (contract 11). */
@Controller()
export class NotificationsController {
  constructor(private readonly queries: QueryBus) {}

  @Handles(readPaymentNotifications)
  async read(
    page: RequestOf<typeof readPaymentNotifications>,
  ): Promise<AnswerOf<typeof readPaymentNotifications>> {
    return this.queries.execute(new ReadNotifications(page));
  }
}
