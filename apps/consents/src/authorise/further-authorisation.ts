import { Injectable } from '@nestjs/common';
import type { ConsentRef } from '@xs2a/contracts/consents.contract';
import type { AuthorisationStarted, StartAuthorisation } from '@xs2a/contracts/payments.contract';
import { startConsentAuthorisation } from '@xs2a/domain/consent/decide-consent';
import { isOpenAuthorisation } from '@xs2a/domain/sca/authorisations';
import { answerOfEarlierAttempt, type AttemptClaim } from '@xs2a/event-store/streams/event-store';
import { Clock } from '@xs2a/runtime/clock';
import { newId } from '@xs2a/runtime/ids';
import { BankAccounts } from './bank-accounts.js';
import { Consents, ofTpp } from '../store/consents.js';
import { ConsentStore } from '../store/consent-store.js';

/** A further person is to sign a consent: started by the TPP, or by that person at the authorization server. */
@Injectable()
export class FurtherAuthorisation {
  constructor(
    private readonly consents: Consents,
    private readonly store: ConsentStore,
    private readonly bank: BankAccounts,
    private readonly clock: Clock,
  ) {}

  /** POST …/authorisations (contract 10). Contract 3, precedence: headers, then an earlier attempt, then the consent. */
  async start(request: ConsentRef & StartAuthorisation): Promise<AuthorisationStarted> {
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

  /** The second door: the PSU's own authorisation that is still open, or a new one. */
  async begin({
    tppId,
    consentId,
    psuId,
  }: ConsentRef & { readonly psuId: string }): Promise<AuthorisationStarted> {
    const authorisationId = newId();
    const now = this.clock.now();
    const { authorisations } = await this.consents.change(consentId, psuId, ofTpp(tppId), (state) =>
      state.authorisations.some((one) => one.namedPsuId === psuId && isOpenAuthorisation(one))
        ? { events: [] }
        : startConsentAuthorisation(state, { authorisationId, psuId, now }),
    );
    const open = authorisations.find((one) => one.namedPsuId === psuId && isOpenAuthorisation(one));
    return { authorisationId: open?.authorisationId ?? authorisationId };
  }
}

const claimOf = (
  { tppId, attempt: { key, path, hash } }: ConsentRef & StartAuthorisation,
  answer: AuthorisationStarted,
): AttemptClaim | undefined => (key === undefined ? undefined : { tppId, key, path, hash, answer });
