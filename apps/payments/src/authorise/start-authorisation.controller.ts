import { Controller } from '@nestjs/common';
import { Handles } from '@xs2a/calls/handles';
import * as contract from '@xs2a/contracts/payments.contract';
import { FurtherAuthorisation } from './further-authorisation.js';

/** Answers a TPP that starts one more authorisation of a payment (contract 8). */
@Controller()
export class StartAuthorisationController {
  constructor(private readonly furtherAuthorisation: FurtherAuthorisation) {}

  @Handles(contract.startPaymentAuthorisation)
  async startAuthorisation(
    request: contract.PaymentRef & contract.StartAuthorisation,
  ): Promise<contract.AuthorisationStarted> {
    return this.furtherAuthorisation.start(request);
  }
}
