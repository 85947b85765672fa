import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { QueryOf } from '@xs2a/calls/handlers';
import { CallClient } from '@xs2a/calls/client';
import { readAccountFacts } from '@xs2a/contracts/accounts.contract';
import { type ConsentItem, readConsentItems } from '@xs2a/contracts/baskets.contract';
import type { AnswerOf } from '@xs2a/contracts/call';
import { type ItemOwner, listOwners } from '@xs2a/domain/basket/basket-items';
import { isGroupedOut } from '@xs2a/domain/basket/groupings';
import { listIbans } from '@xs2a/domain/consent/consent-events';
import type { ConsentState } from '@xs2a/domain/consent/consent-state';
import { isGroupedConsent } from '@xs2a/domain/consent/consent-transitions';
import { BasketItems } from './basket-items.js';

type Answer = AnswerOf<typeof readConsentItems>;

/** The payments service requests the consents that a basket contains, or is to contain. */
export class ReadConsentItems extends QueryOf(readConsentItems) {}

/** Returns those of the consents that belong to the TPP. */
@QueryHandler(ReadConsentItems)
export class ReadConsentItemsHandler implements IQueryHandler<ReadConsentItems> {
  constructor(
    private readonly items: BasketItems,
    private readonly callClient: CallClient,
  ) {}

  async execute({ request: { tppId, consentIds } }: ReadConsentItems): Promise<Answer> {
    const states = [...(await this.items.states(consentIds)).values()].filter(
      (state) => state.tppId === tppId,
    );
    return {
      consents: await Promise.all(states.map(async (state) => toItem(state, await this.readOwners(state)))),
    };
  }

  private async readOwners({
    corporateId,
    access,
    psuPicksAccounts,
  }: ConsentState): Promise<readonly ItemOwner[]> {
    if (corporateId !== undefined) return [{ corporateId }];
    if (psuPicksAccounts) return [];
    const known = await Promise.all(
      listIbans(access).map(async (iban) => (await this.callClient.call(readAccountFacts, { iban })).account),
    );
    return known.flatMap(listOwners);
  }
}

const toItem = (state: ConsentState, owners: readonly ItemOwner[]): ConsentItem => ({
  consentId: state.consentId,
  consentStatus: state.status,
  isGrouped: isGroupedConsent(state),
  isGroupedOut: isGroupedOut(state),
  namedPsuId: state.namedPsuId,
  owners,
  signaturesRequired: state.signaturesRequired,
  expiresAt: state.expiresAt,
  access: state.access,
  psuPicksAccounts: state.psuPicksAccounts,
  recurringIndicator: state.recurringIndicator,
  validUntil: state.validUntil,
  frequencyPerDay: state.frequencyPerDay,
});
