import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import {
  type EventStreamReport,
  readConsentStream,
  readPaymentStream,
} from '@xs2a/contracts/console/event-stream.contract';
import { readSettlementQueue, type SettlementQueue } from '@xs2a/contracts/payments.contract';
import { type NotificationSummary, summariseNotifications } from '@xs2a/contracts/notifications.contract';
import type { Call } from '@xs2a/contracts/call';
import type { EventResource } from '@xs2a/contracts/event-streams';
import { askCoreBank } from '@xs2a/contracts/accounts.contract';
import { coreBankName, type ServiceName } from '@xs2a/contracts/services';
import { readUnfinishedTransactions, type UnfinishedTransactions } from '@xs2a/contracts/settlement.contract';
import type { Logger } from '@xs2a/observability/logger';
import { Sweep } from '@xs2a/runtime/background/sweep';
import { Clock } from '@xs2a/runtime/clock';
import { LOGGER } from '@xs2a/runtime/tokens';
import { LivePulses } from '@xs2a/doctor/live-pulses';
import { type Part, Parts } from '../parts/parts.js';

/** With the intervals of the observation and of the page, less than the ten seconds that the console promises. */
const askedEveryMs = 5000;
/** Transactions whose reasons the page Now shows. */
const maxReasons = 3;

/** For each resource: the report on its JetStream stream, or the name of the service (or `nats`) that did not respond. */
export type StreamReports = readonly (readonly [EventResource, Part<EventStreamReport>])[];

/** What waits in the services. A part is undefined if its service did not answer the latest question. */
export interface Waiting {
  readonly queue?: SettlementQueue;
  readonly unfinished?: UnfinishedTransactions;
  readonly notifications?: NotificationSummary;
  /** Whether the core bank answered a question without effect; undefined if accounts could not be asked. */
  readonly coreBank?: { readonly ms: number } | 'no answer';
  /** The reports on the JetStream streams. Undefined until the console has called the services for the first time after its start. */
  readonly streams?: StreamReports;
}

/** Asks the services every five seconds what waits in them. */
@Injectable()
export class Backlog implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly sweep: Sweep;
  private latest: Waiting = {};

  constructor(
    private readonly parts: Parts,
    private readonly pulses: LivePulses,
    @Inject(LOGGER) logger: Logger,
  ) {
    const run = async (): Promise<number> => this.ask();
    const clock = new Clock(false);
    this.sweep = new Sweep({ name: 'backlog', everyMs: askedEveryMs, clock, logger, run });
  }

  onApplicationBootstrap(): void {
    this.sweep.start();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.sweep.stop();
  }

  get waiting(): Waiting {
    return this.latest;
  }

  /** Returns 0, because one question is answered in full. */
  private async ask(): Promise<number> {
    const [queue, unfinished, notifications, coreBank, payments, consents] = await Promise.all([
      this.askIfHeard('payments', readSettlementQueue, { limit: 0 }),
      this.askIfHeard('settlement-worker', readUnfinishedTransactions, { limit: maxReasons }),
      this.askIfHeard('notifications', summariseNotifications, {}),
      this.askIfHeard('accounts', askCoreBank, {}),
      this.askIfHeard('payments', readPaymentStream, {}),
      this.askIfHeard('consents', readConsentStream, {}),
    ]);
    this.latest = {
      queue: queue?.answer,
      unfinished: unfinished?.answer,
      notifications: notifications?.answer,
      coreBank: coreBank?.missing === coreBankName ? 'no answer' : coreBank?.answer,
      streams: [
        ['payments', payments ?? { missing: 'payments' }],
        ['consents', consents ?? { missing: 'consents' }],
      ],
    };
    return 0;
  }

  /**
   * Resolves to undefined if the service was not asked. A silent service is not asked: unanswered calls would keep it named for a minute
   * after it is well again.
   */
  private async askIfHeard<Request, Answer>(
    service: ServiceName,
    call: Call<Request, Answer>,
    request: Request,
  ): Promise<Part<Answer> | undefined> {
    const isHeard = this.pulses.running().some((pulse) => pulse.service === service);
    return isHeard ? this.parts.ask(call, request) : undefined;
  }
}
