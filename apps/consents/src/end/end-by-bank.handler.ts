import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { CommandOf } from '@xs2a/calls/handlers';
import type { AnswerOf } from '@xs2a/contracts/call';
import * as contract from '@xs2a/contracts/consents.contract';
import { endConsentByBank } from '@xs2a/domain/consent/decide-consent';
import { Consents } from '../store/consents.js';

/** An operator of the bank ends a consent (docs/how-to/operate-the-console.md). */
export class EndConsentByBank extends CommandOf(contract.endConsentByBank) {}

/** Expires a valid consent and rejects an unauthorised one. Does not change a consent that has ended. */
@CommandHandler(EndConsentByBank)
export class EndConsentByBankHandler implements ICommandHandler<EndConsentByBank> {
  constructor(private readonly consents: Consents) {}

  async execute({
    request: { consentId },
  }: EndConsentByBank): Promise<AnswerOf<typeof contract.endConsentByBank>> {
    // The decision runs again after a race with another change; its last run is the one that was stored.
    let ended = false;
    const { status } = await this.consents.change(
      consentId,
      'operator',
      () => true,
      (state) => {
        const decision = endConsentByBank(state);
        ended = 'events' in decision && decision.events.length > 0;
        return decision;
      },
    );
    return { consentStatus: status, ended };
  }
}
