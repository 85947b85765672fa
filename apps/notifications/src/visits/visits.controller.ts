import { Controller, Inject, type OnApplicationShutdown } from '@nestjs/common';
import { Handles } from '@xs2a/calls/handles';
import type { RequestOf } from '@xs2a/contracts/call';
import { maxLocation, visit, type Visited } from '@xs2a/contracts/sandbox/visits.contract';
import { CallFailed } from '@xs2a/domain/failure/failed';
import { CheckedRequests, requestFailure } from '../checked-requests.js';
import { VisitLimit } from './visit-limit.js';

/** Less than the time of the call, so that its caller learns that there was no answer. */
const answerWithinMs = 8000;

/** Opens addresses of a TPP's application, as the PSU's browser does after SCA (contract 13). Only in a sandbox. */
@Controller()
export class VisitsController implements OnApplicationShutdown {
  constructor(
    @Inject(CheckedRequests) private readonly requests: CheckedRequests,
    @Inject(VisitLimit) private readonly limit: VisitLimit,
  ) {}

  onApplicationShutdown(): void {
    this.requests.close();
  }

  @Handles(visit)
  async visit({ tppId, uri }: RequestOf<typeof visit>): Promise<Visited> {
    const retryAfter = this.limit.take(tppId);
    if (retryAfter !== undefined) throw new CallFailed([{ failure: 'visitsExceeded', retryAfter }]);
    try {
      const { status, location } = await this.requests.request(uri, {
        method: 'GET',
        headers: { accept: 'text/html' },
        answerWithinMs,
      });
      return location === undefined ? { status } : { status, location: location.slice(0, maxLocation) };
    } catch (error) {
      return { failure: requestFailure(error) };
    }
  }
}
