import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { CommandOf } from '@xs2a/calls/handlers';
import * as contract from '@xs2a/contracts/payments.contract';
import { cancelPayment } from '@xs2a/domain/payment/decide-payment';
import { Clock } from '@xs2a/runtime/clock';
import { PaymentReads } from '../read/payment-reads.js';
import { PAYMENT_STORE, type PaymentStore } from '../store/payment-store.js';

/** DELETE of a payment by the TPP that created it (spec 3.3, contract 8). */
export class CancelPayment extends CommandOf(contract.cancelPayment) {}

/** Cancels a payment unless its settlement has begun. */
@CommandHandler(CancelPayment)
export class CancelPaymentHandler implements ICommandHandler<CancelPayment> {
  constructor(
    private readonly reads: PaymentReads,
    @Inject(PAYMENT_STORE) private readonly store: PaymentStore,
    private readonly clock: Clock,
  ) {}

  async execute({ request }: CancelPayment): Promise<Record<string, never>> {
    const { tppId, paymentId, idempotencyKey } = request;
    await this.reads.status(request);
    await this.store.change(
      paymentId,
      (state) => cancelPayment(state, { tppId, idempotencyKey, now: this.clock.now() }),
      { actor: tppId },
    );
    return {};
  }
}
