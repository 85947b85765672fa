import { Inject, Injectable } from '@nestjs/common';
import type { InitiatePayment, PaymentInitiated } from '@xs2a/contracts/payments.contract';
import { debtorAccountFailure } from '@xs2a/domain/account/debtor-account';
import { isJsonObject } from '@xs2a/domain/form/form-checks';
import { initiatePayment } from '@xs2a/domain/payment/decide-payment';
import type { PaymentEvent } from '@xs2a/domain/payment/payment-events';
import {
  futureExchangeFailure,
  priceOrder,
  tooLargeFailure,
  totalDebitOf,
} from '@xs2a/domain/payment/price-order';
import { validatePayment } from '@xs2a/domain/payment/validate-payment';
import type { Profile } from '@xs2a/domain/profile/profile';
import { answerOfEarlierAttempt, type AttemptClaim } from '@xs2a/event-store/event-store';
import { CallFailed, callFailed } from '@xs2a/messaging/call-failed';
import { Clock } from '@xs2a/runtime/clock';
import type { ConfigOf } from '@xs2a/runtime/config';
import { failpoint } from '@xs2a/runtime/failpoint';
import { newId } from '@xs2a/runtime/ids';
import { CONFIG, PROFILE } from '@xs2a/runtime/tokens';
import type { config } from './config.js';
import { DebtorAccounts } from './debtor-accounts.js';
import { PaymentStore } from './payment-store.js';

/** POST of a payment: judges the body, asks for the debtor account, stores the payment with the attempt's key. */
@Injectable()
export class Initiation {
  constructor(
    private readonly store: PaymentStore,
    private readonly debtorAccounts: DebtorAccounts,
    private readonly clock: Clock,
    @Inject(PROFILE) private readonly profile: Profile,
    @Inject(CONFIG) private readonly settings: ConfigOf<typeof config>,
  ) {}

  /**
   * Contract 3, precedence: an attempt that was answered before gets that answer again, whatever would be said of its
   * body now; so a request that is found wrong is looked up before it is refused.
   */
  async initiate(request: InitiatePayment): Promise<PaymentInitiated> {
    const { tppId, product, attempt } = request;
    const ids: PaymentInitiated = { paymentId: newId(), product };
    let decided: { readonly events: PaymentEvent[]; readonly answer: PaymentInitiated };
    try {
      decided = await this.decide(request, ids);
    } catch (error) {
      const earlier =
        attempt.key === undefined ? undefined : await this.store.findAttempt(claimOf(request, ids));
      if (earlier === undefined) throw error;
      return answerOfEarlierAttempt<PaymentInitiated>(earlier);
    }
    const { events, answer } = decided;
    failpoint('payments.before-append');
    const outcome = await this.store.append({
      streamId: answer.paymentId,
      events,
      actor: tppId,
      ...(attempt.key === undefined ? {} : { attempt: claimOf(request, answer) }),
    });
    failpoint('payments.after-append');
    return outcome === 'appended' ? answer : answerOfEarlierAttempt<PaymentInitiated>(outcome);
  }

  private async decide(
    { tppId, product, body, psuId, psuCorporateId, redirectUris, notification }: InitiatePayment,
    { paymentId }: PaymentInitiated,
  ): Promise<{ readonly events: PaymentEvent[]; readonly answer: PaymentInitiated }> {
    if (!this.profile.products.includes(product)) throw callFailed('productUnknown');
    if (psuCorporateId !== undefined) await this.debtorAccounts.mustKnowCorporate(psuCorporateId);
    const today = this.clock.date(this.profile.timeZone);
    const rules = { profile: this.profile, today, ownBankCode: this.settings.BANK_CODE };
    const judged = validatePayment(product, body, rules);
    if ('failures' in judged) throw new CallFailed(judged.failures);
    if (!isJsonObject(body)) throw callFailed('bodyNotJson');
    const { debtorCurrency, ...valid } = judged.valid;
    const account = await this.debtorAccounts.facts(valid.order.debtorIban);
    const failure = debtorAccountFailure(account, valid.order, this.profile, debtorCurrency);
    if (failure !== undefined) throw new CallFailed([failure]);
    if (psuCorporateId !== undefined && account?.corporateId !== psuCorporateId)
      throw callFailed('debtorAccountUnusable', 'debtorAccount');
    const order =
      account === undefined
        ? valid.order
        : priceOrder(valid.order, { product, body }, account.currency, this.profile);
    const unfit = tooLargeFailure(order) ?? futureExchangeFailure(order, valid.requestedExecutionDate, today);
    if (unfit !== undefined) throw new CallFailed([unfit]);
    const signaturesRequired = account?.signaturesRequired ?? 1;
    // When several persons sign, each has an authorisation of its own, which the TPP starts (contract 10).
    const ids = { paymentId, product, ...(signaturesRequired > 1 ? {} : { authorisationId: newId() }) };
    const events = initiatePayment(
      {
        ...valid,
        ...ids,
        order,
        signaturesRequired,
        tppId,
        body,
        redirectUris,
        now: this.clock.now(),
        ...(psuId === undefined ? {} : { psuId }),
        ...(notification === undefined ? {} : { notification }),
      },
      this.profile,
    );
    const { fee } = order;
    const answer = fee === undefined ? ids : { ...ids, price: { fee, total: totalDebitOf(order) } };
    return { events, answer };
  }
}

const claimOf = ({ tppId, attempt }: InitiatePayment, answer: PaymentInitiated): AttemptClaim => ({
  tppId,
  key: attempt.key ?? '',
  path: attempt.path,
  hash: attempt.hash,
  answer,
});
