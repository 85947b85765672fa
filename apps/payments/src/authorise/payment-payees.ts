import { Inject, Injectable } from '@nestjs/common';
import { CallClient } from '@xs2a/calls/client';
import { callContext } from '@xs2a/calls/context';
import type { AnswerOf } from '@xs2a/contracts/call';
import {
  type NamedPayee,
  type PayeesAsked,
  type PayeesShown,
  payeeWaitMs,
  verifyPayees,
} from '@xs2a/contracts/payees/payees.contract';
import { CallFailed } from '@xs2a/domain/failure/failed';
import { openPayees, recordPayees } from '@xs2a/domain/payee/payment-payees';
import { getFirstOrder, getService, type PaymentState } from '@xs2a/domain/payment/payment-state';
import type { Profile } from '@xs2a/domain/profile/profile';
import type { Logger } from '@xs2a/observability/logger';
import { Clock } from '@xs2a/runtime/clock';
import { newId } from '@xs2a/runtime/ids';
import { LOGGER, PROFILE } from '@xs2a/runtime/tokens';
import { PAYMENT_STORE, type PaymentStore } from '../store/payment-store.js';
import { VerificationLeases } from './verification-leases.js';

type Answer = AnswerOf<typeof verifyPayees>;

/** Milliseconds for the way to the accounts service and back. */
const onTheWayMs = 1000;
/** Milliseconds in which an answer is recorded. */
const recordedWithinMs = 500;

const isBulk = (payment: PaymentState): boolean => getService(payment) === 'bulk-payments';
const answerWithinMs = (payment: PaymentState): number =>
  (isBulk(payment) ? payeeWaitMs.bulk : payeeWaitMs.single) + onTheWayMs;

/** Verifies the payees of payments before their signers see them (contract 15). */
@Injectable()
export class PaymentPayees {
  constructor(
    @Inject(PAYMENT_STORE) private readonly store: PaymentStore,
    private readonly leases: VerificationLeases,
    private readonly callClient: CallClient,
    private readonly clock: Clock,
    @Inject(PROFILE) private readonly profile: Profile,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  shown(payment: PaymentState): PayeesShown {
    return {
      awaitsPayees: this.listOpen(payment).length > 0 || undefined,
      payeesVerified: payment.payeesVerified,
    };
  }

  /**
   * Asks the bank and records its answer. Signers of a payment who come at the same time wait for one answer, whatever
   * their instances. Throws statusForbidsAuthorisation if the payment no longer awaits a signature.
   */
  async verify(
    payment: PaymentState,
    asked: PayeesAsked & { readonly authorisationId: string },
  ): Promise<void> {
    if (this.listOpen(payment).length === 0) return;
    const { paymentId } = payment;
    const leaseMs = answerWithinMs(payment) + recordedWithinMs;
    await this.leases.run(paymentId, leaseMs, async () => {
      const now = await this.store.load(paymentId);
      if (now !== undefined) await this.askAndRecord(now.state, asked);
    });
  }

  private async askAndRecord(
    payment: PaymentState,
    asked: PayeesAsked & { readonly authorisationId: string },
  ): Promise<void> {
    const payees = this.listOpen(payment);
    if (payees.length === 0) return;
    const { authorisationId, psuId, language, textsVersion } = asked;
    const askedAt = this.clock.now();
    const answer = await this.ask(payment, psuId, payees);
    await this.store.change(
      payment.paymentId,
      (state) =>
        recordPayees(state, {
          authorisationId,
          requestId: callContext.getStore()?.requestId ?? newId(),
          askedAt,
          answeredAt: this.clock.now(),
          language,
          textsVersion,
          ...answer,
        }),
      { actor: 'psu' },
    );
  }

  private listOpen(payment: PaymentState): readonly NamedPayee[] {
    return openPayees(payment, this.profile);
  }

  /** Without an answer the payees are unverified, and the payment can be signed all the same. */
  private async ask(payment: PaymentState, psuId: string, payees: readonly NamedPayee[]): Promise<Answer> {
    const { paymentId } = payment;
    try {
      return await this.callClient.call(
        { ...verifyPayees, timeoutMs: answerWithinMs(payment) },
        { psuId, paymentId, debtorIban: getFirstOrder(payment).debtorIban, isBulk: isBulk(payment), payees },
      );
    } catch (error) {
      if (!(error instanceof CallFailed)) throw error;
      this.logger.warn({ paymentId, failures: error.failures }, 'the payees of a payment were not verified');
      const unverified = { verdict: 'NOT_POSSIBLE', reason: 'no-answer' } as const;
      return { isOptedOut: false, payees: payees.map((payee) => ({ ...payee, ...unverified })) };
    }
  }
}
