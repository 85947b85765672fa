import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { anchorSweep } from '@xs2a/event-store/verification/anchor-sweep';
import type { Logger } from '@xs2a/observability/logger';
import { Clock } from '@xs2a/runtime/clock';
import type { Sweep } from '@xs2a/runtime/sweep';
import { LOGGER, POOL } from '@xs2a/runtime/tokens';
import type { Pool } from 'pg';

/** Keeps an anchor of the consents' log once a minute. */
@Injectable()
export class ConsentAnchors implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly sweep: Sweep;

  constructor(@Inject(POOL) pool: Pool, clock: Clock, @Inject(LOGGER) logger: Logger) {
    this.sweep = anchorSweep({ resource: 'consents', pool, clock, logger });
  }

  onApplicationBootstrap(): void {
    this.sweep.start();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.sweep.stop();
  }
}
