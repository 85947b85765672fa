import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import {
  listNotifications,
  notificationStates,
  type QueuedNotification,
} from '@xs2a/contracts/notifications.contract';
import { readUnfinishedTransactions } from '@xs2a/contracts/settlement.contract';
import { readConsentTimeline, readPaymentTimeline, type Timeline } from '@xs2a/contracts/timeline.contract';
import type { UnfinishedTransactions } from '@xs2a/contracts/settlement.contract';
import type { Repository } from 'typeorm';
import { CallEntity } from '../calls/call.entity.js';
import { type Part, Parts } from '../parts/parts.js';
import { type Facts, maxCalls } from './resource-page.js';

/** What the pages of a resource show, from the services that own it and from the console's own calls. */
@Injectable()
export class ResourceReads {
  constructor(
    private readonly parts: Parts,
    @InjectRepository(CallEntity) private readonly calls: Repository<CallEntity>,
  ) {}

  async timeline(
    kind: 'payments' | 'consents',
    id: string,
  ): Promise<Part<{ readonly timeline?: Timeline<Facts> }>> {
    return kind === 'payments'
      ? this.parts.ask(readPaymentTimeline, { id })
      : this.parts.ask(readConsentTimeline, { id });
  }

  async unfinished(paymentId: string): Promise<Part<UnfinishedTransactions>> {
    return this.parts.ask(readUnfinishedTransactions, { limit: 50, paymentId });
  }

  async notifications(
    resourceId: string,
  ): Promise<Part<{ readonly notifications: readonly QueuedNotification[] }>> {
    return this.parts.ask(listNotifications, { states: notificationStates, resourceId, limit: 100 });
  }

  /** Returns the newest calls of a resource, oldest first: at most {@link maxCalls} and one more. */
  async callsOf(resourceId: string): Promise<readonly CallEntity[]> {
    const calls = await this.calls.find({
      where: { resourceId },
      order: { at: 'DESC', callId: 'DESC' },
      take: maxCalls + 1,
    });
    return calls.reverse();
  }
}
