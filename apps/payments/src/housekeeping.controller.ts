import { Controller } from '@nestjs/common';
import {
  clearPayments,
  expireDuePayments,
  loggedPaymentEvents,
  paymentsPublished,
} from '@xs2a/contracts/payments.contract';
import type { LoggedEvents, LogStretch } from '@xs2a/contracts/published-event';
import { Handles } from '@xs2a/messaging/handles';
import { Clearing } from './clearing.js';
import { Expiry } from './expiry.js';
import { PaymentLog } from './payment-log.js';

/** What the sandbox, the operators and consumers of the events ask beyond the payments themselves. */
@Controller()
export class HousekeepingController {
  constructor(
    private readonly log: PaymentLog,
    private readonly expiry: Expiry,
    private readonly clearing: Clearing,
  ) {}

  @Handles(paymentsPublished)
  async published() {
    return this.log.published();
  }

  @Handles(loggedPaymentEvents)
  async logged(stretch: LogStretch): Promise<LoggedEvents> {
    return this.log.logged(stretch);
  }

  @Handles(expireDuePayments)
  async expireDue() {
    return { expired: await this.expiry.expireDue() };
  }

  @Handles(clearPayments)
  async clear({ tppId }: { readonly tppId: string }): Promise<Record<string, never>> {
    await this.clearing.clear(tppId);
    return {};
  }
}
