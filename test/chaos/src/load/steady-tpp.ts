import type { Call } from '@xs2a/contracts/call';
import { basketAuthorisation } from '@xs2a/contracts/baskets.contract';
import { verifyBasketPayees, verifyPaymentPayees } from '@xs2a/contracts/payees/payees.contract';
import { paymentAuthorisation } from '@xs2a/contracts/payments.contract';
import { CallFailed } from '@xs2a/domain/failure/failed';
import type { ServiceCalls } from '@xs2a/sandbox/services/service-calls';
import { type Answer, parseJson, type Sending } from '@xs2a/tpp-client/http';
import { PsuBrowser } from '@xs2a/tpp-client/psu-browser';
import { type PsuCredentials, walkAndApprove } from '@xs2a/tpp-client/psu-walk';
import { domesticPath, parseInitiated } from '@xs2a/test-support/requests';
import { authorise } from '@xs2a/test-support/sandbox-tpp';
import type { Tokens, TppClient } from '@xs2a/tpp-client/tpp-client';
import { setTimeout as wait } from 'node:timers/promises';
import { type AnswerTimes, withoutIds } from './answer-times.js';
import type { Asked, BasketRecord, ClientLog, ConsentRecord, PaymentRecord } from './client-log.js';
import { formsInLev, type PaymentForms } from './payment-forms.js';

export const basketsPath = '/v1/signing-baskets';
/**
 * Seconds for which a client retries a request. No fault lasts that long, so a service that still does not respond
 * has failed to recover by itself.
 */
const timeoutSeconds = 60;

/** Thrown when no final response arrived within a minute. */
export class GaveUp extends Error {
  override readonly name = 'GaveUp';
}

/**
 * Thrown when a resource was acknowledged and then lost by a database that was restored to an earlier state. Its
 * client then drops the resource.
 */
export class Forgotten extends Error {
  override readonly name = 'Forgotten';
}

/** A final response, with the times of its request. */
export interface SteadyAnswer extends Answer {
  readonly asked: Asked;
  /** The number of requests sent, the last of which got the final response. */
  readonly tries: number;
}

const toText = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** The resources that have a transactionStatus. */
export type StatusRecord = PaymentRecord | BasketRecord;

/** The language and version of the texts in which the results of the verification of payees are shown. */
const shownTo = { language: 'en', textsVersion: '1' };

/** The preference with which clients register for notifications: every change of status, and nothing else. */
const notificationContent = 'status=PROCESS';

/** Returns the path of a payment, order, bulk payment or basket. */
export const toPath = (record: StatusRecord): string =>
  'basketId' in record
    ? `${basketsPath}/${record.basketId}`
    : `${record.path ?? domesticPath}/${record.paymentId}`;
const toName = (record: StatusRecord): string =>
  'basketId' in record ? `basket ${record.basketId}` : `payment ${record.paymentId}`;

const isFinal = ({ status, headers }: Answer): boolean =>
  status < 500 && status !== 401 && !headers.has('retry-after');

/** True if the status means that the service does not know the id. */
export const isUnknown = (status: number): boolean => status === 403 || status === 404;

/** A TPP that retries a request with the same key until it gets a final response. */
export class SteadyTpp {
  private token: Promise<string> | undefined;

  constructor(
    readonly tpp: TppClient,
    private readonly serviceCalls: ServiceCalls,
    readonly log: ClientLog,
    private readonly times: AnswerTimes,
    /** The address for notifications of changes. If absent, none are sent. */
    private readonly notificationUri?: string,
    readonly forms: PaymentForms = formsInLev,
  ) {}

  /** Polls until there is a result. Throws {@link GaveUp} if there is none in time. */
  async until<Value>(what: string, ask: () => Promise<Value | undefined>): Promise<Value> {
    const began = performance.now();
    const end = began + timeoutSeconds * 1000;
    let last: unknown;
    let maxTrySeconds = 0;
    const failed: Record<string, number> = {};
    for (let tries = 0; performance.now() < end; tries += 1) {
      const tried = performance.now();
      let value: Value | undefined;
      last = 'no answer for good';
      try {
        value = await ask();
      } catch (error) {
        if (error instanceof Forgotten) throw error;
        last = error;
      }
      maxTrySeconds = Math.max(maxTrySeconds, (performance.now() - tried) / 1000);
      if (value !== undefined) {
        const seconds = (performance.now() - began) / 1000;
        if (seconds > this.log.maxWait.seconds)
          this.log.maxWait = { seconds, what, tries: tries + 1, maxTrySeconds, failed };
        return value;
      }
      const why = withoutIds(toText(last));
      failed[why] = (failed[why] ?? 0) + 1;
      this.log.retries += 1;
      await wait(Math.min(500, 40 * 2 ** tries));
    }
    throw new GaveUp(`${what}: ${toText(last)}`);
  }

  /** Sends a request with an application token until the status is below 500 and the response has no Retry-After. */
  async insist(method: string, path: string, sending: Sending = {}): Promise<SteadyAnswer> {
    let tries = 0;
    return this.until(`${method} ${path}`, async () => {
      const from = performance.now();
      tries += 1;
      const answer = await this.once(method, path, sending);
      if (!isFinal(answer)) throw new Error(`answered ${answer.status}`);
      return { ...answer, tries, asked: { from, to: performance.now() } };
    });
  }

  async once(method: string, path: string, sending: Sending = {}): Promise<Answer> {
    this.token ??= this.newToken();
    let token: string;
    try {
      token = await this.token;
    } catch (error) {
      this.token = undefined;
      throw error;
    }
    const answer = await this.tpp.call(method, path, token, sending);
    if (answer.status === 401) this.token = undefined;
    return answer;
  }

  /** POSTs a payment, or sends it twice at once if `doubled`. */
  async initiate(
    record: Pick<PaymentRecord, 'key' | 'debtorIban' | 'amount' | 'creditorIban' | 'psuId' | 'isPushed'>,
    doubled = false,
  ): Promise<PaymentRecord> {
    const answers = await Promise.all(
      Array.from({ length: doubled ? 2 : 1 }, async () => this.postPayment(record)),
    );
    const ids = new Set(answers.map(({ paymentId }) => paymentId));
    if (doubled) this.log.repeats += 1;
    const first = await this.lasting(answers);
    if (answers.some((one) => one.paymentId !== first.paymentId && this.log.isCertain(one.created)))
      this.log.surprises.push(`one key, two payments: ${[...ids].join(', ')}`);
    const payment: PaymentRecord = {
      ...record,
      ...first,
      path: this.forms.singlePath,
      seen: [{ status: 'RCVD', asked: first.created }],
    };
    this.log.payments.push(payment);
    return payment;
  }

  /**
   * Chooses from several responses to the same request. They may differ if the database was restored to an earlier
   * state between them; then one of them was not lost.
   */
  private async lasting<One extends Pick<PaymentRecord, 'paymentId' | 'created'>>(
    answers: readonly One[],
  ): Promise<One> {
    const [first] = answers;
    if (first === undefined) throw new GaveUp('no answer');
    const certain = answers.find(({ created }) => this.log.isCertain(created));
    if (certain !== undefined || answers.every(({ paymentId }) => paymentId === first.paymentId))
      return certain ?? first;
    for (const one of answers) {
      const { status } = await this.insist('GET', `${this.forms.singlePath}/${one.paymentId}`);
      if (!isUnknown(status)) return one;
    }
    return first;
  }

  /** Checks that a retry gets the same response, unless the first result was lost. */
  async repeat(payment: PaymentRecord): Promise<void> {
    const again = await this.postPayment(payment);
    this.log.repeats += 1;
    if (again.paymentId === payment.paymentId) return;
    if (this.log.mustBeKnown(payment)) {
      this.log.surprises.push(`the idempotency key of ${payment.paymentId} also created ${again.paymentId}`);
      return;
    }
    delete payment.signed;
    Object.assign(payment, again, { seen: [{ status: 'RCVD', asked: again.created }] });
  }

  /** Lets the PSU accept and sign, as on the pages. A payment that has already reached its end stays unsigned. */
  async sign(payment: PaymentRecord): Promise<void> {
    const { paymentId, authorisationId, psuId } = payment;
    const request = { paymentId, authorisationId, psuId };
    await this.signBy(payment, async () => {
      await this.call(paymentAuthorisation.identify, request);
      if (this.forms.verifiesPayees) await this.call(verifyPaymentPayees, { ...request, ...shownTo });
      return (await this.call(paymentAuthorisation.sign, request)).status === 'ACCP';
    });
  }

  /** Signs a basket with all its items, as {@link sign} signs one payment. */
  async signBasket(basket: BasketRecord): Promise<void> {
    const { basketId, authorisationId, psuId } = basket;
    const request = { basketId, authorisationId, psuId };
    await this.signBy(basket, async () => {
      await this.call(basketAuthorisation.identify, request);
      if (this.forms.verifiesPayees) await this.call(verifyBasketPayees, { ...request, ...shownTo });
      await this.call(basketAuthorisation.sign, request);
      return true;
    });
  }

  /** Signs a resource. `signs` returns whether it is signed. */
  private async signBy(record: StatusRecord, signs: () => Promise<boolean>): Promise<void> {
    let uncertain = false;
    await this.until(`sign ${toName(record)}`, async () => {
      const from = performance.now();
      try {
        if (await signs()) record.signed = { from, to: performance.now() };
        return true;
      } catch (error) {
        const [failure] = error instanceof CallFailed ? error.failures : [];
        if (failure === undefined) throw error;
        if (failure.failure === 'dependencyDown') {
          uncertain = true;
          throw error;
        }
        // The resource was signed by an earlier attempt whose response was lost, or was ended by a
        // cancellation or by the clock.
        if (uncertain) await this.readAuthorisation(record);
        return true;
      }
    });
  }

  /** Lets the PSU sign on the bank's pages, starting again whenever a page fails. */
  async signAtPages(payment: PaymentRecord, psu: PsuCredentials): Promise<void> {
    const { paymentId, authorisationId } = payment;
    const link = `${this.tpp.baseUrl}/sca/payment/${paymentId}/${authorisationId}`;
    await this.until(`sign ${paymentId} at the pages`, async () => {
      const browser = new PsuBrowser({ 'accept-language': 'en' }, this.times.send);
      const end = await walkAndApprove(browser, link, psu).catch((error: unknown) => error);
      const scaStatus = await this.readAuthorisation(payment);
      if (!['finalised', 'failed'].includes(scaStatus))
        throw end instanceof Error ? end : new Error(`the pages ended, yet it is ${scaStatus}`);
      return true;
    });
  }

  /**
   * DELETEs the resource. `signedWith`: the basket with which it was signed, which a restored database may have
   * reopened.
   */
  async cancel(record: StatusRecord, signedWith?: BasketRecord): Promise<void> {
    const sending = { headers: { 'idempotency-key': `cancel-${record.key}` } };
    const isCertain = (): boolean => signedWith !== undefined && this.log.isCertain(signedWith.signed);
    const answer = await this.until(`cancel ${toName(record)}`, async () => {
      const tried = await this.insist('DELETE', toPath(record), sending);
      // A basket's signature reaches its items a moment after it is acknowledged (docs/adr/0040).
      return isCertain() && tried.text.includes('RESOURCE_BLOCKED') ? undefined : tried;
    });
    this.eraseUndone(record, answer);
    const isReopened = signedWith !== undefined && !isCertain();
    if (answer.status === 204) record.cancelled = answer.asked;
    else if (isReopened && answer.text.includes('RESOURCE_BLOCKED')) this.log.blocked += 1;
    else if (!answer.text.includes('CANCELLATION_INVALID'))
      this.log.surprises.push(`DELETE ${toName(record)} answered ${answer.status}: ${answer.text}`);
  }

  /** Reads the status and records it. */
  async status(record: StatusRecord): Promise<string> {
    const answer = await this.insist('GET', `${toPath(record)}/status`);
    this.eraseUndone(record, answer);
    if (answer.status !== 200) {
      this.log.surprises.push(`GET status of ${toName(record)} answered ${answer.status}: ${answer.text}`);
      return '';
    }
    this.log.statusReads += 1;
    const { transactionStatus, fundsAvailable } = parseJson<{
      transactionStatus: string;
      fundsAvailable?: boolean;
    }>(answer);
    const status = fundsAvailable === false ? `${transactionStatus}-` : transactionStatus;
    record.seen.push({ status, asked: answer.asked });
    return status;
  }

  /**
   * Obtains a grant through the authorize page, with the times of its request. Each attempt is a separate
   * authorization.
   */
  async authorised(
    psu: PsuCredentials,
    scope: string,
    consentId?: string,
  ): Promise<Tokens & { readonly asked: Asked }> {
    return this.until(`authorize ${scope}`, async () => {
      const from = performance.now();
      try {
        const browser = new PsuBrowser({}, this.times.send);
        const tokens = await authorise(this.tpp, psu, scope, consentId, browser);
        this.log.tokens += 1;
        return { ...tokens, asked: { from, to: performance.now() } };
      } catch (error) {
        const consent = this.log.consents.find((one) => one.consentId === consentId);
        if (consent !== undefined && !this.log.mustBeKnown(consent))
          this.eraseUndone(consent, await this.once('GET', `/v1/consents/${consent.consentId}/status`));
        throw error;
      }
    });
  }

  /** Reads the accounts without the PSU present. */
  async readAlone(token: string, consentId: string): Promise<Omit<SteadyAnswer, 'tries'>> {
    return this.until('GET /v1/accounts', async () => {
      const from = performance.now();
      const headers = { 'consent-id': consentId };
      const answer = await this.tpp.call('GET', '/v1/accounts', token, { headers });
      return answer.status < 500 ? { ...answer, asked: { from, to: performance.now() } } : undefined;
    });
  }

  /** Throws {@link Forgotten} if the response shows that the resource is unknown, and it may have been lost. */
  eraseUndone(record: StatusRecord | ConsentRecord, { status }: Answer): void {
    if (isUnknown(status) && !this.log.mustBeKnown(record)) throw new Forgotten('its creation was undone');
  }

  /** Calls a service directly, bypassing the public entry point, and measures the call. Throws CallFailed. */
  async call<Request, Answer>(call: Call<Request, Answer>, request: Request): Promise<Answer> {
    return this.times.measure(
      call.subject,
      async () => this.serviceCalls.call(call, request),
      () => 'answered',
    );
  }

  private async newToken(): Promise<string> {
    const token = await this.tpp.applicationToken();
    this.log.tokens += 1;
    return token;
  }

  /** Records whether the resource is signed. Returns the authorisation's status. */
  private async readAuthorisation(record: StatusRecord): Promise<string> {
    const path = `${toPath(record)}/authorisations/${record.authorisationId}`;
    const answer = await this.insist('GET', path);
    this.eraseUndone(record, answer);
    const { scaStatus } = parseJson<{ scaStatus: string }>(answer);
    if (scaStatus === 'finalised') record.signed = answer.asked;
    return scaStatus;
  }

  private async postPayment({
    key,
    debtorIban,
    amount,
    creditorIban,
    isPushed = true,
  }: Pick<PaymentRecord, 'key' | 'debtorIban' | 'amount' | 'creditorIban' | 'isPushed'>) {
    const json = this.forms.transfer(debtorIban, creditorIban, amount);
    return this.post(this.forms.singlePath, key, json, isPushed ? this.registration : {});
  }

  /** The headers with which a POST registers for pushed changes. */
  get registration(): Readonly<Record<string, string>> {
    return this.notificationUri === undefined
      ? {}
      : {
          'tpp-notification-uri': this.notificationUri,
          'tpp-notification-content-preferred': notificationContent,
        };
  }

  /** POSTs an initiation. Returns its ids and the times of the request. Throws {@link GaveUp} if it is refused. */
  async post(
    path: string,
    key: string,
    json: Readonly<Record<string, unknown>>,
    registration: Readonly<Record<string, string>> = this.registration,
  ): Promise<Pick<PaymentRecord, 'paymentId' | 'authorisationId' | 'created'>> {
    const answer = await this.insist('POST', path, {
      headers: { 'idempotency-key': key, ...registration },
      json,
    });
    if (answer.status !== 201) throw new GaveUp(`POST payment answered ${answer.status}: ${answer.text}`);
    const { paymentId, scaRedirect } = parseInitiated(answer, path);
    return { paymentId, authorisationId: scaRedirect.split('/').at(-1) ?? '', created: answer.asked };
  }
}
