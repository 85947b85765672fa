import { Controller } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { Handles } from '@xs2a/calls/handles';
import { expireDueConsents } from '@xs2a/contracts/consents.contract';
import { ExpireDueConsents } from './expire-due-consents.handler.js';

/** Answers the sandbox, which has consents expire as soon as it has moved the clock. */
@Controller()
export class HousekeepingController {
  constructor(private readonly commands: CommandBus) {}

  @Handles(expireDueConsents)
  async expireDue(): Promise<{ readonly expired: number }> {
    return this.commands.execute(new ExpireDueConsents());
  }
}
