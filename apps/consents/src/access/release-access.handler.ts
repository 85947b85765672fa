import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { CallCounters } from './call-counters.js';
import { parseClaimId } from './counter-key.js';

/** A call that was counted was not answered with 2xx (contract 5). */
export class ReleaseAccess extends Command<Record<string, never>> {
  /** `callId`: the caller's id of the call, under which it may have been counted before. */
  constructor(
    readonly claimId: string,
    readonly callId: string,
  ) {
    super();
  }
}

/** Counts the call no longer, and forgets its report; a repeat changes nothing. */
@CommandHandler(ReleaseAccess)
export class ReleaseAccessHandler implements ICommandHandler<ReleaseAccess> {
  constructor(private readonly counters: CallCounters) {}

  async execute({ claimId, callId }: ReleaseAccess): Promise<Record<string, never>> {
    const counted = parseClaimId(claimId);
    if (counted?.call !== undefined)
      await this.counters.release(counted.key, { at: counted.call, id: callId });
    if (counted?.report !== undefined) await this.counters.takeReportBack(counted.key, counted.report.last);
    return {};
  }
}
