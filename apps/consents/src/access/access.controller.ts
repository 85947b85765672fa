import { Controller } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { Handles } from '@xs2a/calls/handles';
import type { RequestOf } from '@xs2a/contracts/call';
import type * as contract from '@xs2a/contracts/consents.contract';
import { checkAccess, countAccess, releaseAccess } from '@xs2a/contracts/consents.contract';
import { failpoint } from '@xs2a/runtime/failpoint';
import { CheckAccess } from './check-access.handler.js';
import { CountAccess } from './count-access.handler.js';
import { ReleaseAccess } from './release-access.handler.js';

/** Answers the accounts service before and after each AIS call, and the gateway about a call with a fault in its query. */
@Controller()
export class AccessController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Handles(countAccess)
  async count(request: contract.CountAccess): Promise<contract.AccessCounted> {
    const counted = await this.commands.execute(new CountAccess(request));
    failpoint('consents.after-claim');
    return counted;
  }

  @Handles(checkAccess)
  async check(request: contract.CheckAccess): Promise<Record<string, never>> {
    return this.queries.execute(new CheckAccess(request));
  }

  @Handles(releaseAccess)
  async release({ claimId, callId }: RequestOf<typeof releaseAccess>): Promise<Record<string, never>> {
    return this.commands.execute(new ReleaseAccess(claimId, callId));
  }
}
