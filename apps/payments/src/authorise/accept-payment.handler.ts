import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { CommandOf } from '@xs2a/calls/handlers';
import type { AnswerOf } from '@xs2a/contracts/call';
import * as contract from '@xs2a/contracts/payments.contract';
import { acceptPayment } from '@xs2a/domain/payment/authorise-payment';
import { getFirstOrder } from '@xs2a/domain/payment/payment-state';
import type { Profile } from '@xs2a/domain/profile/profile';
import { Clock } from '@xs2a/runtime/clock';
import { PROFILE } from '@xs2a/runtime/tokens';
import { PaymentReads } from '../read/payment-reads.js';
import { PaymentStore } from '../store/payment-store.js';
import { findAuthorisation } from './find-authorisation.js';
import { DebtorAccounts } from './debtor-accounts.js';

type Accepted = AnswerOf<typeof contract.acceptPayment>;

/** A PSU has signed in on the SCA pages and is about to see the payment (spec 3.4). */
export class AcceptPayment extends CommandOf(contract.acceptPayment) {}

/** Records that the PSU may sign the payment, or rejects the payment if this PSU cannot sign it. */
@CommandHandler(AcceptPayment)
export class AcceptPaymentHandler implements ICommandHandler<AcceptPayment> {
  constructor(
    private readonly reads: PaymentReads,
    private readonly store: PaymentStore,
    private readonly debtorAccounts: DebtorAccounts,
    private readonly clock: Clock,
    @Inject(PROFILE) private readonly profile: Profile,
  ) {}

  async execute({ request }: AcceptPayment): Promise<Accepted> {
    const { paymentId, authorisationId, psuId } = request;
    const { debtorIban } = getFirstOrder(await this.reads.authorisation(request));
    const debtor = await this.debtorAccounts.ofPsu(debtorIban, psuId);
    const now = this.clock.now();
    const payment = await this.store.change(
      paymentId,
      (state) => acceptPayment(state, { ...request, debtor, now }, this.profile),
      { actor: 'psu' },
    );
    const { scaStatus } = findAuthorisation(payment, authorisationId);
    return { scaStatus, rejectionReason: payment.rejectionReason };
  }
}
