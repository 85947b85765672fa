import { Controller } from '@nestjs/common';
import { Handles } from '@xs2a/calls/handles';
import { expireDueConsents } from '@xs2a/contracts/consents.contract';
import { DueConsents } from './expiry.js';

/** Answers the call of the sandbox that ends consents whose time is over. */
@Controller()
export class HousekeepingController {
  constructor(private readonly due: DueConsents) {}

  @Handles(expireDueConsents)
  async expireDue(): Promise<{ expired: number }> {
    return { expired: await this.due.expireDue() };
  }
}
