import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { CommandOf } from '@xs2a/calls/handlers';
import { groupConsents } from '@xs2a/contracts/baskets.contract';
import type { AnswerOf } from '@xs2a/contracts/call';
import { groupConsent } from '@xs2a/domain/consent/group-consent';
import { BasketItems } from './basket-items.js';

type Grouped = AnswerOf<typeof groupConsents>;

/** A basket that is being created claims its consents (contract 10). */
export class GroupConsentItems extends CommandOf(groupConsents) {}

/**
 * Claims the consents one by one in order of id, so that if two baskets have several items in common, one of them
 * gets all of those.
 */
@CommandHandler(GroupConsentItems)
export class GroupConsentItemsHandler implements ICommandHandler<GroupConsentItems> {
  constructor(private readonly items: BasketItems) {}

  async execute({ request: { tppId, basketId, consentIds } }: GroupConsentItems): Promise<Grouped> {
    for (const consentId of [...consentIds].sort()) {
      const refused = await this.items.changeOne(consentId, (state) =>
        groupConsent(state, { basketId, tppId }),
      );
      if (refused !== undefined) return { refused: { ...refused, consentId } };
    }
    return {};
  }
}
