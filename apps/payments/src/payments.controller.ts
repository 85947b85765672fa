import { Controller } from '@nestjs/common';
import * as contract from '@xs2a/contracts/payments.contract';
import { cancelPayment } from '@xs2a/domain/payment/decide-payment';
import type { BulkPayment } from '@xs2a/domain/payment/payment-state';
import { Handles } from '@xs2a/calls/handles';
import { FurtherAuthorisation } from './authorise/further-authorisation.js';
import { Initiation } from './create/create-payment.js';
import { PaymentReads, type PaymentStanding } from './read/payment-reads.js';
import { PaymentStore } from './store/payment-store.js';

/** Answers a TPP's calls about its payments (spec 4.5, contract 8). */
@Controller()
export class PaymentsController {
  constructor(
    private readonly initiation: Initiation,
    private readonly furtherAuthorisation: FurtherAuthorisation,
    private readonly reads: PaymentReads,
    private readonly store: PaymentStore,
  ) {}

  @Handles(contract.initiatePayment)
  async initiate(request: contract.InitiatePayment): Promise<contract.PaymentInitiated> {
    return this.initiation.initiate(request);
  }

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

  @Handles(contract.startPaymentAuthorisation)
  async startAuthorisation(
    request: contract.PaymentRef & contract.StartAuthorisation,
  ): Promise<contract.AuthorisationStarted> {
    return this.furtherAuthorisation.start(request);
  }

  @Handles(contract.cancelPayment)
  async cancel(
    ref: contract.PaymentRef & { readonly idempotencyKey?: string },
  ): Promise<Record<string, never>> {
    const { tppId, paymentId, idempotencyKey } = ref;
    await this.reads.standing(ref);
    await this.store.change(paymentId, (state) => cancelPayment(state, { tppId, idempotencyKey }), {
      actor: tppId,
    });
    return {};
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
