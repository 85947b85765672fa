import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { CommandOf } from '@xs2a/calls/handlers';
import type { AnswerOf } from '@xs2a/contracts/call';
import * as contract from '@xs2a/contracts/payments.contract';
import { rejectPayment } from '@xs2a/domain/payment/authorise-payment';
import { PaymentReads } from '../read/payment-reads.js';
import { PaymentStore } from '../store/payment-store.js';

type Rejected = AnswerOf<typeof contract.rejectPayment>;

/** A PSU refused the payment on the SCA pages, or SCA failed too often (spec 3.4). */
export class RejectPayment extends CommandOf(contract.rejectPayment) {}

/** Rejects the payment on behalf of all its signers. */
@CommandHandler(RejectPayment)
export class RejectPaymentHandler implements ICommandHandler<RejectPayment> {
  constructor(
    private readonly reads: PaymentReads,
    private readonly store: PaymentStore,
  ) {}

  async execute({ request }: RejectPayment): Promise<Rejected> {
    const { paymentId, psuId } = request;
    await this.reads.authorisation(request);
    const payment = await this.store.change(paymentId, (state) => rejectPayment(state, request), {
      actor: psuId === undefined ? 'sca' : 'psu',
    });
    return { transactionStatus: payment.status };
  }
}
