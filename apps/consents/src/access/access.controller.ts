import { Controller } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { Handles } from '@xs2a/calls/handles';
import type { RequestOf } from '@xs2a/contracts/call';
import * as contract from '@xs2a/contracts/consents.contract';
import { failpoint } from '@xs2a/runtime/failpoint';
import { ClaimAccess } from './claim-access.handler.js';
import { ReleaseAccess } from './release-access.handler.js';

/** Answers the accounts service before and after each AIS call. */
@Controller()
export class AccessController {
  constructor(private readonly commands: CommandBus) {}

  @Handles(contract.claimAccess)
  async claim(request: contract.ClaimAccess): Promise<contract.AccessClaimed> {
    const claimed = await this.commands.execute(new ClaimAccess(request));
    failpoint('consents.after-claim');
    return claimed;
  }

  @Handles(contract.releaseAccess)
  async release({
    claimId,
    callId,
  }: RequestOf<typeof contract.releaseAccess>): Promise<Record<string, never>> {
    return this.commands.execute(new ReleaseAccess(claimId, callId));
  }
}
