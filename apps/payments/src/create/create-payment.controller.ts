import { Controller } from '@nestjs/common';
import { Handles } from '@xs2a/calls/handles';
import * as contract from '@xs2a/contracts/payments.contract';
import { Initiation } from './create-payment.js';

/** Answers POST of a payment (spec 4.5, contract 8). */
@Controller()
export class CreatePaymentController {
  constructor(private readonly initiation: Initiation) {}

  @Handles(contract.initiatePayment)
  async initiate(request: contract.InitiatePayment): Promise<contract.PaymentInitiated> {
    return this.initiation.initiate(request);
  }
}
