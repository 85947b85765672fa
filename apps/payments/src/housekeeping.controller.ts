import { Controller } from '@nestjs/common';
import { clearPayments, expireDuePayments, paymentsPublished } from '@xs2a/contracts/payments.contract';
import { Handles } from '@xs2a/messaging/handles';
import { Clearing } from './clearing.js';
import { Expiry } from './expiry.js';
import { PaymentLog } from './payment-log.js';

/** What the sandbox and the operators ask beyond the payments themselves. */
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
