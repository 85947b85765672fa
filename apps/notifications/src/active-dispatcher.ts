import { Inject, Injectable } from '@nestjs/common';
import { signNotifications } from '@xs2a/contracts/notifications.contract';
import { callContext } from '@xs2a/calls/context';
import { CallClient } from '@xs2a/calls/client';
import { Health } from '@xs2a/observability/health';
import type { Logger } from '@xs2a/observability/logger';
import { gauge } from '@xs2a/observability/metrics';
import { unsampledTraceparent } from '@xs2a/observability/tracing/traceparent';
import type { LeaderLock } from '@xs2a/postgres/leader-lock';
import { ActiveInstance, type ActiveWork } from '@xs2a/runtime/background/active-instance';
import { Clock } from '@xs2a/runtime/clock';
import type { ConfigOf, serviceConfig } from '@xs2a/runtime/config';
import { newId } from '@xs2a/runtime/ids';
import { Sweep } from '@xs2a/runtime/background/sweep';
import { CONFIG, LOGGER, POOL } from '@xs2a/runtime/tokens';
import type { Pool } from 'pg';
import { Delivery } from './delivery.js';
import { Intake } from './intake.js';
import { type KeptDays, NotificationTable } from './notification-table.js';
import { NotificationSender } from './send-notification.js';

const tidyEveryMs = 10_000;
const activeGauge = gauge(
  'xs2a_notifications_active',
  '1 while this instance sends notifications, 0 while it stands by',
);
const waiting = gauge('xs2a_notifications_waiting', 'Notifications that are not delivered yet');
const oldest = gauge(
  'xs2a_notifications_oldest_seconds',
  'Age of the oldest notification that is not delivered yet',
);
const dead = gauge(
  'xs2a_notifications_dead',
  'Notifications that their receiver did not accept for 24 hours',
);
const unread = gauge(
  'xs2a_notifications_unread_resources',
  'Resources whose changes cannot be read, so their notifications wait',
);

interface Dispatching extends ActiveWork {
  readonly intake: Intake;
  readonly delivery: Delivery;
}

/** The instance that sends notifications. */
@Injectable()
export class ActiveDispatcher extends ActiveInstance<Dispatching> {
  constructor(
    health: Health,
    private readonly callClient: CallClient,
    private readonly clock: Clock,
    private readonly sender: NotificationSender,
    @Inject(POOL) pool: Pool,
    @Inject(CONFIG)
    private readonly settings: KeptDays & Pick<ConfigOf<typeof serviceConfig>, 'SANDBOX'>,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    super({
      name: 'notifications',
      nobodyIsActive: 'no active dispatcher',
      gauge: activeGauge,
      pool,
      logger,
    });
    health.degraded(
      'notifications',
      () => this.active?.intake.degraded() ?? this.active?.delivery.degraded() ?? this.watch.degraded(),
    );
  }

  override async onApplicationShutdown(): Promise<void> {
    await super.onApplicationShutdown();
    this.sender.close();
  }

  protected async begin(lock: LeaderLock): Promise<Dispatching> {
    const { clock, logger, callClient, sender } = this;
    const table = new NotificationTable(lock.client, { keepsTries: this.settings.SANDBOX });
    await table.schedule();
    const lost = new AbortController();
    const delivery = new Delivery({
      table,
      sender,
      sign: async (bodies) =>
        callContext.run(
          { requestId: newId(), traceparent: unsampledTraceparent(), actor: 'notifications' },
          async () => {
            const { signatures, signedAt } = await callClient.call(signNotifications, { bodies });
            return { signatures, sandboxClock: this.settings.SANDBOX ? signedAt : undefined };
          },
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
    const stop = async (): Promise<void> => {
      await Promise.all([intake.stop(), delivery.stop(), tidy.stop()]);
      // Another instance now measures them; an alert on the last values would never end.
      for (const figure of [waiting, oldest, dead, unread]) figure.reset();
    };
    return { intake, delivery, stop, ended: lost.signal };
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
        return table.removeOld(this.settings);
      },
    });
    sweep.start();
    return sweep;
  }
}
