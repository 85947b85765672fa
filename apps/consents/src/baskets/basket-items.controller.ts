import { Controller } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { Handles } from '@xs2a/calls/handles';
import * as contract from '@xs2a/contracts/baskets.contract';
import type { AnswerOf, RequestOf } from '@xs2a/contracts/call';
import { AuthoriseConsentItems } from './authorise-items.handler.js';
import { CheckConsentItems } from './check-items.handler.js';
import { GroupConsentItems } from './group-items.handler.js';
import { ListConsentItemAccounts } from './list-accounts.handler.js';
import { ReadConsentItemStatuses } from './read-item-statuses.handler.js';
import { ReadConsentItems } from './read-items.handler.js';
import { RejectConsentItems } from './reject-items.handler.js';
import { UngroupConsentItems } from './ungroup-items.handler.js';

/** Answers the payments service, which keeps signing baskets, about the consents in them (contract 10, ADR 40). Every call may be repeated. */
@Controller()
export class BasketItemsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Handles(contract.readConsentItems)
  async read(
    request: RequestOf<typeof contract.readConsentItems>,
  ): Promise<AnswerOf<typeof contract.readConsentItems>> {
    return this.queries.execute(new ReadConsentItems(request));
  }

  @Handles(contract.readConsentItemStatuses)
  async readStatuses({
    consentIds,
  }: RequestOf<typeof contract.readConsentItemStatuses>): Promise<
    AnswerOf<typeof contract.readConsentItemStatuses>
  > {
    return this.queries.execute(new ReadConsentItemStatuses(consentIds));
  }

  @Handles(contract.groupConsents)
  async group(request: contract.GroupedConsents): Promise<AnswerOf<typeof contract.groupConsents>> {
    return this.commands.execute(new GroupConsentItems(request));
  }

  @Handles(contract.ungroupConsents)
  async ungroup(request: contract.GroupedConsents): Promise<Record<string, never>> {
    return this.commands.execute(new UngroupConsentItems(request));
  }

  @Handles(contract.checkConsentItems)
  async check(
    request: RequestOf<typeof contract.checkConsentItems>,
  ): Promise<AnswerOf<typeof contract.checkConsentItems>> {
    return this.queries.execute(new CheckConsentItems(request));
  }

  @Handles(contract.listConsentItemAccounts)
  async listAccounts(
    request: RequestOf<typeof contract.listConsentItemAccounts>,
  ): Promise<AnswerOf<typeof contract.listConsentItemAccounts>> {
    return this.queries.execute(new ListConsentItemAccounts(request));
  }

  @Handles(contract.authoriseConsentItems)
  async authorise(request: RequestOf<typeof contract.authoriseConsentItems>): Promise<Record<string, never>> {
    return this.commands.execute(new AuthoriseConsentItems(request));
  }

  @Handles(contract.rejectConsentItems)
  async reject(request: RequestOf<typeof contract.rejectConsentItems>): Promise<Record<string, never>> {
    return this.commands.execute(new RejectConsentItems(request));
  }
}
