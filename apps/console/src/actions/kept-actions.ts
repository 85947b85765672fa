import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { Logger } from '@xs2a/observability/logger';
import { Sweep } from '@xs2a/runtime/background/sweep';
import { Clock } from '@xs2a/runtime/clock';
import { CONFIG, LOGGER } from '@xs2a/runtime/tokens';
import type { DataSource } from 'typeorm';
import type { ConsoleConfig } from '../config.js';

const dayMs = 24 * 60 * 60 * 1000;
const hourMs = 60 * 60 * 1000;

/** Removes recorded actions and ended jobs that are older than `ACTION_DAYS` real days, oldest first. The newest recorded action always stays. */
@Injectable()
export class KeptActions implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly clock = new Clock(false);
  private readonly sweep: Sweep;

  constructor(
    @InjectDataSource() private readonly source: DataSource,
    @Inject(CONFIG) private readonly kept: Pick<ConsoleConfig, 'ACTION_DAYS'>,
    @Inject(LOGGER) logger: Logger,
  ) {
    const run = async (): Promise<number> => this.removeOld();
    this.sweep = new Sweep({ name: 'recorded actions', everyMs: hourMs, clock: this.clock, logger, run });
  }

  onApplicationBootstrap(): void {
    this.sweep.start();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.sweep.stop();
  }

  /** Returns 0: one statement removes all of them. */
  async removeOld(): Promise<number> {
    const before = new Date(this.clock.nowMs() - this.kept.ACTION_DAYS * dayMs);
    await this.source.query('SELECT drop_operator_events($1)', [before]);
    await this.source.query('DELETE FROM job WHERE ended_at < $1', [before]);
    return 0;
  }
}
