import { Controller } from '@nestjs/common';
import {
  type AccessClaimed,
  claimAccess,
  type ClaimAccess,
  releaseAccess,
} from '@xs2a/contracts/consents.contract';
import { Handles } from '@xs2a/calls/handles';
import { failpoint } from '@xs2a/runtime/failpoint';
import { AccessClaims } from './access-claims.js';

/** Answers the accounts service before and after each AIS call. */
@Controller()
export class AccessController {
  constructor(private readonly claims: AccessClaims) {}

  @Handles(claimAccess)
  async claim(request: ClaimAccess): Promise<AccessClaimed> {
    const claimed = await this.claims.claim(request);
    failpoint('consents.after-claim');
    return claimed;
  }

  @Handles(releaseAccess)
  async release({ claimId }: { claimId: string }): Promise<Record<string, never>> {
    await this.claims.release(claimId);
    return {};
  }
}
