import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { CommandOf } from '@xs2a/calls/handlers';
import { expireDuePayments } from '@xs2a/contracts/payments.contract';
import { BasketSweep } from '../baskets/basket-sweep.js';
import { Expiry } from './expiry.js';

/** The sandbox moved the clock, and waits until what was not signed in time is rejected. */
export class ExpireDuePayments extends CommandOf(expireDuePayments) {}

/** Does now what the sweeps would do next; answers how many payments and baskets changed. */
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
