import { Controller } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { Handles } from '@xs2a/calls/handles';
import * as contract from '@xs2a/contracts/consents.contract';
import type { AuthorisationStarted, StartAuthorisation } from '@xs2a/contracts/payments.contract';
import { StartConsentAuthorisation } from './start-authorisation.handler.js';

/** Answers a TPP that starts one more authorisation of a consent (contract 5). */
@Controller()
export class StartAuthorisationController {
  constructor(private readonly commands: CommandBus) {}

  @Handles(contract.startConsentAuthorisation)
  async start(request: contract.ConsentRef & StartAuthorisation): Promise<AuthorisationStarted> {
    return this.commands.execute(new StartConsentAuthorisation(request));
  }
}
