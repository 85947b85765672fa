import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { AccessWindows } from './access-window.js';
import { claimOf } from './claim-id.js';

/** A call that was counted was not answered with 2xx (contract 5). */
export class ReleaseAccess extends Command<Record<string, never>> {
  constructor(readonly claimId: string) {
    super();
  }
}

/** Counts the call no longer, and forgets its report; a repeat changes nothing. */
@CommandHandler(ReleaseAccess)
export class ReleaseAccessHandler implements ICommandHandler<ReleaseAccess> {
  constructor(private readonly windows: AccessWindows) {}

  async execute({ claimId }: ReleaseAccess): Promise<Record<string, never>> {
    const claim = claimOf(claimId);
    if (claim?.call !== undefined) await this.windows.release(claim.key, claim.call);
    if (claim?.report !== undefined) await this.windows.takeBack(claim.key, claim.report.last);
    return {};
  }
}
