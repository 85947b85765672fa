import { Controller } from '@nestjs/common';
import { clearPayments, expireDuePayments } from '@xs2a/contracts/payments.contract';
import { Handles } from '@xs2a/calls/handles';
import { BasketSweep } from '../baskets/basket-sweep.js';
import { Clearing } from '../end/clear-payments.js';
import { Expiry } from './expiry.js';

/** Answers the calls of the sandbox that end payments: those not signed in time, alone or in a basket, and all payments of a TPP. */
@Controller()
export class HousekeepingController {
  constructor(
    private readonly expiry: Expiry,
    private readonly clearing: Clearing,
    private readonly baskets: BasketSweep,
  ) {}

  @Handles(expireDuePayments)
  async expireDue() {
    const expired = await this.expiry.expireDue();
    return { expired: expired + (await this.baskets.advanceAll()) };
  }

  @Handles(clearPayments)
  async clear({ tppId }: { readonly tppId: string }): Promise<Record<string, never>> {
    await this.clearing.clear(tppId);
    return {};
  }
}
