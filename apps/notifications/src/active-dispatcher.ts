import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { signNotifications } from '@xs2a/contracts/notifications.contract';
import { callContext } from '@xs2a/calls/context';
import { CallClient } from '@xs2a/calls/client';
import { Health } from '@xs2a/observability/health';
import type { Logger } from '@xs2a/observability/logger';
import { gauge } from '@xs2a/observability/metrics';
import { type LeaderLock, repeat, runAsLeader } from '@xs2a/postgres/leader-lock';
import { LeaderWatch } from '@xs2a/postgres/leader-watch';
import { Clock } from '@xs2a/runtime/clock';
import { newId } from '@xs2a/runtime/ids';
import { Sweep } from '@xs2a/runtime/sweep';
import { CONFIG, LOGGER, POOL } from '@xs2a/runtime/tokens';
import { once } from 'node:events';
import type { Pool } from 'pg';
import { Delivery } from './delivery.js';
import { Intake } from './intake.js';
import { type KeptDays, NotificationTable } from './notification-table.js';
import { NotificationSender } from './send-notification.js';

const tidyEveryMs = 10_000;
const active = gauge(
  'xs2a_notifications_active',
  '1 while this instance sends notifications, 0 while it stands by',
);
const waiting = gauge('xs2a_notifications_waiting', 'Notifications that are not delivered yet');
const oldest = gauge('xs2a_notifications_oldest_seconds', 'For how long the oldest of them has waited');
const dead = gauge('xs2a_notifications_dead', 'Notifications that nobody took for 24 hours');
const unread = gauge(
  'xs2a_notifications_unread_resources',
  'Resources whose changes cannot be read, so that their notifications wait',
);

/** Sends notifications while it has the lock that one of all instances has; the others stand by to take over. */
@Injectable()
export class ActiveDispatcher implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly stopping = new AbortController();
  private readonly watch = new LeaderWatch('no active dispatcher');
  private running: Promise<void> | undefined;
  private active: { readonly intake: Intake; readonly delivery: Delivery } | undefined;

  constructor(
    health: Health,
    private readonly callClient: CallClient,
    private readonly clock: Clock,
    private readonly sender: NotificationSender,
    @Inject(POOL) private readonly pool: Pool,
    @Inject(CONFIG) private readonly kept: KeptDays,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    health.degraded(
      'notifications',
      () => this.active?.intake.degraded() ?? this.active?.delivery.degraded() ?? this.watch.degraded(),
    );
  }

  onApplicationBootstrap(): void {
    active.set(0);
    const stop = this.stopping.signal;
    const heldElsewhere = (): void => this.watch.seen();
    this.running = repeat(
      async () =>
        runAsLeader(this.pool, 'notifications', { stop, heldElsewhere }, async (lock) =>
          this.watch.while(async () => this.lead(lock)),
        ),
      stop,
      (error) => this.logger.warn({ error }, 'acquiring the notifications lock failed; will retry'),
    );
  }

  async onApplicationShutdown(): Promise<void> {
    this.stopping.abort();
    await this.running;
    this.sender.close();
  }

  private async lead(lock: LeaderLock): Promise<void> {
    const { clock, logger, callClient, sender } = this;
    const table = new NotificationTable(lock.client);
    await table.schedule();
    const lost = new AbortController();
    const delivery = new Delivery({
      table,
      sender,
      sign: async (bodies) =>
        callContext.run(
          { requestId: newId(), actor: 'notifications' },
          async () => (await callClient.call(signNotifications, { bodies })).signatures,
        ),
      clock,
      logger,
      onLost: (error) => {
        logger.warn({ error }, 'recording the outcome of notifications failed; they will be sent again');
        lost.abort();
      },
    });
    const intake = new Intake({ table, callClient, clock, logger, onStored: () => delivery.wake() });
    const tidy = this.tidying(table);
    this.active = { intake, delivery };
    active.set(1);
    logger.info('notifications: active');
    try {
      const end = AbortSignal.any([this.stopping.signal, lock.lost, lost.signal]);
      if (!end.aborted) await once(end, 'abort');
    } finally {
      active.set(0);
      await Promise.all([intake.stop(), delivery.stop(), tidy.stop()]);
      this.active = undefined;
      logger.info('notifications: no longer active');
    }
  }

  private tidying(table: NotificationTable): Sweep {
    const sweep = new Sweep({
      name: 'notification tidying',
      everyMs: tidyEveryMs,
      clock: this.clock,
      logger: this.logger,
      run: async () => {
        const figures = await table.figures();
        waiting.set(figures.waiting);
        oldest.set(figures.oldestSeconds);
        dead.set(figures.dead);
        unread.set(figures.unread);
        return table.removeOld(this.kept);
      },
    });
    sweep.start();
    return sweep;
  }
}
