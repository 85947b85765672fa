import type { EventTypes } from '@xs2a/domain/event-types';
import { dependencyDown } from '@xs2a/messaging/call-failed';
import type { Logger } from '@xs2a/observability/logger';
import { gauge } from '@xs2a/observability/metrics';
import { pause } from '@xs2a/postgres/leader-lock';
import { inTransaction } from '@xs2a/postgres/transaction';
import type { Pool } from 'pg';
import { Bell } from '@xs2a/messaging/bell';
import { claimLive, liveBuilds, moveCheckpoint } from './projection-builds.js';
import { ProjectionLog } from './projection-log.js';
import { buildTable, quotedName } from './projection.tables.js';
import type { Projection } from './projection.js';

export interface ProjectionRunnerOptions {
  readonly pool: Pool;
  readonly projections: readonly Projection[];
  readonly types: EventTypes;
  readonly logger: Logger;
  /** Tells that there is something new soon; answers how to stop that. Without it the runner polls only. */
  readonly onAppended?: (listener: () => void) => () => void;
}

/** So long events are gathered before the next round, unless somebody waits for it. */
const gatherMs = 100;
const pollMs = 200;
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
  private readonly bell = new Bell();
  private readonly hurry = new Bell();
  private readonly stopping = new AbortController();
  private readonly problems = new Map<string, string>();
  private running: Promise<void> | undefined;
  private unsubscribe: (() => void) | undefined;

  constructor(private readonly options: ProjectionRunnerOptions) {
    this.log = new ProjectionLog(options.types);
  }

  start(): void {
    this.unsubscribe ??= this.options.onAppended?.(() => this.bell.ring());
    this.running ??= this.run();
  }

  /** Finishes the batch under way. Call it before the pool ends. */
  async stop(): Promise<void> {
    this.unsubscribe?.();
    this.stopping.abort();
    this.ringAll();
    await this.running;
  }

  /** Resolves once every projection contains everything up to a position; dependencyDown (CallFailed) after `limitMs`. */
  async caughtUp(pos: number, limitMs = 5000): Promise<void> {
    const deadline = performance.now() + limitMs;
    for (;;) {
      const builds = await liveBuilds(this.options.pool);
      const done = (name: string): boolean => builds.some((one) => one.name === name && one.pos >= pos);
      if (this.options.projections.every(({ name }) => done(name))) return;
      if (performance.now() > deadline) throw dependencyDown();
      this.ringAll();
      await pause(10, this.stopping.signal);
    }
  }

  /** For Health: which projections stand still, and why; undefined when all is well. */
  degraded(): string | undefined {
    return this.problems.size === 0
      ? undefined
      : [...this.problems].map(([name, problem]) => `${name} ${problem}`).join('; ');
  }

  private ringAll(): void {
    this.bell.ring();
    this.hurry.ring();
  }

  private async run(): Promise<void> {
    let failures = 0;
    while (!this.stopping.signal.aborted) {
      const before = failures;
      try {
        const behind = await this.behind();
        for (const projection of this.options.projections.filter(({ name }) => behind.has(name))) {
          try {
            while (!this.stopping.signal.aborted && (await this.step(projection)));
          } catch (error) {
            failures += 1;
            this.report(projection.name, error);
          }
        }
      } catch (error) {
        failures += 1;
        for (const { name } of this.options.projections) this.report(name, error);
      }
      if (failures === before) {
        failures = 0;
        await this.hurry.wait(gatherMs);
        await this.bell.wait(pollMs);
      } else await pause(Math.min(2000, 100 * 2 ** failures), this.stopping.signal);
    }
  }

  /** The projections for which there is something to do; asked without a lock, so that idle instances write nothing. */
  private async behind(): Promise<Set<string>> {
    const { rows } = await this.options.pool.query<{ name: string; behind: number }>({
      name: 'projection-behind',
      text: 'SELECT name, (SELECT coalesce(max(pos), 0) FROM log) - pos AS behind FROM projection WHERE live',
    });
    for (const { name, behind } of rows) lag.set({ projection: name }, behind);
    for (const { name } of rows.filter((row) => row.behind === 0)) this.problems.delete(name);
    return new Set(rows.filter(({ behind }) => behind > 0).map(({ name }) => name));
  }

  /** One batch; true when there may be more at once. */
  private async step(projection: Projection): Promise<boolean> {
    const { name, version, types, dataOf } = projection;
    return inTransaction(this.options.pool, async (client) => {
      const live = await claimLive(client, name);
      if (live === undefined) return false;
      if (live.version !== version) {
        this.problems.set(name, `is at version ${live.version}, this release writes ${version}: rebuild it`);
        return false;
      }
      const head = await this.log.head(client);
      const page = await this.log.page(client, { from: live.pos, head, size: batchSize, types, dataOf });
      if (page.to === live.pos) return false;
      const table = quotedName(buildTable(name, live.build));
      if (page.events.length > 0) await projection.apply(client, table, page.events, this.log.reads(client));
      await moveCheckpoint(client, live, page.to);
      this.problems.delete(name);
      return page.to < head;
    });
  }

  private report(name: string, error: unknown): void {
    const again = this.problems.has(name);
    this.problems.set(name, 'is not kept up to date');
    if (!again)
      this.options.logger.warn({ error, projection: name }, 'a projection stands still; trying again');
  }
}
