import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import type {
  BasketAuthorisation,
  BasketAuthorisationRef,
  BasketPayment,
} from '@xs2a/contracts/baskets.contract';
import { isTaken } from '@xs2a/domain/payment/authorise-payment';
import { listOrders, type PaymentState, getService } from '@xs2a/domain/payment/payment-state';
import { signaturesMissing, listSigners } from '@xs2a/domain/sca/authorisations';
import { findAuthorisation } from '../authorise/find-authorisation.js';
import { BasketConsents } from './basket-consents.js';
import { BasketReads } from './basket-reads.js';

/** The SCA pages ask for a basket by one of its authorisations. */
export class ReadBasketAuthorisation extends Query<BasketAuthorisation> {
  constructor(readonly ref: BasketAuthorisationRef) {
    super();
  }
}

/** Answers what the SCA pages show of the basket and its items, and what they check. */
@QueryHandler(ReadBasketAuthorisation)
export class ReadBasketAuthorisationHandler implements IQueryHandler<ReadBasketAuthorisation> {
  constructor(
    private readonly reads: BasketReads,
    private readonly consents: BasketConsents,
  ) {}

  async execute({ ref }: ReadBasketAuthorisation): Promise<BasketAuthorisation> {
    const { state, status } = await this.reads.authorisation(ref);
    const [payments, consents] = await Promise.all([
      this.reads.readPayments(state),
      this.consents.read(state),
    ]);
    const authorisation = findAuthorisation(state, ref.authorisationId);
    return {
      ...ref,
      tppId: state.tppId,
      scaStatus: authorisation.scaStatus,
      transactionStatus: status,
      namedPsuId: authorisation.namedPsuId,
      psuId: authorisation.psuId,
      payments: payments.map(asBasketPayment),
      consents,
      agreedIbans: state.chosenIbans,
      redirectUris: authorisation.redirectUris ?? state.redirectUris,
      expiresAt: state.expiresAt,
      signaturesMissing: signaturesMissing(state),
      signedBy: listSigners(state),
      isTaken: isTaken(state),
    };
  }
}

const asBasketPayment = (payment: PaymentState): BasketPayment => ({
  paymentId: payment.paymentId,
  service: getService(payment),
  product: payment.product,
  paymentType: payment.paymentType,
  orders: listOrders(payment),
  body: payment.body,
  ...(payment.service === 'periodic-payments'
    ? {}
    : { requestedExecutionDate: payment.requestedExecutionDate }),
});
