import { Controller } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { Handles } from '@xs2a/calls/handles';
import type { AnswerOf, RequestOf } from '@xs2a/contracts/call';
import * as contract from '@xs2a/contracts/payments.contract';
import { AcceptPayment } from './accept-payment.handler.js';
import { ReadPaymentAuthorisation } from './read-authorisation.handler.js';
import { RejectPayment } from './reject-payment.handler.js';
import { SignPayment } from './sign-payment.handler.js';

/** Answers the SCA pages, on which the PSU signs or rejects a payment (spec 3.4, contract 8 and 12). */
@Controller()
export class AuthorisationsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Handles(contract.readPaymentAuthorisation)
  async read(ref: contract.PaymentAuthorisationRef): Promise<contract.PaymentAuthorisation> {
    return this.queries.execute(new ReadPaymentAuthorisation(ref));
  }

  @Handles(contract.acceptPayment)
  async accept(
    request: RequestOf<typeof contract.acceptPayment>,
  ): Promise<AnswerOf<typeof contract.acceptPayment>> {
    return this.commands.execute(new AcceptPayment(request));
  }

  @Handles(contract.signPayment)
  async sign(
    request: RequestOf<typeof contract.signPayment>,
  ): Promise<AnswerOf<typeof contract.signPayment>> {
    return this.commands.execute(new SignPayment(request));
  }

  @Handles(contract.rejectPayment)
  async reject(
    request: RequestOf<typeof contract.rejectPayment>,
  ): Promise<AnswerOf<typeof contract.rejectPayment>> {
    return this.commands.execute(new RejectPayment(request));
  }
}
