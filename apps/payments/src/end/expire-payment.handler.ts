import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { CommandOf } from '@xs2a/calls/handlers';
import type { AnswerOf } from '@xs2a/contracts/call';
import { expirePayment } from '@xs2a/contracts/payments.contract';
import { expirePaymentNow } from '@xs2a/domain/payment/authorise-payment';
import { isGroupedPayment } from '@xs2a/domain/payment/payment-transitions';
import { PaymentReads } from '../read/payment-reads.js';
import { PAYMENT_STORE, type PaymentStore } from '../store/payment-store.js';

/** A TPP in the sandbox lets the time to sign its payment end (contract 13). */
export class ExpirePayment extends CommandOf(expirePayment) {}

/** Rejects an unsigned payment. Names the basket of a payment that is in one, which expires instead. */
@CommandHandler(ExpirePayment)
export class ExpirePaymentHandler implements ICommandHandler<ExpirePayment> {
  constructor(
    private readonly reads: PaymentReads,
    @Inject(PAYMENT_STORE) private readonly store: PaymentStore,
  ) {}

  async execute({ request }: ExpirePayment): Promise<AnswerOf<typeof expirePayment>> {
    const { tppId, paymentId } = request;
    await this.reads.requireOwn(request);
    const payment = await this.store.change(paymentId, expirePaymentNow, { actor: tppId });
    return isGroupedPayment(payment) ? { basketId: payment.basketId } : {};
  }
}
