import { Inject } from '@nestjs/common';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { QueryOf } from '@xs2a/calls/handlers';
import * as contract from '@xs2a/contracts/consents.contract';
import { consentAccessFailure } from '@xs2a/domain/consent/consent-access';
import type { Profile } from '@xs2a/domain/profile/profile';
import { CallFailed, callFailed } from '@xs2a/domain/failure/failed';
import { Clock } from '@xs2a/runtime/clock';
import { PROFILE } from '@xs2a/runtime/tokens';
import { Consents, ofTpp } from '../store/consents.js';
import { CallCounters } from './call-counters.js';

/**
 * The gateway has found an error in an AIS call. If the consent does not permit the call, that takes precedence
 * over the error (contract 3).
 */
export class CheckAccess extends QueryOf(contract.checkAccess) {}

/**
 * Checks consent, access type and account as {@link CountAccessHandler} does, but not the number of remaining
 * calls. Changes nothing.
 */
@QueryHandler(CheckAccess)
export class CheckAccessHandler implements IQueryHandler<CheckAccess> {
  constructor(
    private readonly consents: Consents,
    private readonly counters: CallCounters,
    private readonly clock: Clock,
    @Inject(PROFILE) private readonly profile: Profile,
  ) {}

  /** Rejects with CallFailed: consentUnknown, consentInvalid, accessNotGranted, consentExpired or resourceUnknown. */
  async execute({ request }: CheckAccess): Promise<Record<string, never>> {
    const { tppId, consentId, endpoint, resourceId } = request;
    const state = await this.consents.read(consentId, ofTpp(tppId));
    const refusal = consentAccessFailure(state, {
      endpoint,
      resourceId,
      today: this.clock.date(this.profile.timeZone),
      now: this.clock.now(),
    });
    if (refusal !== undefined) throw new CallFailed([refusal]);
    const firstUseAfter = (this.clock.nowMs() - this.profile.oneOffConsentSeconds * 1000) * 1000;
    if (!state.recurringIndicator && (await this.counters.wasUsedBy(consentId, firstUseAfter)))
      throw callFailed('consentExpired');
    return {};
  }
}
