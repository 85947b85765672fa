import type { EventTypes } from '@xs2a/events/event-types';
import { isUnavailable } from '@xs2a/postgres/errors';
import { pause } from '@xs2a/postgres/leader-lock';
import { withSessionLock } from '@xs2a/postgres/session-lock';
import { inTransaction } from '@xs2a/postgres/transaction';
import type { Pool, PoolClient } from 'pg';
import { archivedMonths } from '../months/archived-months.js';
import { type ComparedPage, comparePage } from './compare-tables.js';
import { logHead } from '../recovery/log-gaps.js';
import { type LiveBuild, lockLive } from './builds.js';
import { type LogPage, ProjectionLog } from './projection-log.js';
import { beginWithArchived, buildTable, createBuild, showBuild } from './projection.tables.js';
import type { Projection } from './projection.js';
import { quotedName } from '../streams/quoted-name.js';

export interface RebuildProgress {
  /** The number of log positions processed so far. The next field is the number of all positions. */
  readonly done: number;
  readonly total: number;
  readonly perSecond: number;
  readonly secondsLeft: number;
}

export interface RebuildOptions {
  /**
   * A pool of at least three connections with the privileges of the schema's owner, and with the schema as its
   * search path.
   */
  readonly pool: Pool;
  readonly schema: string;
  /** The role that is granted access to the new table. */
  readonly serviceRole: string;
  readonly projection: Projection;
  readonly types: EventTypes;
  /** Called after each batch. */
  readonly onProgress?: (progress: RebuildProgress) => void;
  /** Stops the rebuild after the current batch. The next rebuild continues from there. */
  readonly signal?: AbortSignal;
  /** The number of positions per transaction. Default 10,000. */
  readonly batchSize?: number;
}

export interface Rebuilt {
  /** The number of positions processed by this run. */
  readonly events: number;
  readonly seconds: number;
  /** The position from which this run resumed an interrupted rebuild, or 0 if it started from the beginning. */
  readonly resumedAt: number;
  readonly build: number;
}

/**
 * Thrown if another process is rebuilding this projection, or is archiving or restoring a month. The message is
 * for an operator.
 */
export class RebuildUnderWay extends Error {
  override readonly name = 'RebuildUnderWay';
}

/**
 * Rebuilds a projection from the first event into a second table and switches to that table in one transaction
 * (architecture, Event store 6). An interrupted rebuild resumes where it stopped, or starts over if the
 * projection's version has changed. Throws {@link RebuildUnderWay}, or the signal's reason if stopped.
 */
export const rebuildProjection = async (options: RebuildOptions): Promise<Rebuilt> =>
  exclusively(options, async () => new Rebuild(options).run());

/**
 * The lock only avoids duplicate work. Concurrent rebuilds are safe even without it because each batch updates the
 * checkpoint.
 */
const exclusively = async <Result>(
  { pool, projection: { name } }: RebuildOptions,
  work: () => Promise<Result>,
): Promise<Result> => {
  const refused = (): Error => new RebuildUnderWay(`${name} is being rebuilt already`);
  return withSessionLock(pool, `rebuild.${name}`, { refused, lost: refused }, work);
};

/**
 * Rebuilds a projection into a second table and counts the rows that differ from the live one (quality, invariant
 * 5). Does not switch to the second table, and removes it at the end.
 */
export const projectionDifferences = async (options: RebuildOptions): Promise<number> =>
  exclusively(options, async () => new Rebuild(options).compare());

/**
 * Throws while events are being moved to or from an archive file, because a build would count them twice or not at
 * all.
 */
const mustNotBeArchiving = async (client: PoolClient): Promise<void> => {
  const unfinished = (await archivedMonths(client)).find(({ finishedAt }) => finishedAt === null);
  if (unfinished !== undefined)
    throw new RebuildUnderWay(
      `${unfinished.month} is being ${unfinished.restoring ? 'restored' : 'archived'}, or that was interrupted: see archive list`,
    );
};

class Rebuild {
  private readonly log: ProjectionLog;
  private build = 0;
  private pos = 0;

  constructor(private readonly options: RebuildOptions) {
    this.log = new ProjectionLog(options.types);
  }

  async run(): Promise<Rebuilt> {
    const begun = performance.now();
    const resumedAt = await this.begin();
    await this.fill(begun, resumedAt);
    const old = await this.switchOver();
    // A reader may still be using the old table, in which case the next rebuild removes it.
    await this.remove(old.build).catch((error: unknown) => {
      if (!isUnavailable(error)) throw error;
    });
    const seconds = (performance.now() - begun) / 1000;
    return { events: this.pos - resumedAt, seconds, resumedAt, build: this.build };
  }

  /** Fills a new build, compares it with the live one page by page, and removes the new build. */
  async compare(): Promise<number> {
    const { projection, schema } = this.options;
    await this.fill(performance.now(), await this.begin());
    const toTableName = (build: number): string =>
      `${quotedName(schema)}.${quotedName(buildTable(projection.name, build))}`;
    let differing = 0;
    let page: ComparedPage | undefined;
    do {
      page = await this.atHead(async (client, live, head) => {
        await this.advance(client, live.build, live.pos, head);
        return comparePage(client, [toTableName(this.build), toTableName(live.build)], page?.end);
      });
      differing += page.differing;
    } while (page.end !== undefined);
    await this.remove(this.build);
    return differing;
  }

  /**
   * Runs `work` while the new build has reached the end of the log and the live one is locked, so that the runners
   * of the live one wait.
   */
  private async atHead<Result>(
    work: (client: PoolClient, live: LiveBuild, head: number) => Promise<Result>,
  ): Promise<Result> {
    let head = this.pos;
    const result = await inTransaction(this.options.pool, async (client) => {
      const { name } = this.options.projection;
      const live = await lockLive(client, name);
      if (live === undefined) throw new Error(`there is no projection ${name}`);
      head = await logHead(client);
      await this.advance(client, this.build, this.pos, head);
      return work(client, live, head);
    });
    this.pos = head;
    return result;
  }

  /** Resumes an unfinished build of this version or creates a new build. */
  private async begin(): Promise<number> {
    const { pool, projection, schema, serviceRole } = this.options;
    const { rows } = await pool.query<LiveBuild & { live: boolean }>(
      'SELECT name, build, version, pos, live FROM projection WHERE name = $1 ORDER BY build',
      [projection.name],
    );
    const live = rows.find((row) => row.live);
    if (live === undefined) throw new Error(`there is no projection ${projection.name}`);
    const unfinished = rows.find((row) => row.build > live.build && row.version === projection.version);
    for (const { build } of rows.filter((row) => row !== live && row !== unfinished))
      await this.remove(build);
    if (unfinished !== undefined) {
      this.build = unfinished.build;
      this.pos = unfinished.pos;
      return this.pos;
    }
    this.build = Math.max(...rows.map((row) => row.build)) + 1;
    await inTransaction(pool, async (client) => {
      // Archiving takes a conflicting lock before it starts, so whichever of the two comes later sees the
      // earlier one.
      await client.query('LOCK TABLE projection IN ROW EXCLUSIVE MODE');
      await mustNotBeArchiving(client);
      await client.query(createBuild(schema, serviceRole, projection, this.build));
      await client.query(beginWithArchived(schema, projection, this.build));
      await client.query('INSERT INTO projection (name, build, version, live) VALUES ($1, $2, $3, false)', [
        projection.name,
        this.build,
        projection.version,
      ]);
    });
    return 0;
  }

  /** Processes the log up to its end. Reads the next page while the current one is being written. */
  private async fill(begun: number, resumedAt: number): Promise<void> {
    const { pool, projection, signal } = this.options;
    let head = await logHead(pool);
    let next = this.page(head, this.pos);
    for (;;) {
      const page = await next;
      if (page.to === page.from) return;
      if (page.to === head) head = await logHead(pool);
      next = this.page(head, page.to);
      // `await next` throws the error. Until then, it must not count as an unhandled rejection.
      next.catch(() => undefined);
      await inTransaction(pool, async (client) => {
        // A crash loses the effect and its checkpoint together, so the commit need not wait for the disk.
        await client.query('SET LOCAL synchronous_commit = off');
        await this.log.apply(client, projection, this.build, page);
      });
      this.pos = page.to;
      this.reportProgress(head, begun, resumedAt);
      if (signal?.aborted) {
        // The page is no longer needed, whether or not it could be read.
        await next.catch(() => undefined);
        throw signal.reason;
      }
    }
  }

  private async page(head: number, from: number): Promise<LogPage> {
    const { pool, projection, batchSize: size = 10_000 } = this.options;
    return this.log.page(pool, projection, { from, head, size });
  }

  /** Brings a build to the end of the log in one transaction. Intended for the last few events. */
  private async advance(client: PoolClient, build: number, from: number, head: number): Promise<void> {
    for (let reached = from; reached < head;) {
      const { projection } = this.options;
      const page = await this.log.page(client, projection, { from: reached, head, size: 10_000 });
      await this.log.apply(client, projection, build, page);
      reached = page.to;
    }
  }

  private reportProgress(total: number, begun: number, resumedAt: number): void {
    const seconds = (performance.now() - begun) / 1000;
    const perSecond = (this.pos - resumedAt) / seconds;
    this.options.onProgress?.({
      done: this.pos,
      total,
      perSecond,
      secondsLeft: (total - this.pos) / perSecond,
    });
  }

  /** Switches readers to the new build in one transaction, and returns the old build. */
  private async switchOver(): Promise<LiveBuild> {
    for (let tries = 1; ; tries += 1) {
      try {
        return await this.trySwitch();
      } catch (error) {
        // A reader is using the view for a long time. Let the readers queued behind this lock go first, then
        // retry.
        if (tries === 20 || !isUnavailable(error)) throw error;
        await pause(100, this.options.signal ?? new AbortController().signal);
      }
    }
  }

  private async trySwitch(): Promise<LiveBuild> {
    const { schema, serviceRole, projection } = this.options;
    return this.atHead(async (client, live) => {
      await client.query("SET LOCAL lock_timeout = '1s'");
      const show = 'UPDATE projection SET live = $3 WHERE name = $1 AND build = $2';
      await client.query(show, [live.name, live.build, false]);
      await client.query(show, [live.name, this.build, true]);
      const replace = live.version === projection.version;
      await client.query(showBuild(schema, serviceRole, projection, { build: this.build, replace }));
      return live;
    });
  }

  private async remove(build: number): Promise<void> {
    const { pool, schema, projection } = this.options;
    await inTransaction(pool, async (client) => {
      await client.query(
        `DROP TABLE IF EXISTS ${quotedName(schema)}.${quotedName(buildTable(projection.name, build))}`,
      );
      await client.query('DELETE FROM projection WHERE name = $1 AND build = $2 AND NOT live', [
        projection.name,
        build,
      ]);
    });
  }
}
