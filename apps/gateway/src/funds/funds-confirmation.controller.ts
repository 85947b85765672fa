import { Controller, Req } from '@nestjs/common';
import { confirmFunds } from '@xs2a/contracts/funds-confirmation.contract';
import { CallFailed } from '@xs2a/domain/failure/failed';
import { CallClient } from '@xs2a/calls/client';
import { requireBody } from '../checks/body/json-body.js';
import { requireCaller, type EdgeRequest } from '../edge/edge-request.js';
import { Endpoint } from '../endpoint.js';
import { readFundsRequest } from './funds-request.js';
import { parseCredentials } from '../checks/token/credentials.js';
import { TokenPsus } from '../checks/token/token-psus.js';

/** Funds confirmation (spec 4.2, contract 7). */
@Controller()
export class FundsConfirmationController {
  constructor(
    private readonly callClient: CallClient,
    private readonly psus: TokenPsus,
  ) {}

  @Endpoint('confirmFunds')
  async confirm(@Req() request: EdgeRequest): Promise<{ readonly fundsAvailable: boolean }> {
    const { token } = requireCaller(request);
    const wanted = readFundsRequest(requireBody(request));
    if ('failures' in wanted) throw new CallFailed(wanted.failures);
    const { fundsAvailable } = await this.callClient.call(confirmFunds, {
      tppId: token.clientId,
      psuId: await this.psus.find(token, parseCredentials(request.headers.authorization).token),
      ...wanted.value,
    });
    return { fundsAvailable };
  }
}
