import { Controller, Inject, Req, Res } from '@nestjs/common';
import { cancelBasket, createBasket, readBasket, readBasketStatus } from '@xs2a/contracts/baskets.contract';
import { checkBeforeBody } from '@xs2a/contracts/payments.contract';
import { basketMembers } from '@xs2a/domain/basket/validate-basket';
import { isJsonObject, getMember } from '@xs2a/domain/form/form-checks';
import { callFailed } from '@xs2a/domain/failure/failed';
import { CallClient } from '@xs2a/calls/client';
import { Clock } from '@xs2a/runtime/clock';
import { CONFIG } from '@xs2a/runtime/tokens';
import type { FastifyReply } from 'fastify';
import {
  basketJson,
  basketPath,
  basketStatusJson,
  createdBasketJson,
  parseBasketRef,
} from './basket-json.js';
import { forwardBody } from '../checks/body/json-body.js';
import { readIdempotencyKey, requireCaller, type EdgeRequest, requireHeaders } from '../edge/edge-request.js';
import { pagesOrigin } from '../config.js';
import type { GatewayParts } from '../edge/edge.js';
import { Endpoint } from '../endpoint.js';
import type { Caller } from '../checks/token/callers.js';

type Json = Readonly<Record<string, unknown>>;

/** Signing baskets (contract 10): calls the payments service and returns its responses in Berlin Group format. */
@Controller()
export class BasketsController {
  private readonly pagesUrl: string;

  constructor(
    private readonly callClient: CallClient,
    private readonly clock: Clock,
    @Inject(CONFIG) config: GatewayParts['config'],
  ) {
    this.pagesUrl = pagesOrigin(config);
  }

  @Endpoint('createBasket')
  async create(@Req() request: EdgeRequest, @Res({ passthrough: true }) reply: FastifyReply): Promise<Json> {
    const { psuId, psuCorporateId, redirectUris, notification } = requireHeaders(request);
    const caller = requireCaller(request);
    const idempotencyKey = readIdempotencyKey(request);
    const begunAt = this.clock.now();
    const head = { tppId: caller.tpp.clientId, idempotencyKey, psuCorporateId };
    const created = await forwardBody(request, {
      known: basketMembers,
      create: async (body, value) => {
        mayGroup(value, caller);
        return this.callClient.call(createBasket, {
          ...head,
          body,
          begunAt,
          redirectUris,
          notification,
          psuId,
        });
      },
      checkBeforeBody: async () => this.callClient.call(checkBeforeBody, head),
    });
    reply.header('location', basketPath(created.basketId)).header('aspsp-sca-approach', 'REDIRECT');
    return createdBasketJson(created, this.pagesUrl);
  }

  @Endpoint('readBasket')
  async read(@Req() request: EdgeRequest): Promise<Json> {
    const basket = parseBasketRef(request);
    return basketJson(await this.callClient.call(readBasket, basket), basket.basketId);
  }

  @Endpoint('readBasketStatus')
  async readStatus(@Req() request: EdgeRequest): Promise<Json> {
    return basketStatusJson(await this.callClient.call(readBasketStatus, parseBasketRef(request)));
  }

  @Endpoint('deleteBasket')
  async delete(@Req() request: EdgeRequest): Promise<void> {
    const { idempotencyKey } = requireHeaders(request);
    await this.callClient.call(cancelBasket, {
      ...parseBasketRef(request),
      idempotencyKey,
    });
  }
}

/**
 * Requires role and scope PSP_AI if consents are grouped. Payments require PSP_PI, which the endpoint has already
 * checked. Throws CallFailed.
 */
const mayGroup = (body: unknown, { tpp, token }: Caller): void => {
  const consentIds = isJsonObject(body) ? getMember(body, 'consentIds') : undefined;
  if (!Array.isArray(consentIds) || consentIds.length === 0) return;
  if (!tpp.roles.includes('PSP_AI')) throw callFailed('roleMissing');
  if (!token.scopes.includes('PSP_AI')) throw callFailed('tokenOfWrongKind');
};
