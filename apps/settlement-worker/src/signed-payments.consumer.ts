import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { loggedPaymentEvents } from '@xs2a/contracts/payments.contract';
import { eventStreams, type PublishedEvent } from '@xs2a/contracts/published-event';
import type { PaymentEvent } from '@xs2a/domain/payment/payment-events';
import { consume, type Consumption } from '@xs2a/messaging/consumer';
import { Requester } from '@xs2a/messaging/requester';
import { Health } from '@xs2a/observability/health';
import type { Logger } from '@xs2a/observability/logger';
import type { ConfigOf, serviceConfig } from '@xs2a/runtime/config';
import { failpoint } from '@xs2a/runtime/failpoint';
import { CONFIG, LOGGER, POOL } from '@xs2a/runtime/tokens';
import type { Pool, PoolClient } from 'pg';
import { dependencyDown } from '@xs2a/messaging/call-failed';
import { addSettlements } from './due-table.js';

type Signed = PublishedEvent<Extract<PaymentEvent, { type: 'signed' }>>;

/** A batch is one short transaction; what a worker that sleeps had taken comes to another after this. Milliseconds. */
const ackWaitMs = 10_000;

/** Notes each signed payment in the due table. */
@Injectable()
export class SignedPayments implements OnApplicationBootstrap, OnApplicationShutdown {
  private consumption: Consumption | undefined;

  constructor(
    private readonly health: Health,
    private readonly requester: Requester,
    @Inject(POOL) private readonly pool: Pool,
    @Inject(CONFIG) private readonly settings: ConfigOf<typeof serviceConfig>,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    const consumption = consume({
      natsUrl: this.settings.NATS_URL,
      stream: eventStreams.payments,
      durable: 'settlement',
      filterSubject: 'xs2a.payments.signed.>',
      logged: async (stretch) => this.requester.call(loggedPaymentEvents, { ...stretch, types: ['signed'] }),
      pool: this.pool,
      handle: async (client, events) => noteDue(client, events as readonly Signed[]),
      logger: this.logger,
      ackWaitMs,
      afterEffect: () => failpoint('consumer.after-effect'),
    });
    this.consumption = consumption;
    this.health.check('signed-payments', async () => consumption.check());
    this.health.degraded('signed-payments', () => consumption.degraded());
  }

  async onApplicationShutdown(): Promise<void> {
    await this.consumption?.stop();
  }

  /** Resolves once every payment signed up to that position is in the due table; dependencyDown when it takes too long. */
  async caughtUp(pos: number, limitMs: number): Promise<void> {
    if (this.consumption === undefined) throw dependencyDown();
    await this.consumption.caughtUp(pos, limitMs);
  }
}

const noteDue = async (client: PoolClient, events: readonly Signed[]): Promise<void> => {
  await addSettlements(
    client,
    events.map(({ subject, data }) => ({ paymentId: subject, dueAt: data.dueAt, order: data.order })),
  );
};
