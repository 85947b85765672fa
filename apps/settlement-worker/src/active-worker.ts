import { paymentEventTypes } from '@xs2a/domain/payment/payment-event-types';
import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { eventConsumers } from '@xs2a/contracts/event-consumers';
import { readDuePayments } from '@xs2a/contracts/payments.contract';
import type { PublishedEvent } from '@xs2a/contracts/published-event';
import type { PaymentEvent } from '@xs2a/domain/payment/payment-events';
import { dependencyDown } from '@xs2a/domain/failure/failed';
import { consume, type Consumption } from '@xs2a/consumers/consumer';
import { CallClient } from '@xs2a/calls/client';
import { waitAtMost } from '@xs2a/nats/wait-at-most';
import { Health } from '@xs2a/observability/health';
import type { Logger } from '@xs2a/observability/logger';
import { gauge } from '@xs2a/observability/metrics';
import { type LeaderLock, pause, repeat, runAsLeader } from '@xs2a/postgres/leader-lock';
import { LeaderWatch } from '@xs2a/postgres/leader-watch';
import { Clock } from '@xs2a/runtime/clock';
import type { ConfigOf, serviceConfig } from '@xs2a/runtime/config';
import { failpoint } from '@xs2a/runtime/failpoint';
import { CONFIG, LOGGER, POOL } from '@xs2a/runtime/tokens';
import { once } from 'node:events';
import type { Pool } from 'pg';
import { DueWork } from './due-work.js';
import { UnfinishedTable } from './unfinished-table.js';

type Signed = PublishedEvent<Extract<PaymentEvent, { type: 'signed' }>>;

const activeGauge = gauge('xs2a_settlement_active', '1 while this worker settles, 0 while it stands by', []);

/** Settles while it has the lock that one of all workers has; the others stand by to take over. */
@Injectable()
export class ActiveWorker implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly stopping = new AbortController();
  private readonly watch = new LeaderWatch('no active settlement worker');
  private running: Promise<void> | undefined;
  private active: { readonly work: DueWork; readonly signed: Consumption } | undefined;

  constructor(
    health: Health,
    private readonly callClient: CallClient,
    private readonly clock: Clock,
    @Inject(POOL) private readonly pool: Pool,
    @Inject(CONFIG) private readonly settings: ConfigOf<typeof serviceConfig>,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    health.degraded('settlement', () => this.active?.work.degraded() ?? this.watch.degraded());
    health.degraded('signed-payments', () => this.active?.signed.degraded());
  }

  onApplicationBootstrap(): void {
    activeGauge.set({}, 0);
    const stop = this.stopping.signal;
    const heldElsewhere = (): void => this.watch.seen();
    this.running = repeat(
      async () =>
        runAsLeader(this.pool, 'settlement', { stop, heldElsewhere }, async (lock) =>
          this.watch.while(async () => this.settleAsLeader(lock)),
        ),
      stop,
      (error) => this.logger.warn({ error }, 'acquiring the settlement lock failed; will retry'),
    );
  }

  async onApplicationShutdown(): Promise<void> {
    this.stopping.abort();
    await this.running;
  }

  /**
   * Resolves once nothing is due or under way that can be done now, here or on the active worker; dependencyDown when it takes longer. A
   * pass under way then continues.
   */
  async drain(limitMs: number): Promise<void> {
    const deadline = performance.now() + limitMs;
    while (await this.isAnythingDue()) {
      const leftMs = deadline - performance.now();
      if (leftMs <= 0) throw dependencyDown();
      if (this.active !== undefined) await waitAtMost(leftMs, this.active.work.drain());
      await pause(25, this.stopping.signal);
    }
  }

  private async settleAsLeader(lock: LeaderLock): Promise<void> {
    const { callClient, clock, logger } = this;
    const work = new DueWork({ lock, callClient, clock, logger });
    // The quick way for a payment that is due as soon as it is signed; without it the next pass finds the payment.
    const signed = consume({
      ...eventConsumers.settlement,
      natsUrl: this.settings.NATS_URL,
      pool: this.pool,
      eventTypes: paymentEventTypes,
      handle: async (event) => {
        if ((event as Signed).data.dueAt <= clock.now()) work.wake();
      },
      logger,
      afterEffect: () => failpoint('consumer.after-effect'),
    });
    this.active = { work, signed };
    activeGauge.set({}, 1);
    logger.info('settlement: active');
    try {
      const end = AbortSignal.any([this.stopping.signal, lock.lost]);
      if (!end.aborted) await once(end, 'abort');
    } finally {
      activeGauge.set({}, 0);
      await Promise.all([work.stop(), signed.stop()]);
      this.active = undefined;
      logger.info('settlement: no longer active');
    }
  }

  private async isAnythingDue(): Promise<boolean> {
    const rows = await new UnfinishedTable(this.pool).read();
    if (rows.some((row) => !row.postponed)) return true;
    const postponed = new Set(rows.map(({ paymentId }) => paymentId));
    const { payments } = await this.callClient.call(readDuePayments, { limit: 1000 });
    return payments.some(({ paymentId }) => !postponed.has(paymentId));
  }
}
