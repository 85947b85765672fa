import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { CommandOf } from '@xs2a/calls/handlers';
import { expireDueConsents } from '@xs2a/contracts/consents.contract';
import { DueConsents } from './expiry.js';

/** The sandbox has moved the clock and waits until all expired consents have ended. */
export class ExpireDueConsents extends CommandOf(expireDueConsents) {}

/** Does the work of the next sweep immediately; returns the number of consents that ended. */
@CommandHandler(ExpireDueConsents)
export class ExpireDueConsentsHandler implements ICommandHandler<ExpireDueConsents> {
  constructor(private readonly due: DueConsents) {}

  async execute(): Promise<{ readonly expired: number }> {
    return { expired: await this.due.expireDue() };
  }
}
