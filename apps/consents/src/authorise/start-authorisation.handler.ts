import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { CommandOf } from '@xs2a/calls/handlers';
import * as contract from '@xs2a/contracts/consents.contract';
import type { AuthorisationStarted } from '@xs2a/contracts/payments.contract';
import { startConsentAuthorisation } from '@xs2a/domain/consent/decide-consent';
import { replayAnswer } from '@xs2a/event-store/streams/event-store';
import { toIdempotencyRecord } from '@xs2a/event-store/streams/idempotency-records';
import { Clock } from '@xs2a/runtime/clock';
import { newId } from '@xs2a/runtime/ids';
import { BankAccounts } from './bank-accounts.js';
import { Consents, ofTpp } from '../store/consents.js';
import { ConsentStore } from '../store/consent-store.js';

/** POST …/authorisations (contract 10): another signer is to sign the consent. */
export class StartConsentAuthorisation extends CommandOf(contract.startConsentAuthorisation) {}

/**
 * Starts an authorisation. Precedence (contract 3): headers, then an idempotency key that was already answered,
 * then the consent.
 */
@CommandHandler(StartConsentAuthorisation)
export class StartConsentAuthorisationHandler implements ICommandHandler<StartConsentAuthorisation> {
  constructor(
    private readonly consents: Consents,
    private readonly store: ConsentStore,
    private readonly bank: BankAccounts,
    private readonly clock: Clock,
  ) {}

  async execute({ request }: StartConsentAuthorisation): Promise<AuthorisationStarted> {
    const { tppId, consentId, psuId, psuCorporateId, redirectUris, notification } = request;
    if (psuCorporateId !== undefined) await this.bank.readSigners({}, psuCorporateId);
    const started: AuthorisationStarted = { authorisationId: newId() };
    const idempotencyRecord = toIdempotencyRecord(request, started);
    const earlier = idempotencyRecord && (await this.store.findEarlierAnswer(idempotencyRecord));
    if (earlier !== undefined) return replayAnswer<AuthorisationStarted>(earlier);
    await this.consents.read(consentId, ofTpp(tppId));
    const outcome = await this.store.changeOnce(
      consentId,
      (state) =>
        startConsentAuthorisation(state, {
          ...started,
          psuId,
          psuCorporateId,
          redirectUris: Object.keys(redirectUris).length === 0 ? undefined : redirectUris,
          notification,
          now: this.clock.now(),
        }),
      { actor: tppId, idempotencyRecord },
    );
    return outcome === 'appended' ? started : replayAnswer<AuthorisationStarted>(outcome);
  }
}
