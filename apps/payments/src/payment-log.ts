import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import type { Profile } from '@xs2a/domain/profile/profile';
import { attemptSweep } from '@xs2a/event-store/attempt-sweep';
import type { LoggedEvents, LogStretch } from '@xs2a/contracts/published-event';
import { loggedEvents } from '@xs2a/event-store/logged-events';
import { LogTail } from '@xs2a/event-store/log-tail';
import { Relay } from '@xs2a/event-store/relay';
import { Health } from '@xs2a/observability/health';
import type { Logger } from '@xs2a/observability/logger';
import { Clock } from '@xs2a/runtime/clock';
import type { ConfigOf, serviceConfig } from '@xs2a/runtime/config';
import type { Sweep } from '@xs2a/runtime/sweep';
import { CONFIG, LOGGER, POOL, PROFILE } from '@xs2a/runtime/tokens';
import type { Pool } from 'pg';
import { paymentProjections } from './payment-projections.js';
import { PaymentStore } from './payment-store.js';

/** Publishes the payments' events as the stream PAYMENTS; of several instances one does. */
@Injectable()
export class PaymentLog implements OnApplicationBootstrap, OnApplicationShutdown {
  /** For those who read the log in this process. */
  readonly tail: LogTail;
  private readonly relay: Relay;
  private readonly attempts: Sweep;

  constructor(
    store: PaymentStore,
    health: Health,
    clock: Clock,
    @Inject(POOL) private readonly pool: Pool,
    @Inject(CONFIG) settings: ConfigOf<typeof serviceConfig>,
    @Inject(PROFILE) profile: Profile,
    @Inject(LOGGER) logger: Logger,
  ) {
    this.tail = new LogTail(paymentProjections(profile.timeZone).flatMap(({ dataOf = [] }) => dataOf));
    this.relay = new Relay({
      pool,
      store,
      natsUrl: settings.NATS_URL,
      logger,
      tail: this.tail,
    });
    this.attempts = attemptSweep({ store, clock, logger });
    health.check('relay', async () => this.relay.check());
    health.degraded('relay', () => this.relay.degraded());
  }

  onApplicationBootstrap(): void {
    this.relay.start();
    this.attempts.start();
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all([this.relay.stop(), this.attempts.stop()]);
  }

  /** Everything committed before the call is in the stream, at positions up to `pos`, when this answers. */
  async published(): Promise<{ readonly pos: number }> {
    return this.relay.published();
  }

  /** What the stream no longer holds, from the log. */
  async logged(stretch: LogStretch): Promise<LoggedEvents> {
    return loggedEvents(this.pool, 'payments', stretch);
  }
}
