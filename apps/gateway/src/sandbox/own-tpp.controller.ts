import { Controller, Req } from '@nestjs/common';
import { CallClient } from '@xs2a/calls/client';
import {
  addRedirectUri,
  checkRedirectUriBeforeBody,
  type OwnTpp,
  readOwnTpp,
  renewSecret,
} from '@xs2a/contracts/sandbox/own-tpp.contract';
import { forwardBody } from '../checks/body/json-body.js';
import { TppDirectory } from '../checks/token/tpp-directory.js';
import { type EdgeRequest, requireCaller } from '../edge/edge-request.js';
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
    const caller = callerOf(request);
    const tpp = await forwardBody(request, {
      create: async (body) => this.callClient.call(addRedirectUri, { ...caller, body }),
      checkBeforeBody: async () => this.callClient.call(checkRedirectUriBeforeBody, caller),
    });
    await this.tpps.refresh(tpp.clientId);
    return tpp;
  }

  @Endpoint('renewSecret')
  async renewSecret(@Req() request: EdgeRequest): Promise<{ readonly clientSecret: string }> {
    return this.callClient.call(renewSecret, callerOf(request));
  }
}

const callerOf = (request: EdgeRequest): { readonly tppId: string } => ({
  tppId: requireCaller(request).tpp.clientId,
});
