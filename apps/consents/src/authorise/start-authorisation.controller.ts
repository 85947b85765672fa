import { Controller } from '@nestjs/common';
import { Handles } from '@xs2a/calls/handles';
import { type ConsentRef, startConsentAuthorisation } from '@xs2a/contracts/consents.contract';
import type { AuthorisationStarted, StartAuthorisation } from '@xs2a/contracts/payments.contract';
import { FurtherAuthorisation } from './further-authorisation.js';

/** Answers a TPP that starts one more authorisation of a consent (contract 5). */
@Controller()
export class StartAuthorisationController {
  constructor(private readonly furtherAuthorisation: FurtherAuthorisation) {}

  @Handles(startConsentAuthorisation)
  async startAuthorisation(request: ConsentRef & StartAuthorisation): Promise<AuthorisationStarted> {
    return this.furtherAuthorisation.start(request);
  }
}
