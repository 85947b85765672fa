import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { CommandOf } from '@xs2a/calls/handlers';
import { expireDuePayments } from '@xs2a/contracts/payments.contract';
import { BasketSweep } from '../baskets/basket-sweep.js';
import { Expiry } from './expiry.js';

/** The sandbox has moved the clock and waits until all payments that were not signed in time are rejected. */
export class ExpireDuePayments extends CommandOf(expireDuePayments) {}

/** Does the work of the next sweeps immediately; returns the number of payments and baskets that changed. */
@CommandHandler(ExpireDuePayments)
export class ExpireDuePaymentsHandler implements ICommandHandler<ExpireDuePayments> {
  constructor(
    private readonly expiry: Expiry,
    private readonly baskets: BasketSweep,
  ) {}

  async execute(): Promise<{ readonly expired: number }> {
    const expired = await this.expiry.expireDue();
    return { expired: expired + (await this.baskets.advanceAll()) };
  }
}
