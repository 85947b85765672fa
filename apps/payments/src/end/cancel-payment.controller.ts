import { Controller } from '@nestjs/common';
import { Handles } from '@xs2a/calls/handles';
import * as contract from '@xs2a/contracts/payments.contract';
import { cancelPayment } from '@xs2a/domain/payment/decide-payment';
import { PaymentReads } from '../read/payment-reads.js';
import { PaymentStore } from '../store/payment-store.js';

/** Answers DELETE of a payment (spec 3.3, contract 8). */
@Controller()
export class CancelPaymentController {
  constructor(
    private readonly reads: PaymentReads,
    private readonly store: PaymentStore,
  ) {}

  @Handles(contract.cancelPayment)
  async cancel(
    ref: contract.PaymentRef & { readonly idempotencyKey?: string },
  ): Promise<Record<string, never>> {
    const { tppId, paymentId, idempotencyKey } = ref;
    await this.reads.standing(ref);
    await this.store.change(paymentId, (state) => cancelPayment(state, { tppId, idempotencyKey }), {
      actor: tppId,
    });
    return {};
  }
}
