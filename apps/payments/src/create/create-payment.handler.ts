import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { CommandOf } from '@xs2a/calls/handlers';
import {
  type InitiatePayment,
  type PaymentInitiated,
  initiatePayment,
} from '@xs2a/contracts/payments.contract';
import {
  type AccountFacts,
  debtorAccountFailure,
  unusableDebtorAccount,
} from '@xs2a/domain/account/debtor-account';
import { isJsonObject, type JsonObject } from '@xs2a/domain/form/form-checks';
import { type Initiation, decideInitiation } from '@xs2a/domain/payment/decide-payment';
import {
  validateInitiation,
  ordersToPay,
  type PricedInitiation,
  priceInitiation,
  type ValidInitiation,
} from '@xs2a/domain/payment/validate-initiation';
import type { PaymentEvent } from '@xs2a/domain/payment/payment-events';
import { isKnownProduct } from '@xs2a/domain/payment/product-offers';
import { total, computeTotalDebit } from '@xs2a/domain/payment/pricing/price-order';
import type { Profile } from '@xs2a/domain/profile/profile';
import { createOrReplay, replayAnswer } from '@xs2a/calls/replay-answer';
import { toIdempotencyRecord } from '@xs2a/event-store/streams/idempotency-records';
import { CallFailed, callFailed, dependencyDown } from '@xs2a/domain/failure/failed';
import { Clock } from '@xs2a/runtime/clock';
import type { ConfigOf } from '@xs2a/runtime/config';
import { failpoint } from '@xs2a/runtime/failpoint';
import { newId } from '@xs2a/runtime/ids';
import { CONFIG, POOL, PROFILE } from '@xs2a/runtime/tokens';
import type { Pool } from 'pg';
import { DebtorAccounts } from '../authorise/debtor-accounts.js';
import type { config } from '../config.js';
import { isSwitching } from '../settle/settlement-time.js';
import { PAYMENT_STORE, type PaymentStore } from '../store/payment-store.js';
import { BeforeBody } from './before-body.js';

/** POST of a payment, a periodic order or a bulk payment (spec 4.5, contract 8). */
export class CreatePayment extends CommandOf(initiatePayment) {}

/** The events of a new payment, and the answer to its POST request. */
interface Created {
  readonly events: PaymentEvent[];
  readonly answer: PaymentInitiated;
}

/**
 * Creates a payment and stores it together with its idempotency key. A request is refused for the first of these
 * reasons that applies (contract 3):
 *
 * 1. the bank does not know the product
 * 2. PSU-Corporate-ID is not a corporate of the bank
 * 3. the product ended with the lev
 * 4. the body breaks the rules of its payment service and product
 * 5. the debtor account does not exist, cannot be debited, or does not belong to the corporate
 * 6. the amount cannot be paid from an account in that currency
 *
 * A repeat with an idempotency key that was already answered receives the same answer, even if its body would now
 * break a rule. The key is therefore looked up before the corporate.
 */
@CommandHandler(CreatePayment)
export class CreatePaymentHandler implements ICommandHandler<CreatePayment> {
  constructor(
    private readonly beforeBody: BeforeBody,
    @Inject(PAYMENT_STORE) private readonly store: PaymentStore,
    private readonly debtorAccounts: DebtorAccounts,
    private readonly clock: Clock,
    @Inject(PROFILE) private readonly profile: Profile,
    @Inject(CONFIG) private readonly settings: ConfigOf<typeof config>,
    @Inject(POOL) private readonly pool: Pool,
  ) {}

  async execute({ request }: CreatePayment): Promise<PaymentInitiated> {
    this.mustOfferProduct(request);
    const replay = await this.beforeBody.check<PaymentInitiated>(request);
    if (replay !== undefined) return replay;
    return createOrReplay(
      async () => this.create(request),
      async () => this.store.idempotencyKeys.findEarlier(request),
    );
  }

  private async create(request: InitiatePayment): Promise<PaymentInitiated> {
    const { events, answer } = await this.decide(request);
    failpoint('payments.before-append');
    const outcome = await this.store.append({
      streamId: answer.paymentId,
      events,
      actor: request.tppId,
      idempotencyRecord: toIdempotencyRecord(request, answer),
    });
    failpoint('payments.after-append');
    return outcome === 'appended' ? answer : replayAnswer<PaymentInitiated>(outcome);
  }

  /** Applies the rules in order. Throws CallFailed for the first rule that the request breaks. */
  private async decide(request: InitiatePayment): Promise<Created> {
    const { body, initiation } = this.validBody(request);
    try {
      const account = await this.debtorAccount(initiation, request);
      const priced = this.price(initiation, { request, body, account });
      return this.initiate(priced, { request, body, account });
    } catch (error) {
      // While the bank switches to euro, the account may be in euro already, and the rules are still those of the lev.
      if (error instanceof CallFailed && (await isSwitching(this.pool, this.clock.now())))
        throw dependencyDown();
      throw error;
    }
  }

  private mustOfferProduct({ product }: InitiatePayment): void {
    if (!isKnownProduct(product, this.profile)) throw callFailed('productUnknown');
  }

  private validBody({ service, product, body }: InitiatePayment): {
    readonly body: JsonObject;
    readonly initiation: ValidInitiation;
  } {
    const initiation = validateInitiation(
      { service, product, body },
      { profile: this.profile, today: this.today(), ownBankCode: this.settings.BANK_CODE },
    );
    if ('failures' in initiation) throw new CallFailed(initiation.failures);
    if (!isJsonObject(body)) throw callFailed('bodyNotJson');
    return { body, initiation };
  }

  /** Returns the account from which all orders of the initiation are paid. */
  private async debtorAccount(
    initiation: ValidInitiation,
    { psuCorporateId }: InitiatePayment,
  ): Promise<AccountFacts> {
    const { debtorCurrency } = initiation.valid;
    const orders = ordersToPay(initiation);
    const account = await this.debtorAccounts.facts(orders[0]?.debtorIban ?? '');
    for (const order of orders) {
      const failure = debtorAccountFailure(account, order, this.profile, debtorCurrency);
      if (failure !== undefined) throw new CallFailed([failure]);
    }
    const isOfCorporate = psuCorporateId === undefined || account?.corporateId === psuCorporateId;
    if (account === undefined || !isOfCorporate)
      throw new CallFailed([unusableDebtorAccount(debtorCurrency)]);
    return account;
  }

  private price(initiation: ValidInitiation, { request, body, account }: Accepted): PricedInitiation {
    const priced = priceInitiation(initiation, {
      product: request.product,
      body,
      accountCurrency: account.currency,
      today: this.today(),
      profile: this.profile,
    });
    if ('failure' in priced) throw new CallFailed([priced.failure]);
    return priced;
  }

  private initiate({ type, data }: PricedInitiation, { request, body, account }: Accepted): Created {
    const { tppId, product, psuId, redirectUris, notification } = request;
    const { signaturesRequired } = account;
    const ids = {
      paymentId: newId(),
      product,
      // With several signers, each has a separate authorisation, which the TPP starts (contract 10).
      authorisationId: signaturesRequired > 1 ? undefined : newId(),
    };
    const header = {
      ...ids,
      signaturesRequired,
      tppId,
      body,
      redirectUris,
      psuId,
      notification,
    };
    const initiation = { type, data: { ...data, ...header } } as Initiation;
    const price = readPrice(initiation);
    return {
      events: decideInitiation(initiation, this.clock.now(), this.profile),
      answer: price === undefined ? ids : { ...ids, price },
    };
  }

  /** Returns the current date at the bank. */
  private today(): string {
    return this.clock.date(this.profile.timeZone);
  }
}

/** A request with a valid body, and the account from which it can be paid. */
interface Accepted {
  readonly request: InitiatePayment;
  readonly body: JsonObject;
  readonly account: AccountFacts;
}

/**
 * Returns the fee and the total debit. Undefined if the bank has no tariff, and for a periodic order, which is
 * priced on each execution day.
 */
const readPrice = ({ type, data }: Initiation): PaymentInitiated['price'] => {
  if (type === 'order-initiated') return undefined;
  const orders = type === 'initiated' ? [data.order] : data.orders;
  const fees = orders.flatMap(({ fee }) => fee ?? []);
  if (fees.length < orders.length) return undefined;
  return { fee: total(fees), total: total(orders.map(computeTotalDebit)) };
};
