import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { ConsentRef } from '@xs2a/contracts/consents.contract';
import type { AuthorisationStarted, StartAuthorisation } from '@xs2a/contracts/payments.contract';
import { startConsentAuthorisation } from '@xs2a/domain/consent/decide-consent';
import { answerOfEarlierAttempt, type AttemptClaim } from '@xs2a/event-store/streams/event-store';
import { Clock } from '@xs2a/runtime/clock';
import { newId } from '@xs2a/runtime/ids';
import { BankAccounts } from './bank-accounts.js';
import { Consents, ofTpp } from '../store/consents.js';
import { ConsentStore } from '../store/consent-store.js';

type StartRequest = ConsentRef & StartAuthorisation;

/** POST …/authorisations (contract 10): a further person is to sign the consent. */
export class StartConsentAuthorisation extends Command<AuthorisationStarted> {
  constructor(readonly request: StartRequest) {
    super();
  }
}

/** Starts an authorisation. Contract 3, precedence: headers, then a key that was answered before, then the consent. */
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
    if (psuCorporateId !== undefined) await this.bank.signersOf({}, psuCorporateId);
    const started: AuthorisationStarted = { authorisationId: newId() };
    const attempt = claimOf(request, started);
    const earlier = attempt && (await this.store.findAttempt(attempt));
    if (earlier !== undefined) return answerOfEarlierAttempt<AuthorisationStarted>(earlier);
    await this.consents.read(consentId, ofTpp(tppId));
    const outcome = await this.store.changeOnce(
      consentId,
      (state) =>
        startConsentAuthorisation(state, {
          ...started,
          ...(psuId === undefined ? {} : { psuId }),
          ...(psuCorporateId === undefined ? {} : { psuCorporateId }),
          ...(Object.keys(redirectUris).length === 0 ? {} : { redirectUris }),
          ...(notification === undefined ? {} : { notification }),
          now: this.clock.now(),
        }),
      { actor: tppId, attempt },
    );
    return outcome === 'appended' ? started : answerOfEarlierAttempt<AuthorisationStarted>(outcome);
  }
}

const claimOf = (
  { tppId, attempt: { key, path, hash } }: StartRequest,
  answer: AuthorisationStarted,
): AttemptClaim | undefined => (key === undefined ? undefined : { tppId, key, path, hash, answer });
