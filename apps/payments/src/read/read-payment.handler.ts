import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { QueryOf } from '@xs2a/calls/handlers';
import { type EntryView, type PaymentView, readPayment } from '@xs2a/contracts/payments.contract';
import { payeeResult } from '@xs2a/domain/payee/payment-payees';
import { type BulkPayment, listOrders } from '@xs2a/domain/payment/payment-state';
import { total } from '@xs2a/domain/payment/pricing/price-order';
import { PaymentReads } from './payment-reads.js';

/** GET of a payment by the TPP that created it (spec 4.5, contract 8). */
export class ReadPayment extends QueryOf(readPayment) {}

/** Returns the payment as submitted, with its status and with the results of its occurrences or entries. */
@QueryHandler(ReadPayment)
export class ReadPaymentHandler implements IQueryHandler<ReadPayment> {
  constructor(private readonly reads: PaymentReads) {}

  async execute({ request: ref }: ReadPayment): Promise<PaymentView> {
    const payment = await this.reads.ofTpp(ref);
    return {
      body: payment.body,
      transactionStatus: payment.status,
      fundsAvailable: payment.fundsAvailable,
      paymentType: payment.paymentType,
      payeeVerification:
        payment.service === 'bulk-payments' ? undefined : payeeResult(payment.payeesVerified, payment.order),
      rejectionReason: payment.rejectionReason,
      reasonCode: payment.service === 'periodic-payments' ? undefined : payment.reasonCode,
      occurrences:
        payment.service === 'periodic-payments' ? await this.reads.occurrences(payment) : undefined,
      convertedAmount:
        payment.convertedAt === undefined
          ? undefined
          : total(listOrders(payment).map(({ amount }) => amount)),
      entries: payment.service === 'bulk-payments' ? listEntries(payment) : undefined,
    };
  }
}

/**
 * Lists the entries. An entry has the bulk payment's status until its own settlement begins, and also if the bulk
 * payment ends before that.
 */
const listEntries = ({
  entries,
  orders,
  payeesVerified,
  status,
  convertedAt,
}: BulkPayment): readonly EntryView[] =>
  entries.map(({ transactionStatus, fundsAvailable, reasonCode }, index) => {
    const isUntouched = transactionStatus === 'ACCP' && fundsAvailable === undefined;
    return {
      transactionStatus: isUntouched && status !== 'ACSP' ? status : transactionStatus,
      fundsAvailable,
      payeeVerification: orders[index] && payeeResult(payeesVerified, orders[index]),
      reasonCode,
      convertedAmount: convertedAt === undefined ? undefined : orders[index]?.amount,
    };
  });
