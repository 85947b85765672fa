import { Inject, Injectable } from '@nestjs/common';
import type { AisCaller, Counted } from '@xs2a/contracts/accounts.contract';
import { answerWithinMs } from '@xs2a/contracts/call';
import {
  type AccessClaimed,
  type AisEndpoint,
  claimAccess,
  type ClaimAccess,
  releaseAccess,
} from '@xs2a/contracts/consents.contract';
import type { GrantedAccount } from '@xs2a/domain/consent/consent-events';
import { callFailed } from '@xs2a/domain/failure/failed';
import { CallClient } from '@xs2a/calls/client';
import type { Logger } from '@xs2a/observability/logger';
import { LOGGER } from '@xs2a/runtime/tokens';

/** Asks the consents service before an account information call is answered, and takes the count back when it fails. */
@Injectable()
export class ConsentAccess {
  constructor(
    private readonly requester: CallClient,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** The consented accounts, for the list. Throws what the consent refuses. */
  async toList<Answer>(
    caller: AisCaller,
    answer: (accounts: readonly GrantedAccount[]) => Promise<Answer>,
  ): Promise<Answer & Counted> {
    return this.counted(caller, { endpoint: 'accounts' }, async ({ accounts }) => answer(accounts));
  }

  /** One account of the consent. Throws what the consent refuses. */
  async toAccount<Answer>(
    request: AisCaller & { readonly resourceId: string },
    endpoint: AisEndpoint,
    answer: (account: GrantedAccount) => Promise<Answer>,
  ): Promise<Answer & Counted> {
    const { resourceId } = request;
    return this.counted(request, { endpoint, resourceId }, async (claimed) =>
      answer(grantedOf(claimed, resourceId)),
    );
  }

  /** The transactions of one account; `lastReportAt`, of one that `reportsAt` a moment: when the one before it was made. */
  async toReport<Answer>(
    request: AisCaller & { readonly resourceId: string },
    reportsAt: string | undefined,
    answer: (account: GrantedAccount, lastReportAt: string | undefined) => Promise<Answer>,
  ): Promise<Answer & Counted> {
    const { resourceId } = request;
    const asked = { endpoint: 'transactions', resourceId, reportsAt } as const;
    return this.counted(request, asked, async (claimed) =>
      answer(grantedOf(claimed, resourceId), claimed.lastReportAt),
    );
  }

  private async counted<Answer>(
    { tppId, consentId, psuIpAddress, callId }: AisCaller,
    asked: Pick<ClaimAccess, 'endpoint' | 'resourceId' | 'reportsAt'>,
    answer: (claimed: AccessClaimed) => Promise<Answer>,
  ): Promise<Answer & Counted> {
    const begun = performance.now();
    const psuPresent = psuIpAddress !== undefined;
    const claim = { tppId, consentId, psuPresent, callId, ...asked };
    const claimed = await this.requester.call(claimAccess, claim);
    try {
      const { remaining } = claimed;
      const count: Counted = remaining === undefined ? {} : { unattendedRemaining: remaining };
      return await answer(claimed).then((answered) => ({ ...answered, ...count }));
    } catch (error) {
      // After a time in which nothing could be done, such as a freeze, another instance may have answered this very call.
      const isOvertaken = performance.now() - begun > answerWithinMs;
      if (claimed.claimId !== undefined && !isOvertaken) await this.release(claimed.claimId, callId);
      throw error;
    }
  }

  /** One that cannot be given back stays counted: the PSU's side of the bargain is the safe one. */
  private async release(claimId: string, callId: string | undefined): Promise<void> {
    await this.requester
      .call(releaseAccess, { claimId, callId })
      .catch((error: unknown) => this.logger.warn({ error }, 'a claimed access could not be given back'));
  }
}

const grantedOf = ({ accounts }: AccessClaimed, asked: string): GrantedAccount => {
  const account = accounts.find(({ resourceId }) => resourceId === asked);
  if (account === undefined) throw callFailed('resourceUnknown');
  return account;
};
