import { Controller } from '@nestjs/common';
import { Handles } from '@xs2a/calls/handles';
import type { RequestOf } from '@xs2a/contracts/call';
import {
  type ConsentRef,
  type ConsentView,
  listConsents,
  readConsent,
  readConsentAuthorisations,
  readConsentStatus,
} from '@xs2a/contracts/consents.contract';
import type { ConsentStatus } from '@xs2a/domain/consent/consent-state';
import type { ScaStatus } from '@xs2a/domain/sca/authorisations';
import { Consents, ofTpp } from '../store/consents.js';
import { viewOf } from './consent-answers.js';

/** Answers a TPP that reads its consents, one's status and its authorisations (contract 5). */
@Controller()
export class ReadConsentController {
  constructor(private readonly consents: Consents) {}

  @Handles(listConsents)
  async list({ tppId, before, limit }: RequestOf<typeof listConsents>): Promise<{
    consents: (ConsentView & { consentId: string })[];
    next?: string;
  }> {
    const states = await this.consents.ofTpp(tppId, limit + 1, before);
    const page = states.slice(0, limit);
    const next = states.length > limit ? page.at(-1)?.consentId : undefined;
    return {
      consents: page.map((state) => ({ consentId: state.consentId, ...viewOf(state) })),
      ...(next === undefined ? {} : { next }),
    };
  }

  @Handles(readConsent)
  async read({ tppId, consentId }: ConsentRef): Promise<ConsentView> {
    return viewOf(await this.consents.read(consentId, ofTpp(tppId)));
  }

  @Handles(readConsentStatus)
  async readStatus({ tppId, consentId }: ConsentRef): Promise<{ consentStatus: ConsentStatus }> {
    return { consentStatus: (await this.consents.read(consentId, ofTpp(tppId))).status };
  }

  @Handles(readConsentAuthorisations)
  async readAuthorisations({
    tppId,
    consentId,
  }: ConsentRef): Promise<{ authorisations: { authorisationId: string; scaStatus: ScaStatus }[] }> {
    const { authorisations } = await this.consents.read(consentId, ofTpp(tppId));
    return {
      authorisations: authorisations.map(({ authorisationId, scaStatus }) => ({
        authorisationId,
        scaStatus,
      })),
    };
  }
}
