import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { CommandOf } from '@xs2a/calls/handlers';
import * as contract from '@xs2a/contracts/consents.contract';
import type { AccessCounted } from '@xs2a/contracts/consents.contract';
import { consentAccessFailure } from '@xs2a/domain/consent/consent-access';
import type { ConsentState } from '@xs2a/domain/consent/consent-state';
import { callLimit, unattendedCall } from '@xs2a/domain/consent/unattended-window';
import type { Failure } from '@xs2a/domain/failure/failures';
import type { Profile } from '@xs2a/domain/profile/profile';
import { CallFailed, callFailed, dependencyDown } from '@xs2a/domain/failure/failed';
import { counter } from '@xs2a/observability/metrics';
import { Clock } from '@xs2a/runtime/clock';
import { failpoint } from '@xs2a/runtime/failpoint';
import { PROFILE } from '@xs2a/runtime/tokens';
import { randomInt } from 'node:crypto';
import { isUuid } from '@xs2a/domain/text/uuid';
import { CallCounters } from './call-counters.js';
import type { CountRequest, CountResult } from './count-calls.js';
import { type CounterKey, toClaimId } from './counter-key.js';
import { LastUsed } from './last-used.js';

const refused = counter(
  'xs2a_unattended_calls_refused_total',
  'Calls without the PSU that exceeded the limit of their consent',
  ['endpoint'],
);

/**
 * The maximum number of times that a consent is read again because it changed between the decision and the
 * counting.
 */
const maxTries = 5;

/** The accounts service is about to answer an AIS call (contract 5, spec 8). */
export class CountAccess extends CommandOf(contract.countAccess) {}

/**
 * Checks an AIS call against its consent and counts it. The call is refused for the first of these reasons that
 * applies:
 *
 * 1. the TPP has no such consent: consentUnknown
 * 2. the consent is no longer valid, or does not permit this endpoint or account: {@link consentAccessFailure}
 * 3. the consent is for one use, and the time allowed since its first use has passed: consentExpired
 * 4. the PSU is not present, and the consent's limit of calls in 24 hours is reached: accessExceeded; or the consent is
 *    one-off, and has been used for this call: oneOffCallRepeated
 *
 * The consent is read first. The counting statement counts the call only if the consent has not changed since.
 * Otherwise it returns the newer consent, and the rules are applied again.
 */
@CommandHandler(CountAccess)
export class CountAccessHandler implements ICommandHandler<CountAccess> {
  constructor(
    private readonly counters: CallCounters,
    private readonly lastUsed: LastUsed,
    private readonly clock: Clock,
    @Inject(PROFILE) private readonly profile: Profile,
  ) {}

  async execute({ request }: CountAccess): Promise<AccessCounted> {
    const { tppId, consentId } = request;
    if (!isUuid(consentId)) throw callFailed('consentUnknown');
    let known = await this.ask({ tppId, consentId, knownVersion: 0 });
    for (let tries = 1; tries <= maxTries; tries += 1) {
      const { version, state } = known;
      if (state === undefined) throw new Error('a changed consent was returned without its state');
      this.mustAllow(state, request);
      const counting = this.findCounting(request, { version, state });
      const result = await this.ask(counting);
      if (result.version === version) {
        const answer = await this.answer(request, { state, counting, result });
        this.lastUsed.note(consentId, this.clock.nowMs());
        failpoint('consents.after-claim');
        return answer;
      }
      known = result;
    }
    throw dependencyDown();
  }

  private async ask(request: CountRequest): Promise<CountResult> {
    const result = await this.counters.count(request);
    if (result === undefined) throw callFailed('consentUnknown');
    return result;
  }

  private mustAllow(state: ConsentState, { endpoint, resourceId }: contract.CountAccess): void {
    const today = this.clock.date(this.profile.timeZone);
    const failure = consentAccessFailure(state, { endpoint, resourceId, today, now: this.clock.now() });
    if (failure !== undefined) throw new CallFailed([failure]);
  }

  /**
   * Returns the counter of the call and what to write to it: the call if it is to be counted, and a report if it
   * is one.
   */
  private findCounting(
    { tppId, consentId, callId, reportsAt, psuPresent, ...place }: contract.CountAccess,
    { version, state }: { readonly version: number; readonly state: ConsentState },
  ): CountRequest {
    const limit = callLimit(state, psuPresent);
    const counting = { tppId, consentId, knownVersion: version };
    if (limit === undefined && reportsAt === undefined) return counting;
    const nowMs = this.clock.nowMs();
    const firstUseAfter = (nowMs - this.profile.oneOffConsentSeconds * 1000) * 1000;
    return {
      ...counting,
      counter: chooseCounter({ consentId, ...place }),
      reportedAt: reportsAt === undefined ? undefined : Date.parse(reportsAt) * 1000,
      call:
        limit === undefined
          ? undefined
          : {
              // The last three digits distinguish calls in the same millisecond.
              at: nowMs * 1000 + randomInt(1000),
              id: callId,
              limit,
              oneOff: !state.recurringIndicator,
              firstUseAfter,
            },
    };
  }

  private async answer(
    { psuPresent, endpoint }: contract.CountAccess,
    {
      state: { accounts },
      counting: { counter, call, reportedAt },
      result,
    }: { readonly state: ConsentState; readonly counting: CountRequest; readonly result: CountResult },
  ): Promise<AccessCounted> {
    if (counter === undefined) return { accounts };
    const { counted, lastReport, firstUse, full = [] } = result;
    if (call !== undefined && counted === undefined) {
      if (firstUse !== undefined) throw callFailed('consentExpired');
      if (!psuPresent) refused.inc({ endpoint });
      throw new CallFailed([await this.exceeded(counter, full, call)]);
    }
    const report = reportedAt === undefined ? undefined : { last: lastReport };
    return {
      accounts,
      claimId: toClaimId({ key: counter, call: call?.at, report }),
      remaining: call === undefined || psuPresent ? undefined : call.limit - (counted?.length ?? 0),
      lastReportAt: lastReport === undefined ? undefined : toInstant(lastReport),
    };
  }

  /**
   * Returns the failure for a full counter. If parallel calls have filled the counter since the statement began,
   * the counter is read once more.
   */
  private async exceeded(
    counter: CounterKey,
    full: readonly number[],
    { limit, oneOff }: NonNullable<CountRequest['call']>,
  ): Promise<Failure> {
    // Waiting does not help: the consent expires long before the counted call leaves the window.
    if (oneOff) return { failure: 'oneOffCallRepeated' };
    const calls = full.length < limit ? await this.counters.readCalls(counter) : full;
    const next = unattendedCall(calls.map(toInstant), this.clock.now(), limit);
    return { failure: 'accessExceeded', retryAfter: next.allowed ? 1 : next.retryAfterSeconds };
  }
}

const chooseCounter = ({
  consentId,
  endpoint,
  resourceId = '',
}: Pick<contract.CountAccess, 'consentId' | 'endpoint' | 'resourceId'>): CounterKey => ({
  consentId,
  endpoint,
  resourceId: endpoint === 'accounts' ? '' : resourceId,
});

const toInstant = (microseconds: number): string => new Date(Math.floor(microseconds / 1000)).toISOString();
