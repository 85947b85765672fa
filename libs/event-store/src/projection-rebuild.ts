import type { EventTypes } from '@xs2a/domain/event-types';
import { isUnavailable } from '@xs2a/postgres/errors';
import { pause } from '@xs2a/postgres/leader-lock';
import { inTransaction } from '@xs2a/postgres/transaction';
import type { Pool, PoolClient } from 'pg';
import { type LiveBuild, lockLive, moveCheckpoint } from './projection-builds.js';
import { type LogPage, ProjectionLog } from './projection-log.js';
import { buildTable, createBuild, createIndexes, quotedName, showBuild } from './projection.tables.js';
import type { Projection } from './projection.js';

export interface RebuildProgress {
  /** Positions of the log done, of how many. */
  readonly done: number;
  readonly total: number;
  readonly perSecond: number;
  readonly secondsLeft: number;
}

export interface RebuildOptions {
  /** As the owner of the schema, with the schema as its search path. At least three connections. */
  readonly pool: Pool;
  readonly schema: string;
  /** Gets the rights on the new table. */
  readonly serviceRole: string;
  readonly projection: Projection;
  readonly types: EventTypes;
  /** Called after each batch. */
  readonly onProgress?: (progress: RebuildProgress) => void;
  /** Stops after the batch under way; the next rebuild goes on from there. */
  readonly signal?: AbortSignal;
  /** Positions in a transaction. Default 10,000. */
  readonly batchSize?: number;
}

export interface Rebuilt {
  /** Positions that this run worked off. */
  readonly events: number;
  readonly seconds: number;
  /** The position from which an interrupted rebuild was taken up; 0 for one from the start. */
  readonly resumedAt: number;
  readonly build: number;
}

/** Somebody else rebuilds this projection now. */
export class RebuildUnderWay extends Error {
  override readonly name = 'RebuildUnderWay';
}

/**
 * Builds a projection anew from the first event, beside the one that readers see, and switches to it in one
 * transaction (architecture, Event store 6). An interrupted rebuild goes on where it stood, or begins again when the
 * projection has another version by now. Throws {@link RebuildUnderWay}; the signal's reason when stopped.
 */
export const rebuildProjection = async (options: RebuildOptions): Promise<Rebuilt> =>
  exclusively(options, async () => new Rebuild(options).run());

const exclusively = async <Result>(
  { pool, schema, projection }: RebuildOptions,
  work: () => Promise<Result>,
): Promise<Result> => {
  const lock = await pool.connect();
  // The lock saves double work; what makes two rebuilds harmless is the checkpoint of each batch.
  lock.on('error', () => undefined);
  try {
    const { rows } = await lock.query<{ held: boolean }>(
      `SELECT pg_try_advisory_lock(hashtextextended($1, 0)) AS held`,
      [`${schema}.rebuild.${projection.name}`],
    );
    if (rows[0]?.held !== true) throw new RebuildUnderWay(`${projection.name} is being rebuilt already`);
    return await work();
  } finally {
    await lock.query('SELECT pg_advisory_unlock_all()').catch(() => undefined);
    lock.release(true);
  }
};

/**
 * Builds a projection from zero beside the live one and counts the rows that differ (quality, invariant 5); nothing is
 * switched, nothing stays.
 */
export const projectionDifferences = async (options: RebuildOptions): Promise<number> =>
  exclusively(options, async () => new Rebuild(options).compare());

class Rebuild {
  private readonly log: ProjectionLog;
  private build = 0;
  private pos = 0;

  constructor(private readonly options: RebuildOptions) {
    this.log = new ProjectionLog(options.types);
  }

  async run(): Promise<Rebuilt> {
    const { pool } = this.options;
    const begun = performance.now();
    const resumedAt = await this.begin();
    await this.fill(begun, resumedAt);
    await definition(pool, createIndexes(this.options.schema, this.options.projection, this.build));
    await this.fill(begun, resumedAt);
    const old = await this.switchOver();
    // A reader may still be at work in the old table; then the next rebuild removes it.
    await this.remove(old.build).catch((error: unknown) => {
      if (!isUnavailable(error)) throw error;
    });
    const seconds = (performance.now() - begun) / 1000;
    return { events: this.pos - resumedAt, seconds, resumedAt, build: this.build };
  }

  /** Fills a new build, brings both to the same position, compares, and removes it again. */
  async compare(): Promise<number> {
    const { pool, projection, schema } = this.options;
    await this.fill(performance.now(), await this.begin());
    const differing = await inTransaction(pool, async (client) => {
      await client.query('SET LOCAL statement_timeout = 0');
      const live = await lockLive(client, projection.name);
      const head = await this.log.head(client);
      await this.advance(client, this.build, this.pos, head);
      await this.advance(client, live.build, live.pos, head);
      const [one, other] = [this.build, live.build].map(
        (build) => `TABLE ${quotedName(schema)}.${quotedName(buildTable(projection.name, build))}`,
      );
      const { rows } = await client.query<{ rows: number }>(
        `SELECT count(*) AS rows FROM ((${one} EXCEPT ALL ${other}) UNION ALL (${other} EXCEPT ALL ${one})) AS differing`,
      );
      return rows[0]?.rows ?? 0;
    });
    await this.remove(this.build);
    return differing;
  }

  /** Takes up an unfinished build of this version, or makes a new one. */
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
      await client.query(createBuild(schema, serviceRole, projection, this.build));
      await client.query('INSERT INTO projection (name, build, version, live) VALUES ($1, $2, $3, false)', [
        projection.name,
        this.build,
        projection.version,
      ]);
    });
    return 0;
  }

  /** Works off the log to its end; the next page is read while one is written. */
  private async fill(begun: number, resumedAt: number): Promise<void> {
    const { pool, signal } = this.options;
    let head = await this.log.head(pool);
    let next = this.page(head, this.pos);
    for (;;) {
      const page = await next;
      if (page.to === page.from) return;
      if (page.to === head) head = await this.log.head(pool);
      next = this.page(head, page.to);
      next.catch(() => undefined);
      await inTransaction(pool, async (client) => {
        // The effect and its checkpoint are lost together, or neither: nothing has to wait for the disk.
        await client.query('SET LOCAL synchronous_commit = off; SET LOCAL statement_timeout = 60000');
        await this.apply(client, this.build, page);
      });
      this.pos = page.to;
      this.tell(head, begun, resumedAt);
      if (signal?.aborted) {
        await next.catch(() => undefined);
        throw signal.reason;
      }
    }
  }

  private async page(head: number, from: number): Promise<LogPage> {
    const { pool, projection, batchSize = 10_000 } = this.options;
    return this.log.page(pool, {
      from,
      head,
      size: batchSize,
      types: projection.types,
      dataOf: projection.dataOf,
    });
  }

  private async apply(client: PoolClient, build: number, page: LogPage): Promise<void> {
    const { name } = this.options.projection;
    const table = quotedName(buildTable(name, build));
    if (page.events.length > 0) {
      await this.options.projection.apply(client, table, page.events, this.log.reads(client));
    }
    await moveCheckpoint(client, { name, build, pos: page.from }, page.to);
  }

  /** Brings a build to the end of the log within one transaction: for the last few events. */
  private async advance(client: PoolClient, build: number, from: number, head: number): Promise<void> {
    for (let reached = from; reached < head;) {
      const { types, dataOf } = this.options.projection;
      const page = await this.log.page(client, { from: reached, head, size: 10_000, types, dataOf });
      await this.apply(client, build, page);
      reached = page.to;
    }
  }

  private tell(total: number, begun: number, resumedAt: number): void {
    const seconds = (performance.now() - begun) / 1000;
    const perSecond = (this.pos - resumedAt) / seconds;
    this.options.onProgress?.({
      done: this.pos,
      total,
      perSecond,
      secondsLeft: (total - this.pos) / perSecond,
    });
  }

  /** From one moment to the next readers see the new build, and the service goes on with it. Answers the old one. */
  private async switchOver(): Promise<LiveBuild> {
    for (let tries = 1; ; tries += 1) {
      try {
        return await this.trySwitch();
      } catch (error) {
        // A reader holds the view for long: let the readers that queue behind us go first, and try again.
        if (tries === 20 || !isUnavailable(error)) throw error;
        await pause(100, this.options.signal ?? new AbortController().signal);
      }
    }
  }

  private async trySwitch(): Promise<LiveBuild> {
    const { pool, schema, serviceRole, projection } = this.options;
    let head = this.pos;
    const old = await inTransaction(pool, async (client) => {
      await client.query("SET LOCAL lock_timeout = '1s'");
      // With that row the follower stands still: what came in since goes to the new table alone.
      const live = await lockLive(client, projection.name);
      head = await this.log.head(client);
      await this.advance(client, this.build, this.pos, head);
      await client.query('UPDATE projection SET live = false WHERE name = $1 AND build = $2', [
        live.name,
        live.build,
      ]);
      await client.query('UPDATE projection SET live = true WHERE name = $1 AND build = $2', [
        live.name,
        this.build,
      ]);
      const replace = live.version === projection.version;
      await client.query(showBuild(schema, serviceRole, projection, { build: this.build, replace }));
      return live;
    });
    this.pos = head;
    return old;
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

/** Runs statements that may take long. */
const definition = async (pool: Pool, statements: string): Promise<void> => {
  if (statements === '') return;
  await inTransaction(pool, async (client) => {
    // Enough to sort the keys of a million rows in memory.
    await client.query("SET LOCAL statement_timeout = 0; SET LOCAL maintenance_work_mem = '256MB'");
    await client.query(statements);
  });
};
