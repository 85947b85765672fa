import { Controller } from '@nestjs/common';
import { Handles } from '@xs2a/calls/handles';
import * as contract from '@xs2a/contracts/payments.contract';
import type { BulkPayment } from '@xs2a/domain/payment/payment-state';
import { PaymentReads, type PaymentStanding } from './payment-reads.js';

/** Answers a TPP that reads a payment, its status and its authorisations (spec 4.5, contract 8). */
@Controller()
export class ReadPaymentController {
  constructor(private readonly reads: PaymentReads) {}

  @Handles(contract.readPayment)
  async read(ref: contract.PaymentRef): Promise<contract.PaymentView> {
    const state = await this.reads.ofTpp(ref);
    return {
      body: state.body,
      transactionStatus: state.status,
      fundsAvailable: state.fundsAvailable,
      paymentType: state.paymentType,
      rejectionReason: state.rejectionReason,
      ...(state.service === 'periodic-payments' ? { occurrences: await this.reads.occurrences(state) } : {}),
      ...(state.service === 'bulk-payments' ? { entries: entriesOf(state) } : {}),
    };
  }

  @Handles(contract.readPaymentStatus)
  async readStatus(ref: contract.PaymentRef): Promise<PaymentStanding> {
    return this.reads.standing(ref);
  }

  @Handles(contract.readPaymentAuthorisations)
  async readAuthorisations(ref: contract.PaymentRef) {
    const { authorisations } = await this.reads.ofTpp(ref);
    return {
      authorisations: authorisations.map(({ authorisationId, scaStatus }) => ({
        authorisationId,
        scaStatus,
      })),
    };
  }
}

/** Until its settlement begins, and when the whole has ended without it, an entry stands where the bulk payment stands. */
const entriesOf = ({ entries, status }: BulkPayment): readonly contract.EntryView[] =>
  entries.map(({ transactionStatus, fundsAvailable }) => {
    const isUntouched = transactionStatus === 'ACCP' && fundsAvailable === undefined;
    return {
      transactionStatus: isUntouched && status !== 'ACSP' ? status : transactionStatus,
      ...(fundsAvailable === undefined ? {} : { fundsAvailable }),
    };
  });
