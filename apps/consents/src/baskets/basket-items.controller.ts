import { Controller } from '@nestjs/common';
import * as contract from '@xs2a/contracts/baskets.contract';
import type { RequestOf } from '@xs2a/contracts/call';
import { rejectGroupedConsent, ungroupConsent } from '@xs2a/domain/consent/group-consent';
import { Handles } from '@xs2a/calls/handles';
import { BasketItems } from './basket-items.js';

/** Answers the payments service about the consents in its signing baskets (contract 10). */
@Controller()
export class BasketItemsController {
  constructor(private readonly items: BasketItems) {}

  @Handles(contract.readConsentItems)
  async read({ tppId, consentIds }: RequestOf<typeof contract.readConsentItems>) {
    return { consents: await this.items.read(tppId, consentIds) };
  }

  @Handles(contract.readConsentItemStatuses)
  async readStatuses({ consentIds }: RequestOf<typeof contract.readConsentItemStatuses>) {
    const states = await this.items.states(consentIds);
    return {
      statuses: [...states].map(([consentId, { status }]) => ({ consentId, consentStatus: status })),
    };
  }

  @Handles(contract.groupConsents)
  async group(request: contract.GroupedConsents) {
    const refused = await this.items.group(request);
    return refused === undefined ? {} : { refused };
  }

  @Handles(contract.ungroupConsents)
  async ungroup({ basketId, consentIds }: contract.GroupedConsents): Promise<Record<string, never>> {
    await this.items.changeEach(consentIds, (state) => ungroupConsent(state, { basketId }));
    return {};
  }

  @Handles(contract.checkConsentItems)
  async check(request: RequestOf<typeof contract.checkConsentItems>) {
    const reason = await this.items.failureOf(request);
    return reason === undefined ? {} : { reason };
  }

  @Handles(contract.listConsentItemAccounts)
  async accounts({ consentIds, psuId }: RequestOf<typeof contract.listConsentItemAccounts>) {
    return { accounts: await this.items.accounts(consentIds, psuId) };
  }

  @Handles(contract.authoriseConsentItems)
  async authorise(request: RequestOf<typeof contract.authoriseConsentItems>): Promise<Record<string, never>> {
    await this.items.authorise(request);
    return {};
  }

  @Handles(contract.rejectConsentItems)
  async reject({
    basketId,
    consentIds,
    reason,
  }: RequestOf<typeof contract.rejectConsentItems>): Promise<Record<string, never>> {
    await this.items.changeEach(consentIds, (state) => rejectGroupedConsent(state, { basketId, reason }));
    return {};
  }
}
