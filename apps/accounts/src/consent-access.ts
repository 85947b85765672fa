import { Inject, Injectable } from '@nestjs/common';
import type { AisCaller, Counted } from '@xs2a/contracts/accounts.contract';
import { answerWithinMs } from '@xs2a/contracts/call';
import {
  type AccessCounted,
  type AisEndpoint,
  countAccess,
  type CountAccess,
  releaseAccess,
} from '@xs2a/contracts/consents.contract';
import type { GrantedAccount } from '@xs2a/domain/consent/consent-events';
import { callFailed } from '@xs2a/domain/failure/failed';
import { CallClient } from '@xs2a/calls/client';
import type { Logger } from '@xs2a/observability/logger';
import { LOGGER } from '@xs2a/runtime/tokens';

/** Asks the consents service before an account information call is answered, and uncounts the call if it fails. */
@Injectable()
export class ConsentAccess {
  constructor(
    private readonly callClient: CallClient,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Answers a call for the list of consented accounts. Throws the failures of the consent check. */
  async toList<Answer>(
    caller: AisCaller,
    answer: (accounts: readonly GrantedAccount[]) => Promise<Answer>,
  ): Promise<Answer & Counted> {
    return this.counted(caller, { endpoint: 'accounts' }, async ({ accounts }) => answer(accounts));
  }

  /** Answers a call for one account of the consent. Throws the failures of the consent check. */
  async toAccount<Answer>(
    request: AisCaller & { readonly resourceId: string },
    endpoint: AisEndpoint,
    answer: (account: GrantedAccount) => Promise<Answer>,
  ): Promise<Answer & Counted> {
    const { resourceId } = request;
    return this.counted(request, { endpoint, resourceId }, async (counted) =>
      answer(findGranted(counted, resourceId)),
    );
  }

  /**
   * Answers a call for the transactions of one account. `reportsAt` is present if the call is a report;
   * `lastReportAt` is then the time of the previous report, if any.
   */
  async toReport<Answer>(
    request: AisCaller & { readonly resourceId: string },
    reportsAt: string | undefined,
    answer: (account: GrantedAccount, lastReportAt: string | undefined) => Promise<Answer>,
  ): Promise<Answer & Counted> {
    const { resourceId } = request;
    const asked = { endpoint: 'transactions', resourceId, reportsAt } as const;
    return this.counted(request, asked, async (counted) =>
      answer(findGranted(counted, resourceId), counted.lastReportAt),
    );
  }

  private async counted<Answer>(
    { tppId, consentId, psuIpAddress, callId }: AisCaller,
    asked: Pick<CountAccess, 'endpoint' | 'resourceId' | 'reportsAt'>,
    answer: (counted: AccessCounted) => Promise<Answer>,
  ): Promise<Answer & Counted> {
    const begun = performance.now();
    const psuPresent = psuIpAddress !== undefined;
    const call = { tppId, consentId, psuPresent, callId, ...asked };
    const counted = await this.callClient.call(countAccess, call);
    try {
      const { remaining } = counted;
      const count: Counted = remaining === undefined ? {} : { unattendedRemaining: remaining };
      return await answer(counted).then((answered) => ({ ...answered, ...count }));
    } catch (error) {
      // After a pause in which the process could not run, such as a freeze, another instance may have
      // answered this same call.
      const isOvertaken = performance.now() - begun > answerWithinMs;
      if (counted.claimId !== undefined && !isOvertaken) await this.release(counted.claimId, callId);
      throw error;
    }
  }

  /** A call that cannot be uncounted stays counted, which errs in the PSU's favour. */
  private async release(claimId: string, callId: string): Promise<void> {
    await this.callClient
      .call(releaseAccess, { claimId, callId })
      .catch((error: unknown) => this.logger.warn({ error }, 'removing a call from the count failed'));
  }
}

const findGranted = ({ accounts }: AccessCounted, asked: string): GrantedAccount => {
  const account = accounts.find(({ resourceId }) => resourceId === asked);
  if (account === undefined) throw callFailed('resourceUnknown');
  return account;
};
