import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { CommandOf } from '@xs2a/calls/handlers';
import * as contract from '@xs2a/contracts/payments.contract';
import { stopOrder } from '@xs2a/domain/payment/decide-payment';
import { PAYMENT_STORE, type PaymentStore } from '../store/payment-store.js';

/** A signer stops a periodic order on the page `/sca/payments` (contract 12). */
export class StopOrder extends CommandOf(contract.stopOrder) {}

/** Stops a periodic order that the PSU has signed; an occurrence that has begun is still executed. */
@CommandHandler(StopOrder)
export class StopOrderHandler implements ICommandHandler<StopOrder> {
  constructor(@Inject(PAYMENT_STORE) private readonly store: PaymentStore) {}

  async execute({ request: { paymentId, psuId } }: StopOrder): Promise<Record<string, never>> {
    await this.store.change(paymentId, (state) => stopOrder(state, psuId), { actor: 'psu' });
    return {};
  }
}
