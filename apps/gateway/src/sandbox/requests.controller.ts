import { Controller, Req } from '@nestjs/common';
import { CallClient } from '@xs2a/calls/client';
import { listRequests, readRequest, type RequestDetails } from '@xs2a/contracts/console.contract';
import { CallFailed } from '@xs2a/domain/failure/failed';
import { readFlag } from '../accounts/account-query.js';
import { CallRows } from '../call-rows/call-rows.js';
import { type EdgeRequest, parseId, requireCaller } from '../edge/edge-request.js';
import { Endpoint } from '../endpoint.js';
import { ownPageLinks, readOwnPage } from './own-page.js';

/** A TPP's own calls (contract 13). This controller is registered only in the sandbox. */
@Controller()
export class RequestsController {
  constructor(
    private readonly callClient: CallClient,
    private readonly rows: CallRows,
  ) {}

  /** Reports the rows of this gateway first, so that a TPP finds the call that it has just made. */
  @Endpoint('listRequests')
  async list(@Req() request: EdgeRequest): Promise<Readonly<Record<string, unknown>>> {
    const page = readOwnPage(request);
    const withContent = readFlag(request.query, 'withContent');
    if ('failures' in withContent) throw new CallFailed(withContent.failures);
    await this.rows.flush();
    const { requests, next } = await this.callClient.call(listRequests, {
      ...page,
      withContent: withContent.value,
    });
    const query: Readonly<Record<string, string>> = withContent.value ? { withContent: 'true' } : {};
    return { requests, _links: ownPageLinks('/sandbox/requests', page, next, query) };
  }

  @Endpoint('readRequest')
  async read(@Req() request: EdgeRequest): Promise<{ readonly requests: readonly RequestDetails[] }> {
    await this.rows.flush();
    return this.callClient.call(readRequest, {
      tppId: requireCaller(request).tpp.clientId,
      requestId: parseId(request.params['requestId']),
    });
  }
}
