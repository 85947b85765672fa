import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { endingEvents } from '@xs2a/domain/payment/payment-transitions';
import type { Logger } from '@xs2a/observability/logger';
import { counter, gauge } from '@xs2a/observability/metrics';
import { Clock } from '@xs2a/runtime/clock';
import { Sweep } from '@xs2a/runtime/background/sweep';
import { LOGGER, POOL } from '@xs2a/runtime/tokens';
import type { Pool } from 'pg';
import { countUnfinished } from '../settle/unfinished-payments.js';
import { PAYMENT_STORE, type PaymentStore } from '../store/payment-store.js';

const everyMs = 15_000;

const ended = counter('xs2a_payments_ended_total', 'Payments that have ended, by their final status', [
  'status',
]);
const unfinished = gauge(
  'xs2a_payments_unfinished',
  'Payments that wait for a signature, are due, or have been due for more than a minute',
  ['status', 'state'],
);
const oldest = gauge(
  'xs2a_payments_oldest_seconds',
  'How long the oldest unfinished payment has been due, by the bank’s clock; of an unsigned one, its rejection',
  ['status'],
);

/** Every combination that is reported, even if there is no such payment. */
const places: readonly (readonly [state: string, statuses: readonly string[]])[] = [
  ['unsigned', ['RCVD', 'PATC', 'ACCP']],
  ['due', ['ACCP', 'ACSP', 'ACSC']],
  ['overdue', ['ACCP', 'ACSP', 'ACSC']],
];

/**
 * The metrics of payments. Each instance counts the payments that have ended through it, and measures the
 * unfinished ones of all instances every 15 seconds.
 */
@Injectable()
export class PaymentFigures implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly sweep: Sweep;
  private readonly unsubscribe: () => void;

  constructor(
    @Inject(PAYMENT_STORE) store: PaymentStore,
    @Inject(POOL) private readonly pool: Pool,
    private readonly clock: Clock,
    @Inject(LOGGER) logger: Logger,
  ) {
    this.unsubscribe = store.onAppended((types) => {
      for (const type of types) {
        const status = endingEvents.get(type);
        if (status !== undefined) ended.inc({ status });
      }
    });
    this.sweep = new Sweep({
      name: 'payment figures',
      everyMs,
      clock,
      logger,
      run: async () => this.measure(),
      // Figures that are not measured now would be taken for the present ones.
      onState: (error) => {
        if (error !== undefined) for (const metric of [unfinished, oldest]) metric.reset();
      },
    });
  }

  onApplicationBootstrap(): void {
    this.sweep.start();
  }

  async onApplicationShutdown(): Promise<void> {
    this.unsubscribe();
    await this.sweep.stop();
  }

  private async measure(): Promise<number> {
    const rows = await countUnfinished(this.pool, this.clock.now());
    for (const metric of [unfinished, oldest]) metric.reset();
    for (const [state, statuses] of places)
      for (const status of statuses) {
        unfinished.set({ status, state }, 0);
        oldest.set({ status }, 0);
      }
    for (const { status, state, payments } of rows) unfinished.set({ status, state }, payments);
    for (const [status, group] of Map.groupBy(rows, (row) => row.status))
      oldest.set({ status }, Math.max(0, ...group.map(({ seconds }) => seconds)));
    return 0;
  }
}
