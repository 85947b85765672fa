import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { readSettlementQueue, type SettlementQueue } from '@xs2a/contracts/payments.contract';
import { readUnfinishedTransactions, type UnfinishedTransactions } from '@xs2a/contracts/settlement.contract';
import type { Logger } from '@xs2a/observability/logger';
import { Sweep } from '@xs2a/runtime/background/sweep';
import { Clock } from '@xs2a/runtime/clock';
import { LOGGER } from '@xs2a/runtime/tokens';
import { Parts } from '../parts/parts.js';

const askedEveryMs = 5000;
/** Transactions whose reasons the page Now shows. */
const maxReasons = 3;

/** What waits for settlement. A part is undefined if its service did not answer the latest question. */
export interface Waiting {
  readonly queue?: SettlementQueue;
  readonly unfinished?: UnfinishedTransactions;
}

/** Asks the services every five seconds what waits in them. */
@Injectable()
export class Backlog implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly sweep: Sweep;
  private latest: Waiting = {};

  constructor(
    private readonly parts: Parts,
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
    const [queue, unfinished] = await Promise.all([
      this.parts.ask(readSettlementQueue, { limit: 0 }),
      this.parts.ask(readUnfinishedTransactions, { limit: maxReasons }),
    ]);
    this.latest = { queue: queue.answer, unfinished: unfinished.answer };
    return 0;
  }
}
