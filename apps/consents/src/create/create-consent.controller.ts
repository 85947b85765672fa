import { Controller } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { Handles } from '@xs2a/calls/handles';
import type { AnswerOf } from '@xs2a/contracts/call';
import * as contract from '@xs2a/contracts/consents.contract';
import { CreateConsent } from './create-consent.handler.js';

/** Answers POST of a consent (contract 5). */
@Controller()
export class CreateConsentController {
  constructor(private readonly commands: CommandBus) {}

  @Handles(contract.createConsent)
  async create(request: contract.CreateConsent): Promise<AnswerOf<typeof contract.createConsent>> {
    return this.commands.execute(new CreateConsent(request));
  }
}
