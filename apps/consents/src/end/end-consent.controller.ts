import { Controller } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { Handles } from '@xs2a/calls/handles';
import type { RequestOf } from '@xs2a/contracts/call';
import * as contract from '@xs2a/contracts/consents.contract';
import { RevokeConsent } from './revoke-consent.handler.js';
import { TerminateConsent } from './terminate-consent.handler.js';

/** Answers DELETE of a consent (contract 5), and the page on which a PSU withdraws one (contract 12, `/sca/apps`). */
@Controller()
export class EndConsentController {
  constructor(private readonly commands: CommandBus) {}

  @Handles(contract.terminateConsent)
  async terminate(ref: contract.ConsentRef): Promise<Record<string, never>> {
    return this.commands.execute(new TerminateConsent(ref));
  }

  @Handles(contract.revokeConsent)
  async revoke(request: RequestOf<typeof contract.revokeConsent>): Promise<Record<string, never>> {
    return this.commands.execute(new RevokeConsent(request));
  }
}
