import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { CommandOf } from '@xs2a/calls/handlers';
import { rejectConsentItems } from '@xs2a/contracts/baskets.contract';
import { rejectGroupedConsent } from '@xs2a/domain/consent/group-consent';
import { BasketItems } from './basket-items.js';

/** A basket was rejected, and every consent in it must be rejected too (contract 10). */
export class RejectConsentItems extends CommandOf(rejectConsentItems) {}

/** Rejects the consents that are in this basket; a repeat changes nothing. */
@CommandHandler(RejectConsentItems)
export class RejectConsentItemsHandler implements ICommandHandler<RejectConsentItems> {
  constructor(private readonly items: BasketItems) {}

  async execute({
    request: { basketId, consentIds, reason },
  }: RejectConsentItems): Promise<Record<string, never>> {
    await this.items.changeEach(consentIds, (state) => rejectGroupedConsent(state, { basketId, reason }));
    return {};
  }
}
