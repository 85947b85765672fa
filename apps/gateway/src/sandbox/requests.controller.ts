import { Controller, Req } from '@nestjs/common';
import { CallClient } from '@xs2a/calls/client';
import { listRequests, readRequest, type RequestDetails } from '@xs2a/contracts/console.contract';
import { CallFailed } from '@xs2a/domain/failure/failed';
import { readPage } from '../accounts/account-query.js';
import { link } from '../authorisations/link.js';
import { CallRows } from '../call-rows/call-rows.js';
import { type EdgeRequest, parseId, requireCaller } from '../edge/edge-request.js';
import { Endpoint } from '../endpoint.js';

const path = '/sandbox/requests';

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
    const page = readPage(request.query);
    if ('failures' in page) throw new CallFailed(page.failures);
    const { pageSize, cursor } = page.value;
    await this.rows.flush();
    const { requests, next } = await this.callClient.call(listRequests, {
      tppId: requireCaller(request).tpp.clientId,
      limit: pageSize,
      before: cursor,
    });
    return {
      requests,
      _links: {
        first: cursor === undefined ? undefined : link(`${path}?pageSize=${pageSize}`),
        next: next === undefined ? undefined : link(`${path}?pageSize=${pageSize}&cursor=${next}`),
      },
    };
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
