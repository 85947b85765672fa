import { Controller, Inject, Req, Res } from '@nestjs/common';
import {
  checkBeforeBody,
  createConsent,
  listConsents,
  readConsent,
  readConsentStatus,
  terminateConsent,
} from '@xs2a/contracts/consents.contract';
import { consentMembers } from '@xs2a/domain/consent/validate-consent';
import { CallFailed, callFailed } from '@xs2a/domain/failure/failed';
import { CallClient } from '@xs2a/calls/client';
import { CONFIG } from '@xs2a/runtime/tokens';
import type { FastifyReply } from 'fastify';
import { readPage } from '../accounts/account-query.js';
import { forwardBody } from '../checks/body/json-body.js';
import {
  consentJson,
  consentListJson,
  consentPath,
  createdConsentJson,
  parseConsentRef,
} from './consent-json.js';
import {
  readIdempotencyKey,
  requireCaller,
  type EdgeRequest,
  requireHeaders,
  parseId,
} from '../edge/edge-request.js';
import { pagesOrigin } from '../config.js';
import type { GatewayParts } from '../edge/edge.js';
import { Endpoint } from '../endpoint.js';

type Json = Readonly<Record<string, unknown>>;

/** Consents (spec 4.3): calls the consents service and returns its responses in Berlin Group format. */
@Controller()
export class ConsentsController {
  private readonly pagesUrl: string;

  constructor(
    private readonly callClient: CallClient,
    @Inject(CONFIG) config: GatewayParts['config'],
  ) {
    this.pagesUrl = pagesOrigin(config);
  }

  @Endpoint('createConsent')
  async create(@Req() request: EdgeRequest, @Res({ passthrough: true }) reply: FastifyReply): Promise<Json> {
    const { psuId, psuCorporateId, redirectUris, notification } = requireHeaders(request);
    const idempotencyKey = readIdempotencyKey(request);
    const { tpp } = requireCaller(request);
    const head = { tppId: tpp.clientId, idempotencyKey, psuId, psuCorporateId };
    const created = await forwardBody(request, {
      known: consentMembers,
      create: async (body) =>
        this.callClient.call(createConsent, { ...head, body, redirectUris, notification }),
      checkBeforeBody: async () => this.callClient.call(checkBeforeBody, head),
    });
    reply.header('location', consentPath(created.consentId)).header('aspsp-sca-approach', 'REDIRECT');
    return createdConsentJson(created, this.pagesUrl);
  }

  @Endpoint('listConsents')
  async list(@Req() request: EdgeRequest): Promise<Json> {
    const page = readPage(request.query);
    if ('failures' in page) throw new CallFailed(page.failures);
    const { pageSize, cursor } = page.value;
    if (cursor !== undefined && parseId(cursor) !== cursor)
      throw callFailed('fieldMalformed', 'cursor', 'Use a link from an earlier page unchanged.');
    const { consents, next } = await this.callClient.call(listConsents, {
      tppId: requireCaller(request).tpp.clientId,
      limit: pageSize,
      before: cursor,
    });
    return consentListJson(consents, { pageSize, cursor, next });
  }

  @Endpoint('readConsent')
  async read(@Req() request: EdgeRequest): Promise<Json> {
    const consent = parseConsentRef(request);
    return consentJson(await this.callClient.call(readConsent, consent), consent.consentId);
  }

  @Endpoint('readConsentStatus')
  async readStatus(@Req() request: EdgeRequest): Promise<Json> {
    const { consentStatus } = await this.callClient.call(readConsentStatus, parseConsentRef(request));
    return { consentStatus };
  }

  @Endpoint('deleteConsent')
  async delete(@Req() request: EdgeRequest): Promise<void> {
    await this.callClient.call(terminateConsent, parseConsentRef(request));
  }
}
