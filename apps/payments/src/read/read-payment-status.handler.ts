import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { QueryOf } from '@xs2a/calls/handlers';
import { readPaymentStatus } from '@xs2a/contracts/payments.contract';
import { PaymentReads, type PaymentStatusView } from './payment-reads.js';

/** GET …/status of a payment (spec 4.5, contract 8). */
export class ReadPaymentStatus extends QueryOf(readPaymentStatus) {}

/** Returns columns of the status view, without reading the whole payment. */
@QueryHandler(ReadPaymentStatus)
export class ReadPaymentStatusHandler implements IQueryHandler<ReadPaymentStatus> {
  constructor(private readonly reads: PaymentReads) {}

  async execute({ request: ref }: ReadPaymentStatus): Promise<PaymentStatusView> {
    return this.reads.status(ref);
  }
}
