import { Inject, Injectable } from '@nestjs/common';
import { readCorporate } from '@xs2a/contracts/accounts.contract';
import type { Attempt } from '@xs2a/contracts/call';
import type { CreateConsent } from '@xs2a/contracts/consents.contract';
import { createConsent } from '@xs2a/domain/consent/decide-consent';
import { validateConsent } from '@xs2a/domain/consent/validate-consent';
import type { Failure } from '@xs2a/domain/failure/failures';
import type { Profile } from '@xs2a/domain/profile/profile';
import { answerOfEarlierAttempt, type AttemptClaim } from '@xs2a/event-store/event-store';
import { CallFailed, callFailed } from '@xs2a/messaging/call-failed';
import { Requester } from '@xs2a/messaging/requester';
import { Clock } from '@xs2a/runtime/clock';
import { failpoint } from '@xs2a/runtime/failpoint';
import { newId } from '@xs2a/runtime/ids';
import { PROFILE } from '@xs2a/runtime/tokens';
import { ConsentStore } from './consent-store.js';

/** What POST /consents answers from; the same for every repeat of an attempt. */
export interface ConsentCreated {
  readonly consentId: string;
  readonly authorisationId: string;
}

/** POST /consents (contract 5): headers, then a repeated attempt, then the body; the first that fails answers. */
@Injectable()
export class ConsentCreation {
  constructor(
    private readonly store: ConsentStore,
    private readonly requester: Requester,
    private readonly clock: Clock,
    @Inject(PROFILE) private readonly profile: Profile,
  ) {}

  /** Throws CallFailed: what the headers or the body violate, corporateIdUnknown, or what an earlier attempt says. */
  async create(request: CreateConsent): Promise<ConsentCreated> {
    const { tppId, psuId, psuCorporateId, redirectUris, attempt } = request;
    const today = this.clock.date(this.profile.timeZone);
    const judged = validateConsent(request.body, { psuId, psuCorporateId }, { profile: this.profile, today });
    const failures = 'failures' in judged ? judged.failures : [];
    if (failures.some(ofHeader)) throw new CallFailed(failures);
    if (psuCorporateId !== undefined) await this.mustKnow(psuCorporateId);
    if (!('valid' in judged)) return this.earlierAnswer(tppId, attempt, failures);

    const created: ConsentCreated = { consentId: newId(), authorisationId: newId() };
    const outcome = await this.store.append({
      streamId: created.consentId,
      events: createConsent(
        { ...judged.valid, ...created, tppId, psuId, psuCorporateId, redirectUris, now: this.clock.now() },
        this.profile,
      ),
      actor: tppId,
      attempt: claimOf(tppId, attempt, created),
    });
    failpoint('consents.after-append');
    return outcome === 'appended' ? created : answerOfEarlierAttempt<ConsentCreated>(outcome);
  }

  private async mustKnow(corporateId: string): Promise<void> {
    const { known } = await this.requester.call(readCorporate, { corporateId });
    if (!known) throw callFailed('corporateIdUnknown');
  }

  /** A wrong body under a key that was answered before is a repeat or a reuse, not a format error (contract 3). */
  private async earlierAnswer(
    tppId: string,
    attempt: Attempt,
    failures: readonly Failure[],
  ): Promise<ConsentCreated> {
    const claim = claimOf(tppId, attempt, undefined);
    const earlier = claim && (await this.store.findAttempt(claim));
    if (earlier === undefined) throw new CallFailed(failures);
    return answerOfEarlierAttempt<ConsentCreated>(earlier);
  }
}

const ofHeader = ({ failure }: Failure): boolean => failure === 'headerMalformed';

const claimOf = (tppId: string, { key, path, hash }: Attempt, answer: unknown): AttemptClaim | undefined =>
  key === undefined ? undefined : { tppId, key, path, hash, answer };
