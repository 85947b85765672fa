import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { CommandOf } from '@xs2a/calls/handlers';
import type { AnswerOf } from '@xs2a/contracts/call';
import * as contract from '@xs2a/contracts/consents.contract';
import { createConsent } from '@xs2a/domain/consent/decide-consent';
import { type ValidConsent, validateConsent } from '@xs2a/domain/consent/validate-consent';
import { CallFailed } from '@xs2a/domain/failure/failed';
import type { Profile } from '@xs2a/domain/profile/profile';
import { createOrReplay, replayAnswer } from '@xs2a/calls/replay-answer';
import { toIdempotencyRecord } from '@xs2a/event-store/streams/idempotency-records';
import { Clock } from '@xs2a/runtime/clock';
import { failpoint } from '@xs2a/runtime/failpoint';
import { newId } from '@xs2a/runtime/ids';
import { PROFILE } from '@xs2a/runtime/tokens';
import { BankAccounts, type Signers } from '../authorise/bank-accounts.js';
import { CONSENT_STORE, type ConsentStore } from '../store/consent-store.js';
import { BeforeBody } from './before-body.js';

type ConsentCreated = AnswerOf<typeof contract.createConsent>;

/** POST /consents (contract 5). */
export class CreateConsent extends CommandOf(contract.createConsent) {}

/**
 * Creates a consent and stores it together with its idempotency key. A request is refused for the first of these
 * reasons that applies (contract 3):
 *
 * 1. a header is malformed
 * 2. PSU-Corporate-ID is not a corporate of the bank
 * 3. the idempotency key was answered before and the body differs
 * 4. the body breaks a rule
 *
 * A repeat with an idempotency key that was already answered receives the same answer, even if its body would now
 * break a rule. The key is therefore looked up before the body is validated.
 */
@CommandHandler(CreateConsent)
export class CreateConsentHandler implements ICommandHandler<CreateConsent> {
  constructor(
    private readonly beforeBody: BeforeBody,
    @Inject(CONSENT_STORE) private readonly store: ConsentStore,
    private readonly bank: BankAccounts,
    private readonly clock: Clock,
    @Inject(PROFILE) private readonly profile: Profile,
  ) {}

  async execute({ request }: CreateConsent): Promise<ConsentCreated> {
    const { corporate, replay } = await this.beforeBody.check(request);
    if (replay !== undefined) return replay;
    return createOrReplay(
      async () => this.create(request, corporate),
      async () => this.store.idempotencyKeys.findEarlier(request),
    );
  }

  /** Throws CallFailed with all the rules that the body breaks. */
  private async create(
    request: contract.CreateConsent,
    corporate: Signers | undefined,
  ): Promise<ConsentCreated> {
    const today = this.clock.date(this.profile.timeZone);
    const validated = validateConsent(request.body, { profile: this.profile, today });
    if ('failures' in validated) throw new CallFailed(validated.failures);
    const signers = corporate ?? (await this.bank.signersOfAccounts(validated.valid.access));
    const created: ConsentCreated = {
      consentId: newId(),
      // With several signers, each has a separate authorisation, which the TPP starts (contract 10).
      authorisationId: signers.signaturesRequired > 1 ? undefined : newId(),
    };
    const outcome = await this.store.append({
      streamId: created.consentId,
      events: this.events(request, { ...validated.valid, ...signers, ...created }),
      actor: request.tppId,
      idempotencyRecord: toIdempotencyRecord(request, created),
    });
    failpoint('consents.after-append');
    return outcome === 'appended' ? created : replayAnswer<ConsentCreated>(outcome);
  }

  private events(
    { tppId, psuId, psuCorporateId, redirectUris, notification }: contract.CreateConsent,
    consent: ValidConsent & Signers & ConsentCreated,
  ) {
    return createConsent(
      {
        ...consent,
        tppId,
        psuId,
        psuCorporateId,
        redirectUris,
        notification,
        now: this.clock.now(),
      },
      this.profile,
    );
  }
}
