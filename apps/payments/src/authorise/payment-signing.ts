import { Inject, Injectable } from '@nestjs/common';
import { findAuthorisation, linkedAuthorisation } from '@xs2a/authorisations/linked-authorisation';
import type { Signable } from '@xs2a/authorisations/signable';
import type { Identified, SignatureGiven } from '@xs2a/contracts/authorisations.contract';
import type { RequestOf } from '@xs2a/contracts/call';
import type {
  PaymentAuthorisation,
  paymentAuthorisation,
  PaymentAuthorisationRef,
  PaymentRef,
} from '@xs2a/contracts/payments.contract';
import { callFailed } from '@xs2a/domain/failure/failed';
import {
  acceptPayment,
  rejectPayment,
  signPayment,
  startPaymentAuthorisation,
} from '@xs2a/domain/payment/authorise-payment';
import {
  getFirstOrder,
  getReasonCode,
  getService,
  listOrders,
  type PaymentStatus,
} from '@xs2a/domain/payment/payment-state';
import { isGroupedPayment } from '@xs2a/domain/payment/payment-transitions';
import { findAmountInEuro } from '@xs2a/domain/switch-over/amount-in-euro';
import type { Profile } from '@xs2a/domain/profile/profile';
import {
  type Authorisation,
  type NewAuthorisation,
  signaturesMissing,
} from '@xs2a/domain/sca/authorisations';
import type { Appended, IdempotencyRecord } from '@xs2a/event-store/streams/event-store';
import { Clock } from '@xs2a/runtime/clock';
import { POOL, PROFILE } from '@xs2a/runtime/tokens';
import type { Pool } from 'pg';
import { PaymentReads } from '../read/payment-reads.js';
import { PAYMENT_STORE, type PaymentStore } from '../store/payment-store.js';
import { readPlannedSwitchOver } from '../settle/settlement-time.js';
import { DebtorAccounts } from './debtor-accounts.js';
import { PaymentPayees } from './payment-payees.js';

type Calls = typeof paymentAuthorisation;

/** Signs payments, periodic orders and bulk payments. */
@Injectable()
export class PaymentSigning implements Signable<
  PaymentRef,
  PaymentAuthorisationRef,
  PaymentAuthorisation,
  PaymentStatus
> {
  constructor(
    private readonly reads: PaymentReads,
    @Inject(PAYMENT_STORE) private readonly store: PaymentStore,
    private readonly debtorAccounts: DebtorAccounts,
    private readonly payees: PaymentPayees,
    private readonly clock: Clock,
    @Inject(PROFILE) private readonly profile: Profile,
    @Inject(POOL) private readonly pool: Pool,
  ) {}

  async mustKnowCorporate(corporateId: string): Promise<void> {
    await this.debtorAccounts.mustKnowCorporate(corporateId);
  }

  async findEarlierAnswer(record: Omit<IdempotencyRecord, 'answer'>) {
    return this.store.idempotencyKeys.find(record);
  }

  /** As when a payment is created, the corporate must own the debtor account; otherwise throws debtorAccountUnusable. */
  async mustBeOwned(ref: PaymentRef, psuCorporateId: string | undefined): Promise<void> {
    if (psuCorporateId === undefined) {
      await this.reads.status(ref);
      return;
    }
    const { debtorIban } = getFirstOrder(await this.reads.ofTpp(ref));
    const account = await this.debtorAccounts.facts(debtorIban);
    if (account?.corporateId !== psuCorporateId)
      throw callFailed('debtorAccountUnusable', 'PSU-Corporate-ID');
  }

  async start(
    { paymentId, tppId }: PaymentRef,
    input: NewAuthorisation,
    idempotencyRecord: IdempotencyRecord | undefined,
  ): Promise<Exclude<Appended, 'conflict'>> {
    return this.store.changeOnce(
      paymentId,
      (state) => startPaymentAuthorisation(state, { ...input, now: this.clock.now() }),
      { actor: tppId, idempotencyRecord },
    );
  }

  async list(ref: PaymentRef): Promise<readonly Authorisation[]> {
    return (await this.reads.ofTpp(ref)).authorisations;
  }

  async read(ref: PaymentAuthorisationRef): Promise<PaymentAuthorisation> {
    const [payment, switchOver] = await Promise.all([
      this.reads.authorisation(ref),
      readPlannedSwitchOver(this.pool),
    ]);
    const amountInEuro =
      switchOver === undefined
        ? undefined
        : findAmountInEuro(payment, switchOver, this.clock.now(), this.profile);
    return {
      ...linkedAuthorisation(payment, ref.authorisationId),
      paymentId: payment.paymentId,
      transactionStatus: payment.status,
      service: getService(payment),
      product: payment.product,
      paymentType: payment.paymentType,
      orders: listOrders(payment),
      body: payment.body,
      ...(payment.service === 'periodic-payments'
        ? { schedule: payment.schedule }
        : { requestedExecutionDate: payment.requestedExecutionDate }),
      ...this.payees.shown(payment),
      ...(amountInEuro === undefined ? {} : { amountInEuro }),
      isGrouped: isGroupedPayment(payment),
      isStopped: payment.stoppedBy !== undefined,
      reasonCode: getReasonCode(payment),
      executionDate: payment.signed?.executionDate,
    };
  }

  /** Records that the PSU may sign, or rejects the payment if this PSU cannot sign it. */
  async identify(request: RequestOf<Calls['identify']>): Promise<Identified> {
    const { paymentId, authorisationId, psuId } = request;
    const { debtorIban } = getFirstOrder(await this.reads.authorisation(request));
    const debtor = await this.debtorAccounts.ofPsu(debtorIban, psuId);
    const now = this.clock.now();
    const payment = await this.store.change(
      paymentId,
      (state) => acceptPayment(state, { authorisationId, psuId, debtor, now }, this.profile),
      { actor: 'psu' },
    );
    const { scaStatus } = findAuthorisation(payment, authorisationId);
    return { scaStatus, rejectionReason: payment.rejectionReason };
  }

  /** Records the signature. If it comes too late, rejects the payment and throws statusForbidsAuthorisation. */
  async sign(request: RequestOf<Calls['sign']>): Promise<SignatureGiven<PaymentStatus>> {
    const { paymentId, authorisationId, psuId, evidence } = request;
    await this.reads.authorisation(request);
    const [now, { offsetMs: clockOffsetMs }] = [this.clock.now(), this.clock];
    const payment = await this.store.change(
      paymentId,
      (state) => signPayment(state, { authorisationId, psuId, now, evidence, clockOffsetMs }, this.profile),
      { actor: 'psu' },
    );
    const isSigned = findAuthorisation(payment, authorisationId).scaStatus === 'finalised';
    if (!isSigned) throw callFailed('statusForbidsAuthorisation');
    return { status: payment.status, isSigned, signaturesMissing: signaturesMissing(payment) };
  }

  async reject(request: RequestOf<Calls['reject']>): Promise<PaymentStatus> {
    const { paymentId, psuId } = request;
    await this.reads.authorisation(request);
    const payment = await this.store.change(paymentId, (state) => rejectPayment(state, request), {
      actor: psuId === undefined ? 'sca' : 'psu',
    });
    return payment.status;
  }
}
