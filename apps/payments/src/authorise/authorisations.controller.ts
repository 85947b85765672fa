import { Controller, Inject } from '@nestjs/common';
import * as contract from '@xs2a/contracts/payments.contract';
import { acceptPayment, isTaken, rejectPayment, signPayment } from '@xs2a/domain/payment/authorise-payment';
import type { RejectionReason } from '@xs2a/domain/payment/payment-events';
import { firstOrderOf, ordersOf, type PaymentState, serviceOf } from '@xs2a/domain/payment/payment-state';
import { isGroupedPayment } from '@xs2a/domain/payment/payment-transitions';
import { total } from '@xs2a/domain/payment/pricing/price-order';
import {
  type Authorisation,
  authorisationIn,
  signaturesMissing,
  signersOf,
} from '@xs2a/domain/sca/authorisations';
import type { Profile } from '@xs2a/domain/profile/profile';
import { callFailed } from '@xs2a/domain/failure/failed';
import { Handles } from '@xs2a/calls/handles';
import { Clock } from '@xs2a/runtime/clock';
import { PROFILE } from '@xs2a/runtime/tokens';
import { DebtorAccounts } from './debtor-accounts.js';
import { PaymentReads } from '../read/payment-reads.js';
import { PaymentStore } from '../store/payment-store.js';

type WithPsu = contract.PaymentAuthorisationRef & { readonly psuId: string };

/** Answers the SCA pages, on which the PSU signs or rejects a payment (spec 3.4, contract 8 and 12). */
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
    return authorisationOf(await this.reads.authorisation(ref), ref.authorisationId);
  }

  @Handles(contract.acceptPayment)
  async accept(request: WithPsu) {
    const { paymentId, authorisationId, psuId } = request;
    const { debtorIban } = firstOrderOf(await this.reads.authorisation(request));
    const debtor = await this.debtorAccounts.ofPsu(debtorIban, psuId);
    const now = this.clock.now();
    const state = await this.store.change(
      paymentId,
      (state) => acceptPayment(state, { ...request, debtor, now }, this.profile),
      { actor: psuId },
    );
    return {
      scaStatus: ofState(state, authorisationId).scaStatus,
      rejectionReason: state.rejectionReason,
    };
  }

  /** One that comes too late rejects the payment, and is refused: only a signature is answered as one. */
  @Handles(contract.signPayment)
  async sign(request: WithPsu) {
    const { paymentId, authorisationId, psuId } = request;
    await this.reads.authorisation(request);
    const now = this.clock.now();
    const state = await this.store.change(
      paymentId,
      (state) => signPayment(state, { ...request, now }, this.profile),
      { actor: psuId },
    );
    if (ofState(state, authorisationId).scaStatus !== 'finalised')
      throw callFailed('statusForbidsAuthorisation');
    return { transactionStatus: state.status, signaturesMissing: signaturesMissing(state) };
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
    return { payments: await this.reads.signedBy(psuId, (state) => signedPayment(state, psuId)) };
  }
}

/** An authorisation that is known to be the payment's. */
const ofState = (state: PaymentState, authorisationId: string): Authorisation => {
  const authorisation = authorisationIn(state, authorisationId);
  if (authorisation === undefined) throw callFailed('resourceUnknown');
  return authorisation;
};

const authorisationOf = (state: PaymentState, authorisationId: string): contract.PaymentAuthorisation => {
  const authorisation = ofState(state, authorisationId);
  return {
    paymentId: state.paymentId,
    authorisationId,
    tppId: state.tppId,
    scaStatus: authorisation.scaStatus,
    transactionStatus: state.status,
    namedPsuId: authorisation.namedPsuId,
    psuId: authorisation.psuId,
    service: serviceOf(state),
    product: state.product,
    paymentType: state.paymentType,
    orders: ordersOf(state),
    order: firstOrderOf(state),
    body: state.body,
    ...(state.service === 'periodic-payments'
      ? { schedule: state.schedule }
      : { requestedExecutionDate: state.requestedExecutionDate }),
    redirectUris: authorisation.redirectUris ?? state.redirectUris,
    expiresAt: state.expiresAt,
    signaturesMissing: signaturesMissing(state),
    signedBy: signersOf(state),
    isTaken: isTaken(state),
    isGrouped: isGroupedPayment(state),
  };
};

/** As the PSU sees it who signed it; nothing for anybody else. */
const signedPayment = (state: PaymentState, psuId: string): contract.SignedPayment[] => {
  const orders = ordersOf(state);
  const { creditorName, creditorAccount } = firstOrderOf(state);
  return state.authorisations
    .filter((one) => one.psuId === psuId)
    .flatMap(({ signedAt }) => signedAt ?? [])
    .map((signedAt) => ({
      paymentId: state.paymentId,
      service: serviceOf(state),
      tppId: state.tppId,
      amount: total(orders.map(({ amount }) => amount)),
      creditorName,
      creditorAccount,
      numberOfPayments: orders.length,
      signedAt,
      executionDate: state.signed?.executionDate,
      transactionStatus: state.status,
      fundsAvailable: state.fundsAvailable,
      rejectionReason: state.rejectionReason,
      ...(state.service === 'periodic-payments'
        ? { schedule: state.schedule, nextExecutionDate: state.planned?.executionDate }
        : {}),
    }));
};
