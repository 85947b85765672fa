import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { CommandOf } from '@xs2a/calls/handlers';
import { releaseAccess } from '@xs2a/contracts/consents.contract';
import { CallCounters } from './call-counters.js';
import { parseClaimId } from './counter-key.js';

/** A counted call was not answered with a 2xx status (contract 5). */
export class ReleaseAccess extends CommandOf(releaseAccess) {}

/** Removes the call and its report from the counter; a repeat changes nothing. */
@CommandHandler(ReleaseAccess)
export class ReleaseAccessHandler implements ICommandHandler<ReleaseAccess> {
  constructor(private readonly counters: CallCounters) {}

  async execute({ request: { claimId, callId } }: ReleaseAccess): Promise<Record<string, never>> {
    const counted = parseClaimId(claimId);
    if (counted?.call !== undefined)
      await this.counters.release(counted.key, { at: counted.call, id: callId });
    if (counted?.report !== undefined) await this.counters.takeReportBack(counted.key, counted.report.last);
    return {};
  }
}
