import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import type { Profile } from '@xs2a/domain/profile/profile';
import { ProjectionRunner } from '@xs2a/event-store/projections/runner';
import { Health } from '@xs2a/observability/health';
import type { Logger } from '@xs2a/observability/logger';
import { resources } from '@xs2a/resources/resources';
import { LOGGER, POOL, PROFILE } from '@xs2a/runtime/tokens';
import type { Pool } from 'pg';
import { paymentProjections } from './payment-projections.js';

/** Keeps the projections up to date. */
@Injectable()
export class PaymentProjections implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly runner: ProjectionRunner;

  constructor(
    health: Health,
    @Inject(POOL) pool: Pool,
    @Inject(PROFILE) { timeZone }: Profile,
    @Inject(LOGGER) logger: Logger,
  ) {
    this.runner = new ProjectionRunner({
      pool,
      projections: paymentProjections(timeZone),
      types: resources.payments.types,
      logger,
    });
    health.degraded('projections', () => this.runner.degraded());
  }

  onApplicationBootstrap(): void {
    this.runner.start();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.runner.stop();
  }
}
