import { Controller, Req } from '@nestjs/common';
import { CallClient } from '@xs2a/calls/client';
import { listConsents } from '@xs2a/contracts/consents.contract';
import { readOwnConsentTimeline } from '@xs2a/contracts/sandbox/own-consents.contract';
import {
  listOwnPayments,
  type OwnPaymentRow,
  readOwnTimeline,
} from '@xs2a/contracts/sandbox/own-payments.contract';
import { listIbans } from '@xs2a/domain/consent/consent-events';
import { callFailed } from '@xs2a/domain/failure/failed';
import { link } from '../authorisations/link.js';
import { consentPath } from '../consents/consent-json.js';
import { type EdgeRequest, parseId, requireCaller } from '../edge/edge-request.js';
import { Endpoint } from '../endpoint.js';
import { amountJson, paymentPath } from '../payments/payment-json.js';
import { throwResourceUnknown } from './consent-unknown.js';
import { ownPageLinks, readOwnPage } from './own-page.js';

type Json = Readonly<Record<string, unknown>>;

/** A TPP's own payments and consents (contract 13). This controller is registered only in the sandbox. */
@Controller()
export class OwnPaymentsController {
  constructor(private readonly callClient: CallClient) {}

  @Endpoint('listOwnPayments')
  async list(@Req() request: EdgeRequest): Promise<Json> {
    const page = readOwnPage(request);
    const { payments, next } = await this.callClient.call(listOwnPayments, page);
    return { payments: payments.map(paymentJson), _links: ownPageLinks('/sandbox/payments', page, next) };
  }

  @Endpoint('readOwnTimeline')
  async readTimeline(@Req() request: EdgeRequest): Promise<Json> {
    const { clientId: tppId } = requireCaller(request).tpp;
    const paymentId = parseId(request.params['paymentId']);
    const { payment, ...timeline } = await this.callClient.call(readOwnTimeline, { tppId, paymentId });
    const self = payment && link(paymentPath({ ...payment, paymentId }));
    return { ...timeline, _links: { self } };
  }

  @Endpoint('listOwnConsents')
  async listConsents(@Req() request: EdgeRequest): Promise<Json> {
    const page = readOwnPage(request);
    if (page.before !== undefined && parseId(page.before) !== page.before)
      throw callFailed('fieldMalformed', 'cursor', 'Use a link from an earlier page unchanged.');
    const limit = Math.min(page.limit, maxConsents);
    const { consents, next } = await this.callClient.call(listConsents, { ...page, limit });
    return {
      consents: consents.map(({ consentId, consentStatus, validUntil, recurringIndicator, access }) => ({
        consentId,
        consentStatus,
        validUntil,
        recurringIndicator,
        accounts: listIbans(access).length,
        _links: { self: link(consentPath(consentId)) },
      })),
      _links: ownPageLinks('/sandbox/consents', page, next),
    };
  }

  @Endpoint('readOwnConsentTimeline')
  async readConsentTimeline(@Req() request: EdgeRequest): Promise<Json> {
    const { clientId: tppId } = requireCaller(request).tpp;
    const consentId = parseId(request.params['consentId']);
    const timeline = await this.callClient
      .call(readOwnConsentTimeline, { tppId, consentId })
      .catch(throwResourceUnknown);
    return { ...timeline, _links: { self: link(consentPath(consentId)) } };
  }
}

/** The maximum number of consents per page. Each includes its full access, and a page must fit into one message. */
const maxConsents = 100;

const paymentJson = (payment: OwnPaymentRow): Json => ({
  paymentId: payment.paymentId,
  paymentService: payment.service,
  paymentProduct: payment.product,
  transactionStatus: payment.transactionStatus,
  amount: amountJson(payment.amount),
  createdAt: payment.createdAt,
  dueAt: payment.dueAt,
  fundsAvailable: payment.fundsAvailable,
  _links: { self: link(paymentPath(payment)) },
});
