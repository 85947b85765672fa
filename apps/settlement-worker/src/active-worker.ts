import { paymentEventTypes } from '@xs2a/domain/payment/payment-event-types';
import { Inject, Injectable } from '@nestjs/common';
import { eventConsumers } from '@xs2a/contracts/event-consumers';
import { readDuePayments } from '@xs2a/contracts/payments.contract';
import type { PublishedEvent } from '@xs2a/events/published-event';
import type { PaymentEvent } from '@xs2a/domain/payment/payment-events';
import { dependencyDown } from '@xs2a/domain/failure/failed';
import { consume, type Consumption } from '@xs2a/consumers/consumer';
import { CallClient } from '@xs2a/calls/client';
import { waitAtMost } from '@xs2a/nats/wait-at-most';
import { Health } from '@xs2a/observability/health';
import type { Logger } from '@xs2a/observability/logger';
import { gauge } from '@xs2a/observability/metrics';
import { type LeaderLock, pause } from '@xs2a/postgres/leader-lock';
import { ActiveInstance, type ActiveWork } from '@xs2a/runtime/background/active-instance';
import { Clock } from '@xs2a/runtime/clock';
import type { ConfigOf, serviceConfig } from '@xs2a/runtime/config';
import { failpoint } from '@xs2a/runtime/failpoint';
import { CONFIG, LOGGER, POOL } from '@xs2a/runtime/tokens';
import type { Pool } from 'pg';
import { DueWork } from './due-work.js';
import { InstantWork } from './instant/instant-work.js';
import { type Unfinished, UnfinishedTable } from './unfinished-table.js';

type Signed = PublishedEvent<Extract<PaymentEvent, { type: 'signed' }>>;

const activeGauge = gauge('xs2a_settlement_active', '1 while this worker settles, 0 while it stands by', []);

interface Settling extends ActiveWork {
  readonly work: DueWork;
  readonly instant: InstantWork;
  readonly signed: Consumption;
}

/** The instance that settles payments. */
@Injectable()
export class ActiveWorker extends ActiveInstance<Settling> {
  constructor(
    health: Health,
    private readonly callClient: CallClient,
    private readonly clock: Clock,
    @Inject(POOL) private readonly pool: Pool,
    @Inject(CONFIG) private readonly settings: ConfigOf<typeof serviceConfig>,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    super({
      name: 'settlement',
      nobodyIsActive: 'no active settlement worker',
      gauge: activeGauge,
      pool,
      logger,
    });
    health.degraded('settlement', () => this.active?.work.degraded() ?? this.watch.degraded());
    health.degraded('instant-payments', () => this.active?.instant.degraded());
    health.degraded('signed-payments', () => this.active?.signed.degraded());
  }

  /**
   * Resolves once all work that is currently due has been processed, here or on the active worker. Throws
   * dependencyDown if this takes longer than the limit, in which case a pass in progress continues. It does not
   * wait for work that fails in the meantime, even if its retry is due by the end of a long pass.
   */
  async drain(limitMs: number): Promise<void> {
    const deadline = performance.now() + limitMs;
    const failuresBefore = new Map(
      (await new UnfinishedTable(this.pool).read()).map((row) => [row.paymentId, row.failures]),
    );
    while (await this.isAnythingDue(failuresBefore)) {
      const leftMs = deadline - performance.now();
      if (leftMs <= 0) throw dependencyDown();
      if (this.active !== undefined) await waitAtMost(leftMs, this.active.work.drain());
      await pause(25, this.stopping.signal);
    }
  }

  protected begin(lock: LeaderLock): Settling {
    const { callClient, clock, logger } = this;
    const work = new DueWork({ lock, callClient, clock, logger });
    const instant = new InstantWork({ lock, callClient, clock, logger });
    // The fast path for a payment that is due as soon as it is signed; without it, the next pass finds the
    // payment.
    const signed = consume({
      ...eventConsumers.settlement,
      natsUrl: this.settings.NATS_URL,
      pool: this.pool,
      eventTypes: paymentEventTypes,
      handle: async (event) => {
        const { dueAt, answerBy } = (event as Signed).data;
        if (answerBy !== undefined) instant.wake();
        else if (dueAt <= clock.now()) work.wake();
      },
      logger,
      afterEffect: () => failpoint('consumer.after-effect'),
    });
    const stop = async () => Promise.all([work.stop(), instant.stop(), signed.stop()]);
    return { work, instant, signed, stop };
  }

  /**
   * False if all remaining work has failed: its retry is not due yet, or it has failed more often than in
   * `failuresBefore`.
   */
  private async isAnythingDue(failuresBefore: ReadonlyMap<string, number>): Promise<boolean> {
    const rows = await new UnfinishedTable(this.pool).read();
    const hasFailed = ({ paymentId, failures, postponed }: Unfinished): boolean =>
      postponed || failures > (failuresBefore.get(paymentId) ?? 0);
    if (!rows.every(hasFailed)) return true;
    const failed = new Set(rows.map(({ paymentId }) => paymentId));
    const { payments } = await this.callClient.call(readDuePayments, { limit: 1000 });
    return payments.some(({ paymentId }) => !failed.has(paymentId));
  }
}
