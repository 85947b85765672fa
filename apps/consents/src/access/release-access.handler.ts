import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { AccessWindows } from './access-window.js';
import { claimOf } from './claim-id.js';

/** A call that was counted was not answered with 2xx (contract 5). */
export class ReleaseAccess extends Command<Record<string, never>> {
  /** `callId`: the call's name, under which it may have been counted before. */
  constructor(
    readonly claimId: string,
    readonly callId: string | undefined,
  ) {
    super();
  }
}

/** Counts the call no longer, and forgets its report; a repeat changes nothing. */
@CommandHandler(ReleaseAccess)
export class ReleaseAccessHandler implements ICommandHandler<ReleaseAccess> {
  constructor(private readonly windows: AccessWindows) {}

  async execute({ claimId, callId }: ReleaseAccess): Promise<Record<string, never>> {
    const claim = claimOf(claimId);
    if (claim?.call !== undefined) await this.windows.release(claim.key, { call: claim.call, id: callId });
    if (claim?.report !== undefined) await this.windows.takeBack(claim.key, claim.report.last);
    return {};
  }
}
