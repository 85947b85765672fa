import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { QueryOf } from '@xs2a/calls/handlers';
import { type EntryView, type PaymentView, readPayment } from '@xs2a/contracts/payments.contract';
import { payeeResult } from '@xs2a/domain/payee/payment-payees';
import type { MinorAmount } from '@xs2a/domain/payment/payment-events';
import { type BulkPayment, getReasonCode } from '@xs2a/domain/payment/payment-state';
import { total } from '@xs2a/domain/payment/pricing/price-order';
import { convertedAmounts } from '@xs2a/domain/switch-over/converted-amount';
import { PaymentReads } from './payment-reads.js';

/** GET of a payment by the TPP that created it (spec 4.5, contract 8). */
export class ReadPayment extends QueryOf(readPayment) {}

/** Returns the payment as submitted, with its status and with the results of its occurrences or entries. */
@QueryHandler(ReadPayment)
export class ReadPaymentHandler implements IQueryHandler<ReadPayment> {
  constructor(private readonly reads: PaymentReads) {}

  async execute({ request: ref }: ReadPayment): Promise<PaymentView> {
    const payment = await this.reads.ofTpp(ref);
    const converted = convertedAmounts(payment);
    return {
      body: payment.body,
      transactionStatus: payment.status,
      fundsAvailable: payment.fundsAvailable,
      paymentType: payment.paymentType,
      payeeVerification:
        payment.service === 'bulk-payments' ? undefined : payeeResult(payment.payeesVerified, payment.order),
      rejectionReason: payment.rejectionReason,
      reasonCode: getReasonCode(payment),
      occurrences:
        payment.service === 'periodic-payments' ? await this.reads.occurrences(payment) : undefined,
      convertedAmount: totalOf(converted),
      entries: payment.service === 'bulk-payments' ? listEntries(payment, converted) : undefined,
    };
  }
}

type Converted = ReturnType<typeof convertedAmounts>;

/** The sum of the converted amounts; undefined if an amount was not converted. */
const totalOf = (converted: Converted): MinorAmount | undefined => {
  const amounts = converted.flatMap((amount) => amount ?? []);
  return amounts.length === 0 || amounts.length < converted.length ? undefined : total(amounts);
};

/**
 * Lists the entries. An entry has the bulk payment's status until its own settlement begins, and also if the bulk
 * payment ends before that.
 */
const listEntries = (
  { entries, orders, payeesVerified, status }: BulkPayment,
  converted: Converted,
): readonly EntryView[] =>
  entries.map(({ transactionStatus, fundsAvailable, reasonCode }, index) => {
    const isUntouched = transactionStatus === 'ACCP' && fundsAvailable === undefined;
    return {
      transactionStatus: isUntouched && status !== 'ACSP' ? status : transactionStatus,
      fundsAvailable,
      payeeVerification: orders[index] && payeeResult(payeesVerified, orders[index]),
      reasonCode,
      convertedAmount: converted[index],
    };
  });
