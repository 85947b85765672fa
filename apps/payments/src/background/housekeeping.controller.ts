import { Controller } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { Handles } from '@xs2a/calls/handles';
import { expireDuePayments } from '@xs2a/contracts/payments.contract';
import { ExpireDuePayments } from './expire-due-payments.handler.js';

/** Answers the sandbox, which has payments and baskets expire as soon as it has moved the clock. */
@Controller()
export class HousekeepingController {
  constructor(private readonly commands: CommandBus) {}

  @Handles(expireDuePayments)
  async expireDue(): Promise<{ readonly expired: number }> {
    return this.commands.execute(new ExpireDuePayments());
  }
}
