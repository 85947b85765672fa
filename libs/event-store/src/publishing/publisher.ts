import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { Health } from '@xs2a/observability/health';
import type { Logger } from '@xs2a/observability/logger';
import { Clock } from '@xs2a/runtime/clock';
import type { ConfigOf, relayConfig, serviceConfig } from '@xs2a/runtime/config';
import type { Sweep } from '@xs2a/runtime/background/sweep';
import { CONFIG, LOGGER, POOL } from '@xs2a/runtime/tokens';
import type { Pool } from 'pg';
import { idempotencySweep } from '../streams/idempotency-records.js';
import { anchorSweep } from '../verification/log-anchor.js';
import { Relay, type RelayOptions } from './relay.js';

/** Injection token of the event store that {@link Publisher} publishes. */
export const PUBLISHED = Symbol('PUBLISHED');

export type Published = RelayOptions['store'] & {
  readonly idempotencyKeys: { prune(limit: number): Promise<number> };
};

/**
 * Publishes a service's events as a stream. Only one of the service's instances does this at a time. Once a
 * minute, each instance stores an anchor of the log and removes expired idempotency keys.
 */
@Injectable()
export class Publisher implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly parts: readonly (Relay | Sweep)[];

  constructor(
    @Inject(PUBLISHED) store: Published,
    @Inject(POOL) pool: Pool,
    @Inject(LOGGER) logger: Logger,
    @Inject(CONFIG) settings: ConfigOf<typeof relayConfig & Pick<typeof serviceConfig, 'NATS_URL'>>,
    health: Health,
    clock: Clock,
  ) {
    const { NATS_URL: natsUrl, STREAM_REFILL_EVENTS: refillEvents } = settings;
    const relay = new Relay({ pool, store, natsUrl, logger, refillEvents });
    health.check('relay', async () => relay.check());
    health.degraded('relay', () => relay.degraded());
    this.parts = [
      relay,
      idempotencySweep(store.idempotencyKeys, clock, logger),
      anchorSweep({ resource: store.resource.name, pool, clock, logger }),
    ];
  }

  onApplicationBootstrap(): void {
    for (const part of this.parts) part.start();
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all(this.parts.map(async (part) => part.stop()));
  }
}
