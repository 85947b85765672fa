import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { CommandOf } from '@xs2a/calls/handlers';
import type { AnswerOf } from '@xs2a/contracts/call';
import { expireConsent } from '@xs2a/contracts/consents.contract';
import { isGroupedConsent } from '@xs2a/domain/consent/consent-transitions';
import { expireConsentNow } from '@xs2a/domain/consent/decide-consent';
import type { Profile } from '@xs2a/domain/profile/profile';
import { PROFILE } from '@xs2a/runtime/tokens';
import { Consents, ofTpp } from '../store/consents.js';

/** A TPP in the sandbox lets the time of its consent end (contract 13). */
export class ExpireConsent extends CommandOf(expireConsent) {}

/**
 * Rejects an unauthorised consent, and expires a valid one. Names the basket of a consent that is in one, which
 * expires instead.
 */
@CommandHandler(ExpireConsent)
export class ExpireConsentHandler implements ICommandHandler<ExpireConsent> {
  constructor(
    private readonly consents: Consents,
    @Inject(PROFILE) private readonly profile: Profile,
  ) {}

  async execute({ request: { tppId, consentId } }: ExpireConsent): Promise<AnswerOf<typeof expireConsent>> {
    const consent = await this.consents.change(consentId, tppId, ofTpp(tppId), (state) =>
      expireConsentNow(state, this.profile),
    );
    return isGroupedConsent(consent) ? { basketId: consent.basketId } : {};
  }
}
