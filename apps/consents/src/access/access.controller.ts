import { Controller } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { Handles } from '@xs2a/calls/handles';
import type { RequestOf } from '@xs2a/contracts/call';
import type * as contract from '@xs2a/contracts/consents.contract';
import { countAccess, releaseAccess } from '@xs2a/contracts/consents.contract';
import { failpoint } from '@xs2a/runtime/failpoint';
import { CountAccess } from './count-access.handler.js';
import { ReleaseAccess } from './release-access.handler.js';

/** Answers the accounts service before and after each AIS call. */
@Controller()
export class AccessController {
  constructor(private readonly commands: CommandBus) {}

  @Handles(countAccess)
  async count(request: contract.CountAccess): Promise<contract.AccessCounted> {
    const counted = await this.commands.execute(new CountAccess(request));
    failpoint('consents.after-claim');
    return counted;
  }

  @Handles(releaseAccess)
  async release({ claimId, callId }: RequestOf<typeof releaseAccess>): Promise<Record<string, never>> {
    return this.commands.execute(new ReleaseAccess(claimId, callId));
  }
}
