import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { idempotencySweep } from '@xs2a/event-store/streams/idempotency-sweep';
import { Relay } from '@xs2a/event-store/publishing/relay';
import { Health } from '@xs2a/observability/health';
import type { Logger } from '@xs2a/observability/logger';
import { Clock } from '@xs2a/runtime/clock';
import type { ConfigOf, serviceConfig } from '@xs2a/runtime/config';
import type { Sweep } from '@xs2a/runtime/sweep';
import { CONFIG, LOGGER, POOL } from '@xs2a/runtime/tokens';
import type { Pool } from 'pg';
import type { config } from '../config.js';
import { ConsentStore } from '../store/consent-store.js';

/** Publishes the consents' events to the JetStream stream CONSENTS. */
@Injectable()
export class ConsentPublisher implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly relay: Relay;
  private readonly idempotencyKeys: Sweep;

  constructor(
    store: ConsentStore,
    @Inject(POOL) pool: Pool,
    @Inject(LOGGER) logger: Logger,
    @Inject(CONFIG) settings: ConfigOf<typeof config & Pick<typeof serviceConfig, 'NATS_URL'>>,
    health: Health,
    clock: Clock,
  ) {
    this.relay = new Relay({
      pool,
      store,
      natsUrl: settings.NATS_URL,
      logger,
      refillEvents: settings.STREAM_REFILL_EVENTS,
    });
    this.idempotencyKeys = idempotencySweep({ store, clock, logger });
    health.check('relay', async () => this.relay.check());
    health.degraded('relay', () => this.relay.degraded());
  }

  onApplicationBootstrap(): void {
    this.relay.start();
    this.idempotencyKeys.start();
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all([this.relay.stop(), this.idempotencyKeys.stop()]);
  }
}
