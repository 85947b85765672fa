import { Controller } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { Handles } from '@xs2a/calls/handles';
import type { AnswerOf, RequestOf } from '@xs2a/contracts/call';
import * as contract from '@xs2a/contracts/consents.contract';
import type { AuthorisationStarted } from '@xs2a/contracts/payments.contract';
import { AuthoriseConsent } from './authorise-consent.handler.js';
import { BeginConsentAuthorisation } from './begin-authorisation.handler.js';
import { ListOpenableAccounts } from './list-accounts.handler.js';
import { ReadConsentAuthorisation } from './read-authorisation.handler.js';
import { ReadConsentForAuthorization } from './read-for-authorization.handler.js';
import { RejectConsent } from './reject-consent.handler.js';

/** Answers the SCA pages and the authorization server, where the PSU authorises or rejects a consent (contract 5 and 12). */
@Controller()
export class AuthorisationsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Handles(contract.readConsentAuthorisation)
  async read(
    ref: RequestOf<typeof contract.readConsentAuthorisation>,
  ): Promise<contract.ConsentAuthorisation> {
    return this.queries.execute(new ReadConsentAuthorisation(ref));
  }

  @Handles(contract.readConsentForAuthorization)
  async readForTpp(ref: contract.ConsentRef): Promise<contract.ConsentAuthorisation> {
    return this.queries.execute(new ReadConsentForAuthorization(ref));
  }

  @Handles(contract.beginConsentAuthorisation)
  async begin(request: RequestOf<typeof contract.beginConsentAuthorisation>): Promise<AuthorisationStarted> {
    return this.commands.execute(new BeginConsentAuthorisation(request));
  }

  @Handles(contract.listOpenableAccounts)
  async listAccounts(
    request: RequestOf<typeof contract.listOpenableAccounts>,
  ): Promise<AnswerOf<typeof contract.listOpenableAccounts>> {
    return this.queries.execute(new ListOpenableAccounts(request));
  }

  @Handles(contract.authoriseConsent)
  async authorise(
    request: RequestOf<typeof contract.authoriseConsent>,
  ): Promise<AnswerOf<typeof contract.authoriseConsent>> {
    return this.commands.execute(new AuthoriseConsent(request));
  }

  @Handles(contract.rejectConsent)
  async reject(
    request: RequestOf<typeof contract.rejectConsent>,
  ): Promise<AnswerOf<typeof contract.rejectConsent>> {
    return this.commands.execute(new RejectConsent(request));
  }
}
