import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { RequestOf } from '@xs2a/contracts/call';
import type * as contract from '@xs2a/contracts/payments.contract';
import { cancelPayment } from '@xs2a/domain/payment/decide-payment';
import { PaymentReads } from '../read/payment-reads.js';
import { PaymentStore } from '../store/payment-store.js';

/** DELETE of a payment by the TPP that created it (spec 3.3, contract 8). */
export class CancelPayment extends Command<Record<string, never>> {
  constructor(readonly request: RequestOf<typeof contract.cancelPayment>) {
    super();
  }
}

/** Cancels a payment that the bank has not begun to settle. */
@CommandHandler(CancelPayment)
export class CancelPaymentHandler implements ICommandHandler<CancelPayment> {
  constructor(
    private readonly reads: PaymentReads,
    private readonly store: PaymentStore,
  ) {}

  async execute({ request }: CancelPayment): Promise<Record<string, never>> {
    const { tppId, paymentId, idempotencyKey } = request;
    await this.reads.status(request);
    await this.store.change(paymentId, (state) => cancelPayment(state, { tppId, idempotencyKey }), {
      actor: tppId,
    });
    return {};
  }
}
