import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { removeOldLetters } from '@xs2a/consumers/dead-letters';
import type { Logger } from '@xs2a/observability/logger';
import { Batches } from '@xs2a/postgres/batches';
import { Clock } from '@xs2a/runtime/clock';
import type { ConfigOf } from '@xs2a/runtime/config';
import { Sweep } from '@xs2a/runtime/background/sweep';
import { CONFIG, LOGGER, POOL } from '@xs2a/runtime/tokens';
import type { Pool } from 'pg';
import type { config } from './config.js';

const everyMs = 10 * 60 * 1000;
const maxRemoved = 1000;

/**
 * Removes dead letters that were not replayed in time, and logs a warning with the number removed. Their payments
 * have been settled nevertheless: an event only makes the worker look for due work sooner.
 */
@Injectable()
export class OldLetters implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly sweep: Sweep;
  private readonly batches = new Batches(maxRemoved);

  constructor(
    @Inject(POOL) private readonly pool: Pool,
    clock: Clock,
    @Inject(CONFIG) private readonly kept: Pick<ConfigOf<typeof config>, 'DEAD_LETTER_DAYS'>,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    const run = async (): Promise<number> => this.remove();
    this.sweep = new Sweep({ name: 'dead letters', everyMs, clock, logger, run });
  }

  onApplicationBootstrap(): void {
    this.sweep.start();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.sweep.stop();
  }

  private async remove(): Promise<number> {
    const days = this.kept.DEAD_LETTER_DAYS;
    const removed = await this.batches.next(async (limit) => removeOldLetters(this.pool, { days, limit }));
    if (removed > 0) this.logger.warn({ removed, days }, 'deleted dead letters that nobody had replayed');
    return removed;
  }
}
