import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { CommandOf } from '@xs2a/calls/handlers';
import type { AnswerOf } from '@xs2a/contracts/call';
import * as contract from '@xs2a/contracts/payments.contract';
import { callFailed } from '@xs2a/domain/failure/failed';
import { signPayment } from '@xs2a/domain/payment/authorise-payment';
import type { Profile } from '@xs2a/domain/profile/profile';
import { signaturesMissing } from '@xs2a/domain/sca/authorisations';
import { Clock } from '@xs2a/runtime/clock';
import { PROFILE } from '@xs2a/runtime/tokens';
import { PaymentReads } from '../read/payment-reads.js';
import { PaymentStore } from '../store/payment-store.js';
import { findAuthorisation } from './find-authorisation.js';

type Signed = AnswerOf<typeof contract.signPayment>;

/** A PSU has completed SCA for the payment (spec 3.4). */
export class SignPayment extends CommandOf(contract.signPayment) {}

/**
 * Records the signature. If it comes too late, a rejection is recorded instead, and the caller receives the
 * failure statusForbidsAuthorisation.
 */
@CommandHandler(SignPayment)
export class SignPaymentHandler implements ICommandHandler<SignPayment> {
  constructor(
    private readonly reads: PaymentReads,
    private readonly store: PaymentStore,
    private readonly clock: Clock,
    @Inject(PROFILE) private readonly profile: Profile,
  ) {}

  async execute({ request }: SignPayment): Promise<Signed> {
    const { paymentId, authorisationId } = request;
    await this.reads.authorisation(request);
    const now = this.clock.now();
    const payment = await this.store.change(
      paymentId,
      (state) => signPayment(state, { ...request, now }, this.profile),
      { actor: 'psu' },
    );
    const isSigned = findAuthorisation(payment, authorisationId).scaStatus === 'finalised';
    if (!isSigned) throw callFailed('statusForbidsAuthorisation');
    return { transactionStatus: payment.status, signaturesMissing: signaturesMissing(payment) };
  }
}
