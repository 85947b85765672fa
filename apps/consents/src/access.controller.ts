import { Controller, Inject } from '@nestjs/common';
import type { Reply } from '@xs2a/contracts/call';
import {
  type AccessClaimed,
  claimAccess,
  type ClaimAccess,
  claimAccesses,
  type CountedAccess,
  releaseAccess,
} from '@xs2a/contracts/consents.contract';
import { CallFailed, dependencyDown } from '@xs2a/messaging/call-failed';
import { Handles } from '@xs2a/messaging/handles';
import type { Logger } from '@xs2a/observability/logger';
import { failpoint } from '@xs2a/runtime/failpoint';
import { LOGGER } from '@xs2a/runtime/tokens';
import { AccessClaims } from './access-claims.js';

/** Answers the accounts service before and after each AIS call. */
@Controller()
export class AccessController {
  constructor(
    private readonly claims: AccessClaims,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  @Handles(claimAccess)
  async claim(request: ClaimAccess): Promise<AccessClaimed> {
    const claimed = await this.claims.claim(request);
    failpoint('consents.after-claim');
    return claimed;
  }

  /** One that fails, for whatever reason, leaves the others as they are. */
  @Handles(claimAccesses)
  async claimSeveral({
    claims,
  }: {
    claims: readonly ClaimAccess[];
  }): Promise<{ outcomes: readonly Reply<CountedAccess>[] }> {
    const outcomes = await Promise.all(claims.map(async (request) => this.outcomeOf(request)));
    failpoint('consents.after-claim');
    return { outcomes };
  }

  @Handles(releaseAccess)
  async release({ claimId }: { claimId: string }): Promise<Record<string, never>> {
    await this.claims.release(claimId);
    return {};
  }

  private async outcomeOf(request: ClaimAccess): Promise<Reply<CountedAccess>> {
    try {
      const { remaining } = await this.claims.claim(request);
      return { ok: { remaining } };
    } catch (error) {
      if (error instanceof CallFailed) return { failures: error.failures };
      this.logger.warn({ error }, 'an access could not be claimed');
      return { failures: dependencyDown().failures };
    }
  }
}
