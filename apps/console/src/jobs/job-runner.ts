import { Inject, Injectable } from '@nestjs/common';
import { CallClient } from '@xs2a/calls/client';
import { replayNotifications } from '@xs2a/contracts/notifications.contract';
import { CallFailed } from '@xs2a/domain/failure/failed';
import { Health } from '@xs2a/observability/health';
import type { Logger } from '@xs2a/observability/logger';
import { ActiveInstance, type ActiveWork } from '@xs2a/runtime/background/active-instance';
import { Sweep } from '@xs2a/runtime/background/sweep';
import { Clock } from '@xs2a/runtime/clock';
import { LOGGER, POOL } from '@xs2a/runtime/tokens';
import type { Pool } from 'pg';
import type { ItemOutcome } from './job-item.entity.js';
import { type Batch, Jobs } from './jobs.js';

const everyMs = 1000;
/** Items handled by one call. A pause takes effect after it. */
const batchSize = 20;

/**
 * The instance that runs the jobs. What it had not recorded when it ended is done again by the next one, which is why every
 * item's action must be idempotent.
 */
@Injectable()
export class JobRunner extends ActiveInstance<ActiveWork> {
  private isWaiting = false;

  constructor(
    health: Health,
    private readonly callClient: CallClient,
    private readonly jobs: Jobs,
    @Inject(POOL) pool: Pool,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    const gauge = { set: () => undefined };
    super({ name: 'jobs', nobodyIsActive: 'no instance runs the jobs of the staff', gauge, pool, logger });
    health.degraded('jobs', () =>
      this.isWaiting ? 'a job of the staff waits for a service or the database' : this.watch.degraded(),
    );
  }

  protected begin(): ActiveWork {
    const sweep = new Sweep({
      name: 'jobs',
      everyMs,
      clock: new Clock(false),
      logger: this.logger,
      run: async () => this.handleNext(),
      onState: (error) => {
        this.isWaiting = error !== undefined;
      },
    });
    sweep.start();
    return { stop: async () => sweep.stop() };
  }

  /** Handles the next items. Returns their number. Throws if a service does not answer, and the items are then left. */
  private async handleNext(): Promise<number> {
    const batch = await this.jobs.next(batchSize);
    if (batch === undefined) return 0;
    await this.jobs.record(batch, await this.handle(batch));
    return batch.items.length;
  }

  private async handle({ act, items }: Batch): Promise<ReadonlyMap<string, ItemOutcome>> {
    const ids = items.map(({ item }) => item);
    const all = (outcome: ItemOutcome) => new Map(ids.map((id) => [id, outcome]));
    if (act !== 'replay-notifications') return all('refused');
    try {
      const { replayed } = await this.callClient.call(replayNotifications, { ids });
      return new Map([...all('nothing-to-do'), ...replayed.map((item) => [item, 'done'] as const)]);
    } catch (error) {
      if (!(error instanceof CallFailed)) throw error;
      if (error.failures.some(({ failure }) => failure === 'dependencyDown')) throw error;
      this.logger.warn({ error, act }, 'items of a job were refused');
      return all('refused');
    }
  }
}
