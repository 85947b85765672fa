import { Controller } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { Handles } from '@xs2a/calls/handles';
import * as contract from '@xs2a/contracts/payments.contract';
import { StartPaymentAuthorisation } from './start-authorisation.handler.js';

/** Answers a TPP that starts one more authorisation of a payment (contract 8). */
@Controller()
export class StartAuthorisationController {
  constructor(private readonly commands: CommandBus) {}

  @Handles(contract.startPaymentAuthorisation)
  async start(
    request: contract.PaymentRef & contract.StartAuthorisation,
  ): Promise<contract.AuthorisationStarted> {
    return this.commands.execute(new StartPaymentAuthorisation(request));
  }
}
