import { Controller } from '@nestjs/common';
import { Handles } from '@xs2a/calls/handles';
import { createConsent, type CreateConsent } from '@xs2a/contracts/consents.contract';
import { ConsentCreation, type ConsentCreated } from './create-consent.js';

/** Answers POST of a consent (contract 5). */
@Controller()
export class CreateConsentController {
  constructor(private readonly creation: ConsentCreation) {}

  @Handles(createConsent)
  async create(request: CreateConsent): Promise<ConsentCreated> {
    return this.creation.create(request);
  }
}
