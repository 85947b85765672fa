import type { EventTypes } from '@xs2a/domain/event-types';
import { dependencyDown } from '@xs2a/messaging/call-failed';
import type { Logger } from '@xs2a/observability/logger';
import { gauge } from '@xs2a/observability/metrics';
import { pause } from '@xs2a/postgres/leader-lock';
import { inTransaction } from '@xs2a/postgres/transaction';
import type { Pool } from 'pg';
import { Bell } from '@xs2a/messaging/bell';
import { claimLive, liveBuilds, moveCheckpoint } from './projection-builds.js';
import { LogRound } from './log-round.js';
import type { LogTail } from './log-tail.js';
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
  /** Of the relay in this process. */
  readonly tail?: LogTail;
}

/** So long events are gathered before the next round, unless somebody waits for it. */
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
  private readonly bell = new Bell();
  private readonly hurry = new Bell();
  private readonly stopping = new AbortController();
  private readonly problems = new Map<string, string>();
  private running: Promise<void> | undefined;
  private unsubscribe: (() => void) | undefined;

  constructor(private readonly options: ProjectionRunnerOptions) {
    this.log = new ProjectionLog(options.types, options.tail);
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
        const { behind, round } = await this.begin();
        let open = this.options.projections.filter(({ name }) => behind.has(name));
        while (open.length > 0 && !this.stopping.signal.aborted) {
          const more: Projection[] = [];
          for (const projection of open) {
            try {
              if (await this.step(projection, round)) more.push(projection);
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
        await this.hurry.wait(gatherMs);
        await this.bell.wait(pollMs);
      } else await pause(Math.min(2000, 100 * 2 ** failures), this.stopping.signal);
    }
  }

  /** The projections for which there is something to do; asked without a lock, so that idle instances write nothing. */
  private async begin(): Promise<{ readonly behind: ReadonlySet<string>; readonly round: LogRound }> {
    const { pool, projections } = this.options;
    const head = await this.log.head(pool);
    const builds = await liveBuilds(pool);
    for (const { name, pos } of builds) lag.set({ projection: name }, Math.max(0, head - pos));
    for (const { name } of builds.filter(({ pos }) => pos >= head)) this.problems.delete(name);
    const behind = new Set(builds.filter(({ pos }) => pos < head).map(({ name }) => name));
    return { behind, round: new LogRound(this.log, projections, { head, size: batchSize }) };
  }

  /** One batch; true when there may be more at once. */
  private async step(projection: Projection, round: LogRound): Promise<boolean> {
    const { name, version, types } = projection;
    return inTransaction(this.options.pool, async (client) => {
      const live = await claimLive(client, name);
      if (live === undefined) return false;
      if (live.version !== version) {
        this.problems.set(name, `is at version ${live.version}, this release writes ${version}: rebuild it`);
        return false;
      }
      const page = await round.page(client, live.pos);
      if (page.to === live.pos) return false;
      const table = quotedName(buildTable(name, live.build));
      const events =
        types === undefined ? page.events : page.events.filter(({ type }) => types.includes(type));
      if (events.length > 0) await projection.apply(client, table, events, round.reads(client));
      await moveCheckpoint(client, live, page.to);
      this.problems.delete(name);
      return page.to < round.head;
    });
  }

  private report(name: string, error: unknown): void {
    const again = this.problems.has(name);
    this.problems.set(name, 'is not kept up to date');
    if (!again)
      this.options.logger.warn({ error, projection: name }, 'a projection stands still; trying again');
  }
}
