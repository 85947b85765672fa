import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type * as contract from '@xs2a/contracts/consents.contract';
import type { AccessClaimed } from '@xs2a/contracts/consents.contract';
import { consentAccessFailure } from '@xs2a/domain/consent/consent-access';
import type { ConsentState } from '@xs2a/domain/consent/consent-state';
import { callLimit, unattendedCall } from '@xs2a/domain/consent/unattended-window';
import type { Failure } from '@xs2a/domain/failure/failures';
import type { Profile } from '@xs2a/domain/profile/profile';
import { CallFailed, callFailed, dependencyDown } from '@xs2a/domain/failure/failed';
import { Clock } from '@xs2a/runtime/clock';
import { PROFILE } from '@xs2a/runtime/tokens';
import { randomInt } from 'node:crypto';
import { AccessWindows, type Counting, type Report, type WindowKey } from './access-window.js';
import { claimIdOf } from './claim-id.js';
import { ClaimQueue } from './claim-queue.js';
import type { Asked, Seen } from './claim-statement.js';
import { isUuid } from '../store/consent-ids.js';
import { LastUsed } from './last-used.js';

const maxTries = 5;

/** The accounts service is about to answer an AIS call (contract 5, spec 8). */
export class ClaimAccess extends Command<AccessClaimed> {
  constructor(readonly request: contract.ClaimAccess) {
    super();
  }
}

/** A consent as it was read. */
interface ReadConsent {
  readonly version: number;
  readonly state: ConsentState;
}

/**
 * Decides AIS calls and counts them (contract 5, spec 8). The consent is read first. The statement that counts does so
 * only while the consent is as it was read, and otherwise brings the newer one.
 */
@CommandHandler(ClaimAccess)
export class ClaimAccessHandler implements ICommandHandler<ClaimAccess> {
  constructor(
    private readonly queue: ClaimQueue,
    private readonly windows: AccessWindows,
    private readonly lastUsed: LastUsed,
    private readonly clock: Clock,
    @Inject(PROFILE) private readonly profile: Profile,
  ) {}

  /** Throws CallFailed: consentUnknown, consentInvalid, consentExpired, resourceUnknown or accessExceeded. */
  async execute({ request }: ClaimAccess): Promise<AccessClaimed> {
    const { tppId, consentId } = request;
    if (!isUuid(consentId)) throw callFailed('consentUnknown');
    let consent = await this.read(tppId, consentId);
    for (let tries = 1; tries <= maxTries; tries += 1) {
      const { version, state } = consent;
      const refusal = this.refusal(state, request);
      if (refusal !== undefined) throw new CallFailed([refusal]);
      const asked = {
        tppId,
        consentId,
        knownVersion: version,
        counting: this.countingOf(state, request),
        report: reportOf(request),
      };
      const row = await this.queue.ask(asked);
      if (row === undefined) throw callFailed('consentUnknown');
      if (row.version === version) {
        const claimed = await this.outcome(state, row, asked, request.psuPresent);
        this.lastUsed.note(consentId, this.clock.nowMs());
        return claimed;
      }
      consent = readIn(row);
    }
    throw dependencyDown();
  }

  private async read(tppId: string, consentId: string): Promise<ReadConsent> {
    const row = await this.queue.ask({ tppId, consentId, knownVersion: 0 });
    if (row === undefined) throw callFailed('consentUnknown');
    return readIn(row);
  }

  private refusal(state: ConsentState, { endpoint, resourceId }: contract.ClaimAccess): Failure | undefined {
    return consentAccessFailure(state, {
      endpoint,
      resourceId,
      today: this.clock.date(this.profile.timeZone),
      now: this.clock.now(),
    });
  }

  /** The counter for a call; undefined when the call is not counted. */
  private countingOf(state: ConsentState, request: contract.ClaimAccess): Counting | undefined {
    const limit = callLimit(state, request.psuPresent);
    if (limit === undefined) return undefined;
    const oneOff = !state.recurringIndicator;
    const nowMs = this.clock.nowMs();
    return {
      key: windowKeyOf(request),
      oneOff,
      call: nowMs * 1000 + randomInt(1000),
      id: request.callId,
      limit,
      firstUseAfter: (nowMs - this.profile.oneOffConsentSeconds * 1000) * 1000,
    };
  }

  private async outcome(
    { accounts }: ConsentState,
    row: Seen,
    { counting, report }: Asked,
    psuPresent: boolean,
  ): Promise<AccessClaimed> {
    const key = counting?.key ?? report?.key;
    if (key === undefined) return { accounts };
    if (counting === undefined || row.counted !== undefined) {
      const { counted = [], lastReport } = row;
      const noted = report && (lastReport === undefined ? {} : { last: lastReport });
      return {
        accounts,
        claimId: claimIdOf({ key, call: counting?.call, report: noted }),
        ...(counting === undefined || psuPresent ? {} : { remaining: counting.limit - counted.length }),
        ...(lastReport === undefined ? {} : { lastReportAt: instantOf(lastReport) }),
      };
    }
    if (row.firstUse !== undefined) throw callFailed('consentExpired');
    throw new CallFailed([await this.exceeded(counting.key, row.full ?? [], counting.limit)]);
  }

  /** Calls that ran in parallel may have filled the window after the statement began: then it is read once more. */
  private async exceeded(key: WindowKey, full: readonly number[], limit: number): Promise<Failure> {
    const calls = full.length < limit ? await this.windows.callsOf(key) : full;
    const verdict = unattendedCall(calls.map(instantOf), this.clock.now(), limit);
    return { failure: 'accessExceeded', retryAfter: verdict.allowed ? 1 : verdict.retryAfterSeconds };
  }
}

const windowKeyOf = ({ consentId, endpoint, resourceId }: contract.ClaimAccess): WindowKey => ({
  consentId,
  endpoint,
  resourceId: endpoint === 'accounts' ? '' : (resourceId ?? ''),
});

const reportOf = (request: contract.ClaimAccess): Report | undefined =>
  request.reportsAt === undefined
    ? undefined
    : { key: windowKeyOf(request), at: Date.parse(request.reportsAt) * 1000 };

const instantOf = (microseconds: number): string => new Date(Math.floor(microseconds / 1000)).toISOString();

const readIn = ({ version, state }: Seen): ReadConsent => {
  if (state === undefined) throw new Error('a newer consent came without its state');
  return { version, state };
};
