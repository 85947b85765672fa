import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { QueryOf } from '@xs2a/calls/handlers';
import { type PaymentAuthorisation, readPaymentAuthorisation } from '@xs2a/contracts/payments.contract';
import { isTaken } from '@xs2a/domain/payment/authorise-payment';
import { listOrders, getService } from '@xs2a/domain/payment/payment-state';
import { isGroupedPayment } from '@xs2a/domain/payment/payment-transitions';
import { signaturesMissing, listSigners } from '@xs2a/domain/sca/authorisations';
import { PaymentReads } from '../read/payment-reads.js';
import { findAuthorisation } from './find-authorisation.js';

/** The SCA pages request a payment by one of its authorisations. */
export class ReadPaymentAuthorisation extends QueryOf(readPaymentAuthorisation) {}

/** Returns the parts of the payment that the SCA pages show and check. */
@QueryHandler(ReadPaymentAuthorisation)
export class ReadPaymentAuthorisationHandler implements IQueryHandler<ReadPaymentAuthorisation> {
  constructor(private readonly reads: PaymentReads) {}

  async execute({ request: ref }: ReadPaymentAuthorisation): Promise<PaymentAuthorisation> {
    const payment = await this.reads.authorisation(ref);
    const authorisation = findAuthorisation(payment, ref.authorisationId);
    return {
      paymentId: payment.paymentId,
      authorisationId: ref.authorisationId,
      tppId: payment.tppId,
      scaStatus: authorisation.scaStatus,
      transactionStatus: payment.status,
      namedPsuId: authorisation.namedPsuId,
      psuId: authorisation.psuId,
      service: getService(payment),
      product: payment.product,
      paymentType: payment.paymentType,
      orders: listOrders(payment),
      body: payment.body,
      ...(payment.service === 'periodic-payments'
        ? { schedule: payment.schedule }
        : { requestedExecutionDate: payment.requestedExecutionDate }),
      redirectUris: authorisation.redirectUris ?? payment.redirectUris,
      expiresAt: payment.expiresAt,
      signaturesMissing: signaturesMissing(payment),
      signedBy: listSigners(payment),
      isTaken: isTaken(payment),
      isGrouped: isGroupedPayment(payment),
    };
  }
}
