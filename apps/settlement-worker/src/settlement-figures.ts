import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { forgetDeadLetters, measureDeadLetters } from '@xs2a/consumers/dead-letters';
import { eventConsumers } from '@xs2a/contracts/event-consumers';
import type { Logger } from '@xs2a/observability/logger';
import { gauge } from '@xs2a/observability/metrics';
import { Clock } from '@xs2a/runtime/clock';
import { Sweep } from '@xs2a/runtime/background/sweep';
import { LOGGER, POOL } from '@xs2a/runtime/tokens';
import type { Pool } from 'pg';

const everyMs = 15_000;
const failing = gauge(
  'xs2a_due_failing',
  'Payments, occurrences and entries whose settlement failed and will be tried again',
);
const confirmedLate = gauge(
  'xs2a_instant_confirmed_late',
  'Instant payments that were confirmed after their rejection, and that nobody has closed',
);

/** Measures every 15 seconds what waits for a retry or an operator. Instances on standby do so too. */
@Injectable()
export class SettlementFigures implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly sweep: Sweep;

  constructor(
    @Inject(POOL) private readonly pool: Pool,
    clock: Clock,
    @Inject(LOGGER) logger: Logger,
  ) {
    this.sweep = new Sweep({
      name: 'settlement figures',
      everyMs,
      clock,
      logger,
      run: async () => this.measure(),
      onState: (error) => {
        if (error === undefined) return;
        failing.remove();
        confirmedLate.remove();
        forgetDeadLetters();
      },
    });
  }

  onApplicationBootstrap(): void {
    this.sweep.start();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.sweep.stop();
  }

  private async measure(): Promise<number> {
    const { rows } = await this.pool.query<{ failing: number; confirmedLate: number }>({
      name: 'settlement-figures',
      text: `SELECT (SELECT count(*) FROM unfinished WHERE attempts > 0) AS failing,
        (SELECT count(*) FROM instant_follow_up WHERE confirmed_at IS NOT NULL) AS "confirmedLate"`,
    });
    failing.set({}, rows[0]?.failing ?? 0);
    confirmedLate.set({}, rows[0]?.confirmedLate ?? 0);
    await measureDeadLetters(this.pool, eventConsumers.settlement.durable);
    return 0;
  }
}
