import { Inject, Injectable } from '@nestjs/common';
import type { InitiatePayment, PaymentInitiated } from '@xs2a/contracts/payments.contract';
import { type AccountFacts, debtorAccountFailure } from '@xs2a/domain/account/debtor-account';
import { isJsonObject } from '@xs2a/domain/form/form-checks';
import { type Initiation as PaymentInitiation, initiatePayment } from '@xs2a/domain/payment/decide-payment';
import {
  judgeInitiation,
  ordersToPay,
  priceInitiation,
  type ValidInitiation,
} from '@xs2a/domain/payment/judge-initiation';
import type { PaymentEvent } from '@xs2a/domain/payment/payment-events';
import { total, totalDebitOf } from '@xs2a/domain/payment/pricing/price-order';
import type { Profile } from '@xs2a/domain/profile/profile';
import { answerOfEarlierAttempt, type AttemptClaim } from '@xs2a/event-store/streams/event-store';
import { CallFailed, callFailed } from '@xs2a/domain/failure/failed';
import { Clock } from '@xs2a/runtime/clock';
import type { ConfigOf } from '@xs2a/runtime/config';
import { failpoint } from '@xs2a/runtime/failpoint';
import { newId } from '@xs2a/runtime/ids';
import { CONFIG, PROFILE } from '@xs2a/runtime/tokens';
import type { config } from '../config.js';
import { DebtorAccounts } from '../authorise/debtor-accounts.js';
import { PaymentStore } from '../store/payment-store.js';

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
    request: InitiatePayment,
    { paymentId }: PaymentInitiated,
  ): Promise<{ readonly events: PaymentEvent[]; readonly answer: PaymentInitiated }> {
    const { tppId, product, body, psuId, psuCorporateId, redirectUris, notification } = request;
    const { profile } = this;
    if (!profile.products.includes(product)) throw callFailed('productUnknown');
    if (psuCorporateId !== undefined) await this.debtorAccounts.mustKnowCorporate(psuCorporateId);
    const today = this.clock.date(profile.timeZone);
    // A gateway of the release before names no service: it knows single payments alone.
    const { service = 'payments' } = request;
    const judged = judgeInitiation(
      { service, product, body },
      { profile, today, ownBankCode: this.settings.BANK_CODE },
    );
    if ('failures' in judged) throw new CallFailed(judged.failures);
    if (!isJsonObject(body)) throw callFailed('bodyNotJson');
    const account = await this.debtorAccount(judged, psuCorporateId);
    const accountCurrency = account.currency;
    const initiation = priceInitiation(judged, { product, body, accountCurrency, today, profile });
    if ('failure' in initiation) throw new CallFailed([initiation.failure]);
    const { signaturesRequired } = account;
    // When several persons sign, each has an authorisation of its own, which the TPP starts (contract 10).
    const ids = { paymentId, product, ...(signaturesRequired > 1 ? {} : { authorisationId: newId() }) };
    const header = {
      ...ids,
      signaturesRequired,
      tppId,
      body,
      redirectUris,
      ...(psuId === undefined ? {} : { psuId }),
      ...(notification === undefined ? {} : { notification }),
    };
    const complete = { ...initiation, data: { ...initiation.data, ...header } } as PaymentInitiation;
    const events = initiatePayment(complete, this.clock.now(), profile);
    const price = priceOf(complete);
    return { events, answer: price === undefined ? ids : { ...ids, price } };
  }

  /** The account from which all is to be paid. Throws CallFailed: it is not there, or cannot be debited. */
  private async debtorAccount(judged: ValidInitiation, psuCorporateId?: string): Promise<AccountFacts> {
    const orders = ordersToPay(judged);
    const account = await this.debtorAccounts.facts(orders[0]?.debtorIban ?? '');
    for (const order of orders) {
      const failure = debtorAccountFailure(account, order, this.profile, judged.valid.debtorCurrency);
      if (failure !== undefined) throw new CallFailed([failure]);
    }
    const isOfCorporate = psuCorporateId === undefined || account?.corporateId === psuCorporateId;
    if (account === undefined || !isOfCorporate) throw callFailed('debtorAccountUnusable', 'debtorAccount');
    return account;
  }
}

/** The fee and the total debit; nothing where the bank has no tariff, and for a periodic order, which is priced day by day. */
const priceOf = ({ type, data }: PaymentInitiation): PaymentInitiated['price'] => {
  if (type === 'order-initiated') return undefined;
  const orders = type === 'initiated' ? [data.order] : data.orders;
  const fees = orders.flatMap(({ fee }) => fee ?? []);
  if (fees.length < orders.length) return undefined;
  return { fee: total(fees), total: total(orders.map(totalDebitOf)) };
};

const claimOf = ({ tppId, attempt }: InitiatePayment, answer: PaymentInitiated): AttemptClaim => ({
  tppId,
  key: attempt.key ?? '',
  path: attempt.path,
  hash: attempt.hash,
  answer,
});
