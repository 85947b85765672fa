import { Controller, Inject } from '@nestjs/common';
import * as contract from '@xs2a/contracts/payments.contract';
import { acceptPayment, rejectPayment, signPayment } from '@xs2a/domain/payment/decide-payment';
import type { RejectionReason } from '@xs2a/domain/payment/payment-events';
import type { PaymentState } from '@xs2a/domain/payment/payment-state';
import type { Profile } from '@xs2a/domain/profile/profile';
import { callFailed } from '@xs2a/messaging/call-failed';
import { Handles } from '@xs2a/messaging/handles';
import { Clock } from '@xs2a/runtime/clock';
import { PROFILE } from '@xs2a/runtime/tokens';
import { DebtorAccounts } from './debtor-accounts.js';
import { PaymentReads } from './payment-reads.js';
import { PaymentStore } from './payment-store.js';

type WithPsu = contract.PaymentAuthorisationRef & { readonly psuId: string };

/** What the PSU does with a payment on the SCA pages (spec 3.4, contract 8 and 12). */
@Controller()
export class AuthorisationsController {
  constructor(
    private readonly reads: PaymentReads,
    private readonly store: PaymentStore,
    private readonly debtorAccounts: DebtorAccounts,
    private readonly clock: Clock,
    @Inject(PROFILE) private readonly profile: Profile,
  ) {}

  @Handles(contract.readPaymentAuthorisation)
  async read(ref: contract.PaymentAuthorisationRef): Promise<contract.PaymentAuthorisation> {
    return authorisationOf(await this.reads.authorisation(ref));
  }

  @Handles(contract.acceptPayment)
  async accept(request: WithPsu) {
    const { paymentId, psuId } = request;
    const { order } = await this.reads.authorisation(request);
    const debtor = await this.debtorAccounts.ofPsu(order.debtorIban, psuId);
    const now = this.clock.now();
    const state = await this.store.change(
      paymentId,
      (state) => acceptPayment(state, { ...request, debtor, now }, this.profile),
      { actor: psuId },
    );
    return { transactionStatus: state.status, rejectionReason: state.rejectionReason };
  }

  /** One that comes too late rejects the payment, and is refused: only a signature is answered as one. */
  @Handles(contract.signPayment)
  async sign(request: WithPsu) {
    const { paymentId, psuId } = request;
    await this.reads.authorisation(request);
    const now = this.clock.now();
    const state = await this.store.change(
      paymentId,
      (state) => signPayment(state, { ...request, now }, this.profile),
      { actor: psuId },
    );
    if (state.signed === undefined) throw callFailed('statusForbidsAuthorisation');
    return { transactionStatus: state.status };
  }

  @Handles(contract.rejectPayment)
  async reject(
    request: contract.PaymentAuthorisationRef & { readonly psuId?: string; readonly reason: RejectionReason },
  ) {
    const { paymentId, psuId } = request;
    await this.reads.authorisation(request);
    const state = await this.store.change(paymentId, (state) => rejectPayment(state, request), {
      actor: psuId ?? 'sca',
    });
    return { transactionStatus: state.status };
  }

  @Handles(contract.listSignedPayments)
  async listSigned({ psuId }: { readonly psuId: string }) {
    return { payments: (await this.reads.signedBy(psuId)).flatMap(signedPayment) };
  }
}

const authorisationOf = (state: PaymentState): contract.PaymentAuthorisation => ({
  paymentId: state.paymentId,
  authorisationId: state.authorisation.authorisationId,
  tppId: state.tppId,
  scaStatus: state.authorisation.scaStatus,
  transactionStatus: state.status,
  namedPsuId: state.namedPsuId,
  psuId: state.authorisation.psuId,
  product: state.product,
  paymentType: state.paymentType,
  order: state.order,
  body: state.body,
  requestedExecutionDate: state.requestedExecutionDate,
  redirectUris: state.redirectUris,
  expiresAt: state.expiresAt,
});

const signedPayment = ({ signed, order, ...state }: PaymentState): contract.SignedPayment[] =>
  signed === undefined
    ? []
    : [
        {
          paymentId: state.paymentId,
          tppId: state.tppId,
          amount: order.amount,
          creditorName: order.creditorName,
          creditorAccount: order.creditorAccount,
          signedAt: signed.signedAt,
          executionDate: signed.executionDate,
          transactionStatus: state.status,
          fundsAvailable: state.fundsAvailable,
        },
      ];
