import { Controller, Inject, Req, Res } from '@nestjs/common';
import { CallClient } from '@xs2a/calls/client';
import { basketAuthorisation, readBasketStatus } from '@xs2a/contracts/baskets.contract';
import type { Call } from '@xs2a/contracts/call';
import { consentAuthorisation, readConsentStatus } from '@xs2a/contracts/consents.contract';
import type { AuthorisationCalls } from '@xs2a/contracts/authorisations.contract';
import { paymentAuthorisation, readPaymentStatus } from '@xs2a/contracts/payments.contract';
import { CONFIG } from '@xs2a/runtime/tokens';
import type { FastifyReply } from 'fastify';
import { basketPage, basketPath, parseBasketRef } from '../baskets/basket-json.js';
import { pagesOrigin } from '../config.js';
import { consentPage, consentPath, parseConsentRef } from '../consents/consent-json.js';
import type { EdgeRequest } from '../edge/edge-request.js';
import type { GatewayParts } from '../edge/edge.js';
import { Endpoint } from '../endpoint.js';
import { parsePaymentRef, paymentPage, paymentPath } from '../payments/payment-json.js';
import { authorisationListJson, scaStatusJson } from './read-authorisations.js';
import { answerStarted, expectNoBody, startedBy } from './start-authorisation.js';

type Json = Readonly<Record<string, unknown>>;

/** One kind of resource that PSUs sign: the parser of its path, its calls, and the links to it. */
interface Signable<Ref> {
  readonly parse: (request: EdgeRequest) => Ref;
  readonly calls: Pick<AuthorisationCalls<Ref, unknown, unknown, unknown>, 'start' | 'list'>;
  readonly readStatus: Call<Ref, unknown>;
  readonly self: (ref: Ref) => string;
  readonly page: (pagesUrl: string, ref: Ref) => string;
}

const payment: Signable<ReturnType<typeof parsePaymentRef>> = {
  parse: parsePaymentRef,
  calls: paymentAuthorisation,
  readStatus: readPaymentStatus,
  self: paymentPath,
  page: (pagesUrl, { paymentId }) => paymentPage(pagesUrl, paymentId),
};
const basket: Signable<ReturnType<typeof parseBasketRef>> = {
  parse: parseBasketRef,
  calls: basketAuthorisation,
  readStatus: readBasketStatus,
  self: ({ basketId }) => basketPath(basketId),
  page: (pagesUrl, { basketId }) => basketPage(pagesUrl, basketId),
};
const consent: Signable<ReturnType<typeof parseConsentRef>> = {
  parse: parseConsentRef,
  calls: consentAuthorisation,
  readStatus: readConsentStatus,
  self: ({ consentId }) => consentPath(consentId),
  page: (pagesUrl, { consentId }) => consentPage(pagesUrl, consentId),
};

/** The three authorisation endpoints, for payments, signing baskets and consents (contract 10). */
@Controller()
export class AuthorisationsController {
  private readonly pagesUrl: string;

  constructor(
    private readonly callClient: CallClient,
    @Inject(CONFIG) config: GatewayParts['config'],
  ) {
    this.pagesUrl = pagesOrigin(config);
  }

  @Endpoint('startPaymentAuthorisation')
  async startOfPayment(
    @Req() request: EdgeRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Json> {
    return this.start(payment, request, reply);
  }

  @Endpoint('startBasketAuthorisation')
  async startOfBasket(
    @Req() request: EdgeRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Json> {
    return this.start(basket, request, reply);
  }

  @Endpoint('startConsentAuthorisation')
  async startOfConsent(
    @Req() request: EdgeRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Json> {
    return this.start(consent, request, reply);
  }

  @Endpoint('listPaymentAuthorisations')
  async listOfPayment(@Req() request: EdgeRequest): Promise<Json> {
    return authorisationListJson(await this.list(payment, request));
  }

  @Endpoint('listBasketAuthorisations')
  async listOfBasket(@Req() request: EdgeRequest): Promise<Json> {
    return authorisationListJson(await this.list(basket, request));
  }

  @Endpoint('listConsentAuthorisations')
  async listOfConsent(@Req() request: EdgeRequest): Promise<Json> {
    return authorisationListJson(await this.list(consent, request));
  }

  @Endpoint('readPaymentAuthorisation')
  async readOfPayment(@Req() request: EdgeRequest): Promise<Json> {
    return scaStatusJson(await this.list(payment, request), request);
  }

  @Endpoint('readBasketAuthorisation')
  async readOfBasket(@Req() request: EdgeRequest): Promise<Json> {
    return scaStatusJson(await this.list(basket, request), request);
  }

  @Endpoint('readConsentAuthorisation')
  async readOfConsent(@Req() request: EdgeRequest): Promise<Json> {
    return scaStatusJson(await this.list(consent, request), request);
  }

  private async start<Ref>(
    { parse, calls, readStatus, self, page }: Signable<Ref>,
    request: EdgeRequest,
    reply: FastifyReply,
  ): Promise<Json> {
    const ref = parse(request);
    await expectNoBody(request, async () => this.callClient.call(readStatus, ref));
    const { authorisationId } = await this.callClient.call(calls.start, { ...ref, ...startedBy(request) });
    return answerStarted(reply, authorisationId, { self: self(ref), page: page(this.pagesUrl, ref) });
  }

  private async list<Ref>({ parse, calls }: Signable<Ref>, request: EdgeRequest) {
    return (await this.callClient.call(calls.list, parse(request))).authorisations;
  }
}
