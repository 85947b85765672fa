import { type EventTypes, NewerEvent } from '@xs2a/domain/event-types';
import type { Logger } from '@xs2a/observability/logger';
import { gauge } from '@xs2a/observability/metrics';
import { pause } from '@xs2a/postgres/leader-lock';
import { inTransaction } from '@xs2a/postgres/transaction';
import type { Pool } from 'pg';
import { AutoResetEvent } from '@xs2a/nats/auto-reset-event';
import { logHead } from '../streams/log-gaps.js';
import { listProjections, lockLive } from './builds.js';
import { ProjectionLog } from './projection-log.js';
import type { Projection } from './projection.js';

export interface ProjectionRunnerOptions {
  readonly pool: Pool;
  readonly projections: readonly Projection[];
  readonly types: EventTypes;
  readonly logger: Logger;
  /** Tells that there is something new soon; answers how to stop that. Without it the runner polls only. */
  readonly onAppended?: (listener: () => void) => () => void;
}

/** Milliseconds for which events gather before the next round reads them. */
const gatherMs = 250;
const pollMs = 250;
const batchSize = 2000;
const lag = gauge('xs2a_projection_lag', 'Events of the log that a projection has not seen yet', [
  'projection',
]);

/**
 * Keeps projections up to date with the log (architecture, Event store 6). Every instance of a service runs one; each batch
 * is done by whichever has the row of the live build, and the checkpoint moves from where it was read, with the effect.
 */
export class ProjectionRunner {
  private readonly log: ProjectionLog;
  private readonly appended = new AutoResetEvent();
  private readonly stopping = new AbortController();
  private readonly problems = new Map<string, string>();
  private running: Promise<void> | undefined;
  private unsubscribe: (() => void) | undefined;

  constructor(private readonly options: ProjectionRunnerOptions) {
    this.log = new ProjectionLog(options.types);
  }

  start(): void {
    this.unsubscribe ??= this.options.onAppended?.(() => this.appended.set());
    this.running ??= this.run();
  }

  /** Finishes the batch under way. Call it before the pool ends. */
  async stop(): Promise<void> {
    this.unsubscribe?.();
    this.stopping.abort();
    this.appended.set();
    await this.running;
  }

  /** For the health check: the projections that are not kept up to date, and why. */
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
        await pause(gatherMs, this.stopping.signal);
        await this.appended.wait(pollMs);
      } else await pause(Math.min(2000, 100 * 2 ** failures), this.stopping.signal);
    }
  }

  /** The projections for which there is something to do; asked without a lock, so that idle instances write nothing. */
  private async begin(): Promise<{ readonly behind: ReadonlySet<string>; readonly head: number }> {
    const { pool } = this.options;
    const head = await logHead(pool);
    const builds = (await listProjections(pool)).filter(({ live }) => live);
    for (const { name, pos } of builds) lag.set({ projection: name }, Math.max(0, head - pos));
    for (const { name } of builds.filter(({ pos }) => pos >= head)) this.problems.delete(name);
    const behind = new Set(builds.filter(({ pos }) => pos < head).map(({ name }) => name));
    return { behind, head };
  }

  /** Applies one batch of events; true when more may follow at once. */
  private async step(projection: Projection, head: number): Promise<boolean> {
    const { name, version } = projection;
    return inTransaction(this.options.pool, async (client) => {
      const live = await lockLive(client, name, 'SKIP LOCKED');
      if (live === undefined) return false;
      if (live.version !== version) {
        this.problems.set(name, `is at version ${live.version}, this release writes ${version}: rebuild it`);
        return false;
      }
      const page = await this.log.page(client, projection, { from: live.pos, head, size: batchSize });
      if (page.to === live.pos) return false;
      await this.log.apply(client, projection, live.build, page);
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
