import { Controller } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { Handles } from '@xs2a/calls/handles';
import type { AnswerOf, RequestOf } from '@xs2a/contracts/call';
import * as contract from '@xs2a/contracts/consents.contract';
import { ListConsents } from './list-consents.handler.js';
import { ListPsuConsents } from './list-psu-consents.handler.js';
import { ReadConsentAuthorisations } from './read-consent-authorisations.handler.js';
import { ReadConsentStatus } from './read-consent-status.handler.js';
import { ReadConsent } from './read-consent.handler.js';

/** Answers a TPP that reads its consents, one's status and its authorisations (contract 5), and a PSU that reads its consents. */
@Controller()
export class ReadConsentController {
  constructor(private readonly queries: QueryBus) {}

  @Handles(contract.listConsents)
  async list(page: RequestOf<typeof contract.listConsents>): Promise<AnswerOf<typeof contract.listConsents>> {
    return this.queries.execute(new ListConsents(page));
  }

  @Handles(contract.readConsent)
  async read(ref: contract.ConsentRef): Promise<contract.ConsentView> {
    return this.queries.execute(new ReadConsent(ref));
  }

  @Handles(contract.readConsentStatus)
  async readStatus(ref: contract.ConsentRef): Promise<AnswerOf<typeof contract.readConsentStatus>> {
    return this.queries.execute(new ReadConsentStatus(ref));
  }

  @Handles(contract.readConsentAuthorisations)
  async readAuthorisations(
    ref: contract.ConsentRef,
  ): Promise<AnswerOf<typeof contract.readConsentAuthorisations>> {
    return this.queries.execute(new ReadConsentAuthorisations(ref));
  }

  @Handles(contract.listPsuConsents)
  async listOfPsu({ psuId }: { readonly psuId: string }): Promise<AnswerOf<typeof contract.listPsuConsents>> {
    return this.queries.execute(new ListPsuConsents(psuId));
  }
}
