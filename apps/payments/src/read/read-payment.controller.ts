import { Controller } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { Handles } from '@xs2a/calls/handles';
import type { AnswerOf } from '@xs2a/contracts/call';
import * as contract from '@xs2a/contracts/payments.contract';
import { ListSignedPayments } from './list-signed-payments.handler.js';
import type { PaymentStatusView } from './payment-reads.js';
import { ReadPaymentAuthorisations } from './read-payment-authorisations.handler.js';
import { ReadPaymentStatus } from './read-payment-status.handler.js';
import { ReadPayment } from './read-payment.handler.js';

/** Answers a TPP that reads a payment, its status and its authorisations (spec 4.5, contract 8), and a PSU that reads its payments. */
@Controller()
export class ReadPaymentController {
  constructor(private readonly queries: QueryBus) {}

  @Handles(contract.readPayment)
  async read(ref: contract.PaymentRef): Promise<contract.PaymentView> {
    return this.queries.execute(new ReadPayment(ref));
  }

  @Handles(contract.readPaymentStatus)
  async readStatus(ref: contract.PaymentRef): Promise<PaymentStatusView> {
    return this.queries.execute(new ReadPaymentStatus(ref));
  }

  @Handles(contract.readPaymentAuthorisations)
  async readAuthorisations(
    ref: contract.PaymentRef,
  ): Promise<AnswerOf<typeof contract.readPaymentAuthorisations>> {
    return this.queries.execute(new ReadPaymentAuthorisations(ref));
  }

  @Handles(contract.listSignedPayments)
  async listSigned({
    psuId,
  }: {
    readonly psuId: string;
  }): Promise<AnswerOf<typeof contract.listSignedPayments>> {
    return this.queries.execute(new ListSignedPayments(psuId));
  }
}
