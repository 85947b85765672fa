import { Controller } from '@nestjs/common';
import {
  type ConsentRef,
  type ConsentView,
  createConsent,
  type CreateConsent,
  expireDueConsents,
  listConsents,
  readConsent,
  readConsentAuthorisations,
  readConsentStatus,
  startConsentAuthorisation,
  terminateConsent,
} from '@xs2a/contracts/consents.contract';
import type { RequestOf } from '@xs2a/contracts/call';
import type { AuthorisationStarted, StartAuthorisation } from '@xs2a/contracts/payments.contract';
import type { ConsentStatus } from '@xs2a/domain/consent/consent-state';
import { terminateConsent as decideToTerminate } from '@xs2a/domain/consent/decide-consent';
import type { ScaStatus } from '@xs2a/domain/sca/authorisations';
import { Handles } from '@xs2a/calls/handles';
import { viewOf } from './read/consent-answers.js';
import { Consents, ofTpp } from './store/consents.js';
import { ConsentCreation, type ConsentCreated } from './create/create-consent.js';
import { FurtherAuthorisation } from './authorise/further-authorisation.js';
import { DueConsents } from './background/expiry.js';

/** Answers a TPP's calls about its consents (contract 5). */
@Controller()
export class ConsentsController {
  constructor(
    private readonly consents: Consents,
    private readonly creation: ConsentCreation,
    private readonly due: DueConsents,
    private readonly furtherAuthorisation: FurtherAuthorisation,
  ) {}

  @Handles(createConsent)
  async create(request: CreateConsent): Promise<ConsentCreated> {
    return this.creation.create(request);
  }

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

  @Handles(startConsentAuthorisation)
  async startAuthorisation(request: ConsentRef & StartAuthorisation): Promise<AuthorisationStarted> {
    return this.furtherAuthorisation.start(request);
  }

  @Handles(terminateConsent)
  async terminate({ tppId, consentId }: ConsentRef): Promise<Record<string, never>> {
    await this.consents.change(consentId, tppId, ofTpp(tppId), (state) =>
      decideToTerminate(state, { tppId }),
    );
    return {};
  }

  @Handles(expireDueConsents)
  async expireDue(): Promise<{ expired: number }> {
    return { expired: await this.due.expireDue() };
  }
}
