import { Injectable } from '@nestjs/common';
import { CallClient } from '@xs2a/calls/client';
import {
  listWaitingConsents,
  listWaitingPayments,
  maxWaiting,
  type WaitingApprovals,
} from '@xs2a/contracts/console/waiting-approvals.contract';
import { newestWaiting } from '@xs2a/resources/waiting';
import { PsuTags } from '../actions/psu-tags.js';
import { type Revealed, type RevealRequest, Reveals } from '../actions/reveals.js';

/**
 * Finds what waits for the approval of a PSU, for the page PSUs and for xs2a psu approvals. Each search is recorded and rate-limited as
 * one reveal.
 */
@Injectable()
export class OpenApprovals {
  constructor(
    private readonly reveals: Reveals,
    private readonly callClient: CallClient,
    private readonly tags: PsuTags,
  ) {}

  async find(
    psuId: string,
    request: Pick<RevealRequest, 'actionId' | 'by' | 'reason'>,
  ): Promise<Revealed<WaitingApprovals>> {
    const target = this.tags.of(psuId);
    return this.reveals.reveal({ ...request, act: 'find-approvals', target }, async () => {
      const found = await Promise.all([
        this.callClient.call(listWaitingPayments, { psuId }),
        this.callClient.call(listWaitingConsents, { psuId }),
      ]);
      const shown = newestWaiting(found, maxWaiting);
      return { shown, outcome: `Found ${shown.approvals.length}.` };
    });
  }
}
