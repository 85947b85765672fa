import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { basketEventTypes } from '@xs2a/domain/basket/basket-event-types';
import { paymentEventTypes } from '@xs2a/domain/payment/payment-event-types';
import type { Profile } from '@xs2a/domain/profile/profile';
import { anchorSweep } from '@xs2a/event-store/verification/anchor-sweep';
import { ProjectionRunner } from '@xs2a/event-store/projections/runner';
import { Health } from '@xs2a/observability/health';
import type { Logger } from '@xs2a/observability/logger';
import { Clock } from '@xs2a/runtime/clock';
import type { Sweep } from '@xs2a/runtime/sweep';
import { LOGGER, POOL, PROFILE } from '@xs2a/runtime/tokens';
import type { Pool } from 'pg';
import { paymentProjections } from './payment-projections.js';
import { PaymentStore } from '../../store/payment-store.js';

/** Keeps the projections up to date, and once a minute an anchor of the log. */
@Injectable()
export class PaymentProjections implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly runner: ProjectionRunner;
  private readonly anchors: Sweep;

  constructor(
    store: PaymentStore,
    health: Health,
    clock: Clock,
    @Inject(POOL) pool: Pool,
    @Inject(PROFILE) { timeZone }: Profile,
    @Inject(LOGGER) logger: Logger,
  ) {
    this.runner = new ProjectionRunner({
      pool,
      projections: paymentProjections(timeZone),
      types: { ...paymentEventTypes, ...basketEventTypes },
      logger,
      onAppended: (listener) => store.onAppended(listener),
    });
    health.degraded('projections', () => this.runner.degraded());
    this.anchors = anchorSweep({ resource: 'payments', pool, clock, logger });
  }

  onApplicationBootstrap(): void {
    this.runner.start();
    this.anchors.start();
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all([this.runner.stop(), this.anchors.stop()]);
  }
}
