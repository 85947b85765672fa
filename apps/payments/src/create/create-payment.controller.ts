import { Controller } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { Handles } from '@xs2a/calls/handles';
import * as contract from '@xs2a/contracts/payments.contract';
import { CreatePayment } from './create-payment.handler.js';

/** Answers POST of a payment (spec 4.5, contract 8). */
@Controller()
export class CreatePaymentController {
  constructor(private readonly commands: CommandBus) {}

  @Handles(contract.initiatePayment)
  async create(request: contract.InitiatePayment): Promise<contract.PaymentInitiated> {
    return this.commands.execute(new CreatePayment(request));
  }
}
