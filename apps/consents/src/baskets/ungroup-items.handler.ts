import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { CommandOf } from '@xs2a/calls/handlers';
import { ungroupConsents } from '@xs2a/contracts/baskets.contract';
import { ungroupConsent } from '@xs2a/domain/consent/group-consent';
import { BasketItems } from './basket-items.js';

/** A basket that was cancelled, or never created, releases its consents (contract 10). */
export class UngroupConsentItems extends CommandOf(ungroupConsents) {}

/** Releases the consents that are in this basket. */
@CommandHandler(UngroupConsentItems)
export class UngroupConsentItemsHandler implements ICommandHandler<UngroupConsentItems> {
  constructor(private readonly items: BasketItems) {}

  async execute({ request: { basketId, consentIds } }: UngroupConsentItems): Promise<Record<string, never>> {
    await this.items.changeEach(consentIds, (state) => ungroupConsent(state, { basketId }));
    return {};
  }
}
