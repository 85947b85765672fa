import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { QueryOf } from '@xs2a/calls/handlers';
import { readBasketPayments } from '@xs2a/contracts/baskets.contract';
import type { AnswerOf } from '@xs2a/contracts/call';
import { asBasketPayment } from './basket-payment.js';
import { BasketReads } from '../basket-reads.js';

type Answer = AnswerOf<typeof readBasketPayments>;

/** The SCA pages show some of a basket's payments (contract 12). */
export class ReadBasketPayments extends QueryOf(readBasketPayments) {}

/** Returns those of the requested payments that are in the basket. */
@QueryHandler(ReadBasketPayments)
export class ReadBasketPaymentsHandler implements IQueryHandler<ReadBasketPayments> {
  constructor(private readonly reads: BasketReads) {}

  async execute({ request }: ReadBasketPayments): Promise<Answer> {
    const { state } = await this.reads.authorisation(request);
    const wanted = state.paymentIds.filter((id) => request.paymentIds.includes(id));
    const payments = await this.reads.readPayments({ paymentIds: wanted });
    return { payments: payments.map(asBasketPayment) };
  }
}
