import { Controller, Req } from '@nestjs/common';
import { CallClient } from '@xs2a/calls/client';
import type { IdempotencyKey } from '@xs2a/contracts/call';
import {
  addRedirectUri,
  checkRedirectUriBeforeBody,
  checkSecretBeforeBody,
  type OwnTpp,
  readOwnTpp,
  renewSecret,
} from '@xs2a/contracts/sandbox/own-tpp.contract';
import { hash } from 'node:crypto';
import { forwardBody } from '../checks/body/json-body.js';
import { TppDirectory } from '../checks/token/tpp-directory.js';
import { type EdgeRequest, readIdempotencyKey, requireCaller } from '../edge/edge-request.js';
import { Endpoint } from '../endpoint.js';

/** A TPP's own registration (contract 13). This controller is registered only in the sandbox. */
@Controller()
export class OwnTppController {
  constructor(
    private readonly callClient: CallClient,
    private readonly tpps: TppDirectory,
  ) {}

  @Endpoint('readOwnTpp')
  async read(@Req() request: EdgeRequest): Promise<OwnTpp> {
    return this.callClient.call(readOwnTpp, callerOf(request));
  }

  /** Also learns the new URI, so that this gateway accepts it in the TPP's next request. */
  @Endpoint('addRedirectUri')
  async addRedirectUri(@Req() request: EdgeRequest): Promise<OwnTpp> {
    const head = { ...callerOf(request), hasBoundToken: hasBoundToken(request) };
    const tpp = await forwardBody(request, {
      create: async (body) => this.callClient.call(addRedirectUri, { ...head, body }),
      checkBeforeBody: async () => this.callClient.call(checkRedirectUriBeforeBody, head),
    });
    await this.tpps.refresh(tpp.clientId);
    return tpp;
  }

  @Endpoint('renewSecret')
  async renewSecret(@Req() request: EdgeRequest): Promise<{ readonly clientSecret: string }> {
    const head = { ...callerOf(request), idempotencyKey: keyOfToken(request) };
    return forwardBody(request, {
      create: async (body) => this.callClient.call(renewSecret, { ...head, body }),
      checkBeforeBody: async () => this.callClient.call(checkSecretBeforeBody, head),
    });
  }
}

/**
 * The idempotency key of a request whose answer contains a secret. A repeat needs the access token of the first request:
 * with another one, a thief of the former secret could repeat the request that is in the TPP's log, and get the new
 * secret.
 */
const keyOfToken = (request: EdgeRequest): IdempotencyKey => {
  const key = readIdempotencyKey(request);
  // An application token is its own grant.
  const { grantId } = requireCaller(request).token;
  return { ...key, hash: hash('sha256', `${key.hash} ${grantId}`, 'hex') };
};

const callerOf = (request: EdgeRequest): { readonly tppId: string } => ({
  tppId: requireCaller(request).tpp.clientId,
});

/**
 * True if the access token is bound to a key or a certificate. The checks have verified that the caller holds the key
 * or the certificate, so a leaked bound token is useless to others.
 */
const hasBoundToken = (request: EdgeRequest): boolean => {
  const { boundTo, boundToCertificate } = requireCaller(request).token;
  return boundTo !== undefined || boundToCertificate !== undefined;
};
