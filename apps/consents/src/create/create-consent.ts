import { Inject, Injectable } from '@nestjs/common';
import type { Attempt } from '@xs2a/contracts/call';
import type { CreateConsent } from '@xs2a/contracts/consents.contract';
import { createConsent } from '@xs2a/domain/consent/decide-consent';
import { validateConsent } from '@xs2a/domain/consent/validate-consent';
import type { Failure } from '@xs2a/domain/failure/failures';
import type { Profile } from '@xs2a/domain/profile/profile';
import { answerOfEarlierAttempt, type AttemptClaim } from '@xs2a/event-store/streams/event-store';
import { CallFailed } from '@xs2a/domain/failure/failed';
import { Clock } from '@xs2a/runtime/clock';
import { failpoint } from '@xs2a/runtime/failpoint';
import { newId } from '@xs2a/runtime/ids';
import { PROFILE } from '@xs2a/runtime/tokens';
import { BankAccounts } from '../authorise/bank-accounts.js';
import { ConsentStore } from '../store/consent-store.js';

/** The data of the answer to POST /consents; the same for each repeat with the same key. */
export interface ConsentCreated {
  readonly consentId: string;
  /** Absent where several persons have to sign. */
  readonly authorisationId?: string;
}

/** POST /consents (contract 5): headers, then a repeated attempt, then the body; the first that fails answers. */
@Injectable()
export class ConsentCreation {
  constructor(
    private readonly store: ConsentStore,
    private readonly bank: BankAccounts,
    private readonly clock: Clock,
    @Inject(PROFILE) private readonly profile: Profile,
  ) {}

  /** Throws CallFailed: what the headers or the body violate, corporateIdUnknown, or what an earlier attempt says. */
  async create(request: CreateConsent): Promise<ConsentCreated> {
    const { tppId, psuId, psuCorporateId, redirectUris, notification, attempt } = request;
    const today = this.clock.date(this.profile.timeZone);
    const judged = validateConsent(request.body, { psuId, psuCorporateId }, { profile: this.profile, today });
    const failures = 'failures' in judged ? judged.failures : [];
    if (failures.some(ofHeader)) throw new CallFailed(failures);
    if (!('valid' in judged)) {
      if (psuCorporateId !== undefined) await this.bank.signersOf({}, psuCorporateId);
      return this.earlierAnswer(tppId, attempt, failures);
    }
    const signers = await this.bank.signersOf(judged.valid.access, psuCorporateId);
    const created: ConsentCreated = {
      consentId: newId(),
      // When several persons sign, each has an authorisation of its own, which the TPP starts (contract 10).
      ...(signers.signaturesRequired > 1 ? {} : { authorisationId: newId() }),
    };
    const outcome = await this.store.append({
      streamId: created.consentId,
      events: createConsent(
        {
          ...judged.valid,
          ...signers,
          ...created,
          tppId,
          psuId,
          psuCorporateId,
          redirectUris,
          ...(notification === undefined ? {} : { notification }),
          now: this.clock.now(),
        },
        this.profile,
      ),
      actor: tppId,
      attempt: claimOf(tppId, attempt, created),
    });
    failpoint('consents.after-append');
    return outcome === 'appended' ? created : answerOfEarlierAttempt<ConsentCreated>(outcome);
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
