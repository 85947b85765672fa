import { Injectable } from '@nestjs/common';
import type { PsuAccount } from '@xs2a/contracts/accounts.contract';
import * as contract from '@xs2a/contracts/baskets.contract';
import type { AnswerOf, RequestOf } from '@xs2a/contracts/call';
import type { BasketState } from '@xs2a/domain/basket/basket-state';
import { CallClient } from '@xs2a/calls/client';

type Check = typeof contract.checkConsentItems;

/** Asks the consents service about the consents in a basket. Makes no call for a basket without consents. */
@Injectable()
export class BasketConsents {
  constructor(private readonly callClient: CallClient) {}

  /** Returns the basket's consents, in the order of its body. */
  async read({ tppId, consentIds }: BasketState): Promise<readonly contract.ConsentItem[]> {
    if (consentIds.length === 0) return [];
    const { consents } = await this.callClient.call(contract.readConsentItems, { tppId, consentIds });
    return consentIds.flatMap((id) => consents.find(({ consentId }) => consentId === id) ?? []);
  }

  /** Returns the PSU's accounts permitted by all consents in which the PSU chooses the accounts. */
  async openableAccounts(basket: BasketState, psuId: string): Promise<readonly PsuAccount[]> {
    const { tppId, basketId, consentIds } = basket;
    if (consentIds.length === 0) return [];
    const request = { tppId, basketId, consentIds, psuId };
    return (await this.callClient.call(contract.listConsentItemAccounts, request)).accounts;
  }

  /** Returns the reason why the PSU cannot authorise one of the consents, if there is one. */
  async failure(
    { tppId, basketId, consentIds }: BasketState,
    psu: Pick<RequestOf<Check>, 'authorisationId' | 'psuId'>,
  ): Promise<AnswerOf<Check>['reason']> {
    if (consentIds.length === 0) return undefined;
    const request = { tppId, basketId, consentIds, ...psu };
    return (await this.callClient.call(contract.checkConsentItems, request)).reason;
  }
}
