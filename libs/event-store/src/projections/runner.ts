import { type EventTypes, NewerEvent } from '@xs2a/events/event-types';
import type { Logger } from '@xs2a/observability/logger';
import { gauge } from '@xs2a/observability/metrics';
import { pause } from '@xs2a/postgres/leader-lock';
import { inTransaction } from '@xs2a/postgres/transaction';
import type { Pool } from 'pg';
import { logHead } from '../recovery/log-gaps.js';
import { listProjections, lockCheckpoint, paused } from './checkpoints.js';
import { ProjectionLog } from './projection-log.js';
import type { Projection } from './projection.js';

export interface ProjectionRunnerOptions {
  readonly pool: Pool;
  readonly projections: readonly Projection[];
  readonly types: EventTypes;
  readonly logger: Logger;
}

/** The pause between two rounds, in milliseconds. */
const everyMs = 500;
const batchSize = 2000;
const lag = gauge('xs2a_projection_lag', 'Events of the log that a projection has not seen yet', [
  'projection',
]);

/**
 * Keeps projections up to date with the log (architecture, Event store 6). Every instance of a service runs a
 * runner. Each batch is applied by the instance that locks the checkpoint, which is updated in the same transaction
 * as the effect.
 */
export class ProjectionRunner {
  private readonly log: ProjectionLog;
  private readonly stopping = new AbortController();
  private readonly problems = new Map<string, string>();
  private running: Promise<void> | undefined;

  constructor(private readonly options: ProjectionRunnerOptions) {
    this.log = new ProjectionLog(options.types);
  }

  start(): void {
    this.running ??= this.run();
  }

  /** Stops after the current batch is finished. Must be called before the pool is closed. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await this.running;
  }

  /** For the health check: the projections that are not being kept up to date, and the reasons. */
  degraded(): string | undefined {
    return this.problems.size === 0
      ? undefined
      : [...this.problems].map(([name, problem]) => `${name} ${problem}`).join('; ');
  }

  private async run(): Promise<void> {
    let failures = 0;
    while (!this.stopping.signal.aborted) {
      const before = failures;
      try {
        const { behind, head } = await this.begin();
        let open = this.options.projections.filter(({ name }) => behind.has(name));
        while (open.length > 0 && !this.stopping.signal.aborted) {
          const more: Projection[] = [];
          for (const projection of open) {
            try {
              if (await this.step(projection, head)) more.push(projection);
            } catch (error) {
              failures += 1;
              this.report(projection.name, error);
            }
          }
          open = more;
        }
      } catch (error) {
        failures += 1;
        for (const { name } of this.options.projections) this.report(name, error);
      }
      if (failures === before) {
        failures = 0;
        await pause(everyMs, this.stopping.signal);
      } else await pause(Math.min(2000, 100 * 2 ** failures), this.stopping.signal);
    }
  }

  /** Returns the projections that are behind. Reads without a lock, so that idle instances write nothing. */
  private async begin(): Promise<{ readonly behind: ReadonlySet<string>; readonly head: number }> {
    const { pool } = this.options;
    const head = await logHead(pool);
    const checkpoints = await listProjections(pool);
    for (const { name, pos } of checkpoints) lag.set({ projection: name }, Math.max(0, head - pos));
    for (const { name } of checkpoints.filter(({ pos }) => pos >= head)) this.problems.delete(name);
    const behind = new Set(checkpoints.filter(({ pos }) => pos < head).map(({ name }) => name));
    return { behind, head };
  }

  /** Applies one batch of events, and returns true if more events may follow immediately. */
  private async step(projection: Projection, head: number): Promise<boolean> {
    const { name, version } = projection;
    return inTransaction(this.options.pool, async (client) => {
      const checkpoint = await lockCheckpoint(client, name, 'SKIP LOCKED');
      if (checkpoint === undefined) return false;
      if (checkpoint.version !== version) {
        const found =
          checkpoint.version === paused ? 'is being rebuilt' : `is at version ${checkpoint.version}`;
        this.problems.set(name, `${found}, this release writes version ${version}: rebuild it`);
        return false;
      }
      const page = await this.log.page(client, projection, { from: checkpoint.pos, head, size: batchSize });
      if (page.to === checkpoint.pos) return false;
      await this.log.apply(client, projection, page);
      this.problems.delete(name);
      return page.to < head;
    });
  }

  private report(name: string, error: unknown): void {
    const again = this.problems.has(name);
    const text = error instanceof NewerEvent ? `waits for a newer release: ${error.message}` : undefined;
    this.problems.set(name, text ?? 'is not kept up to date');
    if (!again) this.options.logger.warn({ error, projection: name }, 'a projection stalled; will retry');
  }
}
