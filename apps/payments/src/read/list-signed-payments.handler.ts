import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { QueryOf } from '@xs2a/calls/handlers';
import type { AnswerOf } from '@xs2a/contracts/call';
import { type SignedPayment, listSignedPayments } from '@xs2a/contracts/payments.contract';
import { callFailed } from '@xs2a/domain/failure/failed';
import { countVerified } from '@xs2a/domain/payee/payment-payees';
import {
  getFirstOrder,
  getReasonCode,
  listOrders,
  type PaymentState,
  getService,
} from '@xs2a/domain/payment/payment-state';
import { isCancellable } from '@xs2a/domain/payment/payment-transitions';
import { total } from '@xs2a/domain/payment/pricing/price-order';
import { PaymentReads } from './payment-reads.js';

type Answer = AnswerOf<typeof listSignedPayments>;

/** The page `/sca/payments`, which lists the payments that a PSU has signed (contract 12). */
export class ListSignedPayments extends QueryOf(listSignedPayments) {}

/** Lists the newest 100 payments that the PSU has signed, and every order that has not ended, one page at a time. */
@QueryHandler(ListSignedPayments)
export class ListSignedPaymentsHandler implements IQueryHandler<ListSignedPayments> {
  constructor(private readonly reads: PaymentReads) {}

  async execute({ request: { psuId, page = 0 } }: ListSignedPayments): Promise<Answer> {
    if (!Number.isSafeInteger(page) || page < 0)
      throw callFailed('fieldMalformed', 'page', 'Send the number of a page.');
    const { listed, ...shown } = await this.reads.signedBy(psuId, page, (payment) =>
      signedPayments(payment, psuId),
    );
    return { payments: listed, ...shown };
  }
}

const getStopper = ({ stoppedBy }: PaymentState, psuId: string): SignedPayment['stoppedBy'] => {
  if (stoppedBy === undefined) return undefined;
  return stoppedBy === psuId ? 'psu' : 'signer';
};

/** Returns the payment as shown to the PSU who signed it; an empty list for any other PSU. */
const signedPayments = (payment: PaymentState, psuId: string): SignedPayment[] => {
  const orders = listOrders(payment);
  const { creditorName, creditorAccount, debtorIban, remittance } = getFirstOrder(payment);
  return payment.authorisations
    .filter((one) => one.psuId === psuId)
    .flatMap(({ signedAt }) => signedAt ?? [])
    .map((signedAt) => ({
      paymentId: payment.paymentId,
      service: getService(payment),
      product: payment.product,
      tppId: payment.tppId,
      amount: total(orders.map(({ amount }) => amount)),
      creditorName,
      creditorAccount,
      debtorIban,
      remittance: orders.length === 1 ? remittance : undefined,
      numberOfPayments: orders.length,
      signedAt,
      executionDate: payment.signed?.executionDate,
      transactionStatus: payment.status,
      fundsAvailable: payment.fundsAvailable,
      rejectionReason: payment.rejectionReason,
      reasonCode: getReasonCode(payment),
      payeeCounts: countVerified(payment.payeesVerified, orders),
      stoppedBy: getStopper(payment, psuId),
      canBeStopped: getService(payment) === 'periodic-payments' && isCancellable(payment),
      ...(payment.service === 'periodic-payments'
        ? { schedule: payment.schedule, nextExecutionDate: payment.planned?.executionDate }
        : {}),
    }));
};
