import { Controller, Req } from '@nestjs/common';
import { CallClient } from '@xs2a/calls/client';
import { visit, type Visited } from '@xs2a/contracts/sandbox/visits.contract';
import { callFailed } from '@xs2a/domain/failure/failed';
import { requireBody } from '../checks/body/json-body.js';
import { type EdgeRequest, requireCaller } from '../edge/edge-request.js';
import { Endpoint } from '../endpoint.js';
import { readVisit } from './sandbox-bodies.js';
import { uriHint } from './visit.dto.js';

/** Opens an address of the caller's own application (contract 13). This controller is registered only in the sandbox. */
@Controller()
export class VisitsController {
  constructor(private readonly callClient: CallClient) {}

  @Endpoint('visit')
  async visit(@Req() request: EdgeRequest): Promise<Visited> {
    const { uri } = readVisit(requireBody(request));
    const { clientId, redirectUris } = requireCaller(request).tpp;
    // Some addresses that validator.js accepts, such as http://a.0x/, are none for the WHATWG URL standard.
    const origin = URL.parse(uri)?.origin;
    if (!redirectUris.some((registered) => new URL(registered).origin === origin))
      throw callFailed('fieldMalformed', 'uri', uriHint);
    return this.callClient.call(visit, { tppId: clientId, uri });
  }
}
