import { Controller, Inject, Req, Res } from '@nestjs/common';
import {
  cancelPayment,
  checkBeforeBody,
  initiatePayment,
  readPayment,
  readPaymentStatus,
} from '@xs2a/contracts/payments.contract';
import { initiationMembers } from '@xs2a/domain/payment/validate-initiation';
import { CallClient } from '@xs2a/calls/client';
import { CONFIG } from '@xs2a/runtime/tokens';
import type { FastifyReply } from 'fastify';
import { forwardBody } from '../checks/body/json-body.js';
import {
  readIdempotencyKey,
  requireCaller,
  type EdgeRequest,
  requireHeaders,
  requirePayment,
} from '../edge/edge-request.js';
import { pagesOrigin } from '../config.js';
import type { GatewayParts } from '../edge/edge.js';
import { Endpoint } from '../endpoint.js';
import {
  initiatedJson,
  parsePaymentRef,
  paymentJson,
  paymentPath,
  paymentStatusJson,
} from './payment-json.js';

type Json = Readonly<Record<string, unknown>>;

/**
 * Payments, periodic orders and bulk payments (spec 4.5, 4.6): calls the payments service and returns its
 * responses in Berlin Group format.
 */
@Controller()
export class PaymentsController {
  private readonly pagesUrl: string;

  constructor(
    private readonly callClient: CallClient,
    @Inject(CONFIG) config: GatewayParts['config'],
  ) {
    this.pagesUrl = pagesOrigin(config);
  }

  @Endpoint('initiatePayment')
  async initiate(
    @Req() request: EdgeRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Json> {
    const { service, product } = requirePayment(request);
    const { psuId, psuCorporateId, redirectUris, notification } = requireHeaders(request);
    const { tpp } = requireCaller(request);
    const idempotencyKey = readIdempotencyKey(request);
    const head = { tppId: tpp.clientId, idempotencyKey, psuCorporateId };
    const initiated = await forwardBody(request, {
      known: initiationMembers[service],
      create: async (body) =>
        this.callClient.call(initiatePayment, {
          ...head,
          service,
          product,
          body,
          redirectUris,
          notification,
          psuId,
        }),
      checkBeforeBody: async () => this.callClient.call(checkBeforeBody, { ...head, product }),
    });
    reply.header('location', paymentPath({ service, ...initiated })).header('aspsp-sca-approach', 'REDIRECT');
    return initiatedJson(service, initiated, this.pagesUrl);
  }

  @Endpoint('readPayment')
  async read(@Req() request: EdgeRequest): Promise<Json> {
    return paymentJson(await this.callClient.call(readPayment, parsePaymentRef(request)));
  }

  @Endpoint('readPaymentStatus')
  async readStatus(@Req() request: EdgeRequest): Promise<Json> {
    return paymentStatusJson(await this.callClient.call(readPaymentStatus, parsePaymentRef(request)));
  }

  @Endpoint('cancelPayment')
  async cancel(@Req() request: EdgeRequest): Promise<void> {
    const { idempotencyKey } = requireHeaders(request);
    const payment = parsePaymentRef(request);
    await this.callClient.call(cancelPayment, {
      ...payment,
      idempotencyKey,
    });
  }

  /** No cancellation requires SCA here, so the list is empty (spec 3.3). */
  @Endpoint('listCancellationAuthorisations')
  async listCancellationAuthorisations(@Req() request: EdgeRequest): Promise<Json> {
    await this.callClient.call(readPaymentStatus, parsePaymentRef(request));
    return { authorisationIds: [] };
  }
}
