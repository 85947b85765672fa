import type { EventTypes } from '@xs2a/events/event-types';
import { isUnavailable } from '@xs2a/postgres/errors';
import { lowestId } from '@xs2a/postgres/key-pages';
import { pause } from '@xs2a/postgres/leader-lock';
import { withSessionLock } from '@xs2a/postgres/session-lock';
import { newId } from '@xs2a/runtime/ids';
import { inTransaction } from '@xs2a/postgres/transaction';
import type { Pool, PoolClient } from 'pg';
import { archivedMonths } from '../months/archived-months.js';
import { type Month, monthOfStream, parseMonth } from '../months/months.js';
import { quotedName } from '../streams/quoted-name.js';
import { type Checkpoint, lockCheckpoint, paused } from './checkpoints.js';
import { type MonthPage, ProjectionLog } from './projection-log.js';
import type { Projection } from './projection.js';

export interface RebuildProgress {
  /** The number of events processed so far, and the number of all positions of the log. */
  readonly done: number;
  readonly total: number;
  readonly perSecond: number;
  readonly secondsLeft: number;
}

export interface RebuildOptions {
  /** A pool of at least three connections of the schema's owner, with the schema as its search path. */
  readonly pool: Pool;
  readonly projection: Projection;
  readonly types: EventTypes;
  /** Called after each page. */
  readonly onProgress?: (progress: RebuildProgress) => void;
  /** Stops after the current page. Months that are already rebuilt stay so. */
  readonly signal?: AbortSignal;
  /** The number of events per transaction. Default 10,000. */
  readonly batchSize?: number;
}

export interface Rebuilt {
  readonly events: number;
  readonly seconds: number;
  /** The months whose rows are kept, because their events are archived, or are being archived or restored. */
  readonly kept: readonly string[];
}

/** Thrown if another process is rebuilding this projection. The message is for an operator. */
export class RebuildUnderWay extends Error {
  override readonly name = 'RebuildUnderWay';
}

/**
 * Rebuilds a projection from its events, month by month, while the service runs (architecture, Event store 6). The
 * rows of a month are computed in a second table and replaced in one transaction, so that readers always see a whole
 * month. Throws {@link RebuildUnderWay}, or the signal's reason if stopped.
 */
export const rebuildProjection = async (options: RebuildOptions): Promise<Rebuilt> =>
  exclusively(options, async (mustHoldLock) => {
    const { pool, projection } = options;
    const begun = performance.now();
    const rebuild = new Rebuild(options, mustHoldLock);
    const { name, version } = projection;
    const setVersion = async (to: number): Promise<void> => {
      await pool.query('UPDATE projection SET version = $2 WHERE name = $1', [name, to]);
    };
    const { version: before } = await rebuild.checkpoint();
    // An instance of another release must not add rows of its version to a month that is already rebuilt.
    if (before !== version) await setVersion(paused);
    let replaced = 0;
    try {
      const kept = await rebuild.each(async (client, month, scratch) => {
        await client.query(`DELETE FROM ${quotedName(name)} WHERE month = $1`, [month]);
        await client.query(`INSERT INTO ${quotedName(name)} SELECT * FROM ${scratch} WHERE month = $1`, [
          month,
        ]);
        replaced += 1;
      });
      await setVersion(version);
      return { events: rebuild.events, seconds: (performance.now() - begun) / 1000, kept };
    } catch (error) {
      if (replaced === 0) await setVersion(before);
      throw error;
    }
  });

/**
 * Computes a projection again and counts the rows that differ from its table (quality, invariant 5): a row with
 * different values counts twice. Changes nothing. Archived months are left out.
 */
export const projectionDifferences = async (options: RebuildOptions): Promise<number> =>
  exclusively(options, async (mustHoldLock) => {
    const table = quotedName(options.projection.name);
    let differing = 0;
    await new Rebuild(options, mustHoldLock).each(async (client, month, scratch) => {
      const { rows } = await client.query<{ rows: number }>(
        `SELECT count(*)::int AS rows FROM (
           (SELECT * FROM ${scratch} EXCEPT ALL SELECT * FROM ${table} WHERE month = $1)
           UNION ALL (SELECT * FROM ${table} WHERE month = $1 EXCEPT ALL SELECT * FROM ${scratch})) AS differing`,
        [month],
      );
      differing += rows[0]?.rows ?? 0;
    });
    return differing;
  });

type MustHoldLock = () => Promise<void>;

const exclusively = async <Result>(
  { pool, projection: { name } }: RebuildOptions,
  work: (mustHoldLock: MustHoldLock) => Promise<Result>,
): Promise<Result> => {
  const refused = (): Error => new RebuildUnderWay(`${name} is being rebuilt already`);
  return withSessionLock(pool, `rebuild.${name}`, { refused, lost: refused }, work);
};

/** What to do with the rows of a month once they are computed: `scratch` is the quoted name of the second table. */
type Use = (client: PoolClient, month: string, scratch: string) => Promise<void>;

/** The last transaction of a month reads at most this many positions. */
const maxBehind = 2000;
const maxTries = 20;

class Rebuild {
  events = 0;
  private total = 0;
  private readonly log: ProjectionLog;
  private readonly scratchPrefix: string;
  private readonly scratch: string;
  private readonly begun = performance.now();

  constructor(
    private readonly options: RebuildOptions,
    private readonly mustHoldLock: MustHoldLock,
  ) {
    this.log = new ProjectionLog(options.types);
    this.scratchPrefix = `${options.projection.name}_rebuild_`;
    // A process that has lost the lock must not write to the table of the next one.
    this.scratch = quotedName(`${this.scratchPrefix}${newId().slice(-12)}`);
  }

  /** Computes each month and passes it to `use`. Returns the months that were left out. */
  async each(use: Use): Promise<readonly string[]> {
    const { pool } = this.options;
    const kept = new Set<string>();
    await this.removeLeftovers();
    try {
      for (const month of await this.months()) if (!(await this.computed(month, use))) kept.add(month.name);
      this.report(this.total, this.total);
    } finally {
      // If a reader still uses it, the next run removes it.
      await pool.query(`DROP TABLE IF EXISTS ${this.scratch}`).catch((error: unknown) => {
        if (!isUnavailable(error)) throw error;
      });
    }
    return [...kept];
  }

  async checkpoint(): Promise<Checkpoint> {
    return inTransaction(this.options.pool, async (client) => this.mustLock(client));
  }

  /** Removes the tables of runs that were interrupted. */
  private async removeLeftovers(): Promise<void> {
    const { pool } = this.options;
    const { rows } = await pool.query<{ name: string }>(
      `SELECT relname AS name FROM pg_class WHERE relkind = 'r' AND starts_with(relname, $1)
         AND relnamespace = current_schema()::regnamespace`,
      [this.scratchPrefix],
    );
    for (const { name } of rows) await pool.query(`DROP TABLE IF EXISTS ${quotedName(name)}`);
  }

  /** Returns the months that have events or rows. */
  private async months(): Promise<readonly Month[]> {
    const { pool, projection } = this.options;
    const months = new Map<string, Month>();
    let month = await this.monthFrom(lowestId);
    while (month !== undefined) {
      months.set(month.name, month);
      month = await this.monthFrom(month.to);
    }
    const { rows } = await pool.query<{ month: string }>(
      `SELECT DISTINCT month FROM ${quotedName(projection.name)}`,
    );
    for (const { month: name } of rows) {
      const shown = parseMonth(name);
      if (shown !== undefined) months.set(name, shown);
    }
    return [...months.values()];
  }

  /** Returns the month of the first stream from an id on; undefined if there is none. */
  private async monthFrom(streamId: string): Promise<Month | undefined> {
    const { rows } = await this.options.pool.query<{ stream_id: string }>(
      'SELECT stream_id FROM events WHERE stream_id >= $1 ORDER BY stream_id LIMIT 1',
      [streamId],
    );
    return rows[0] && monthOfStream(rows[0].stream_id);
  }

  /** Returns false if the events of the month are not all in the database. */
  private async computed(month: Month, use: Use): Promise<boolean> {
    const { pool, projection, signal } = this.options;
    if ((await archivedMonths(pool, month.name)).length > 0) return false;
    const table = quotedName(projection.name);
    await pool.query(
      `DROP TABLE IF EXISTS ${this.scratch}; CREATE UNLOGGED TABLE ${this.scratch} (LIKE ${table} INCLUDING ALL)`,
    );
    let upTo = await this.read(month);
    for (let tries = 1; ; tries += 1) {
      upTo = await this.approach(month, upTo);
      try {
        return await this.finish(month, upTo, use);
      } catch (error) {
        // A lock was not free in time, for example because of a dump.
        if (tries === maxTries || !isUnavailable(error)) throw error;
        await pause(100, signal ?? new AbortController().signal);
      }
    }
  }

  /** Reads the month up to the checkpoint, page by page, and returns the checkpoint. */
  private async read(month: Month): Promise<number> {
    const { pool, projection, signal, batchSize: size = 10_000 } = this.options;
    const { pos: upTo } = await this.checkpoint();
    this.total = upTo;
    const pageAfter = async (after: MonthPage['last']): Promise<MonthPage> =>
      this.log.monthPage(pool, projection, { month, upTo, after, size });
    let page: MonthPage | undefined = await pageAfter(undefined);
    while (page !== undefined) {
      // The next page of events is read while this one is applied.
      const [next]: [MonthPage | undefined, void] = await Promise.all([
        page.last && pageAfter(page.last),
        this.addPage(page),
      ]);
      this.report(this.events, upTo);
      signal?.throwIfAborted();
      page = next;
    }
    return upTo;
  }

  private async addPage({ events }: MonthPage): Promise<void> {
    const { pool, projection } = this.options;
    await inTransaction(pool, async (client) => this.log.applyTo(client, projection, this.scratch, events));
    this.events += events.length;
  }

  /** Adds what the projection has read since a position, until little is left. Returns the new position. */
  private async approach(month: Month, from: number): Promise<number> {
    const { pool } = this.options;
    for (let reached = from; ;) {
      const { pos } = await this.checkpoint();
      if (pos - reached <= maxBehind) return reached;
      const next = Math.min(pos, reached + maxBehind);
      await inTransaction(pool, async (client) => this.add(client, month, { from: reached, to: next }));
      reached = next;
    }
  }

  private async finish(month: Month, from: number, use: Use): Promise<boolean> {
    return inTransaction(this.options.pool, async (client) => {
      // Archiving and restoring record the month before they move its events.
      await client.query('LOCK TABLE archived_month IN SHARE MODE');
      if ((await archivedMonths(client, month.name)).length > 0) return false;
      const { pos } = await this.mustLock(client);
      await this.add(client, month, { from, to: pos });
      await this.mustHoldLock();
      await use(client, month.name, this.scratch);
      return true;
    });
  }

  /** Adds the events of the month at the positions after `from`. */
  private async add(
    client: PoolClient,
    month: Month,
    { from, to }: { readonly from: number; readonly to: number },
  ): Promise<void> {
    const { projection } = this.options;
    const page = await this.log.page(client, projection, { from, head: to, size: Math.max(1, to - from) });
    const events = page.events.filter(({ streamId }) => streamId >= month.from && streamId < month.to);
    await this.log.applyTo(client, projection, this.scratch, events);
  }

  private async mustLock(client: PoolClient): Promise<Checkpoint> {
    const { name } = this.options.projection;
    const checkpoint = await lockCheckpoint(client, name);
    if (checkpoint === undefined) throw new Error(`there is no projection ${name}`);
    return checkpoint;
  }

  private report(done: number, total: number): void {
    const perSecond = done / ((performance.now() - this.begun) / 1000);
    const secondsLeft = (total - done) / Math.max(1, perSecond);
    this.options.onProgress?.({ done, total, perSecond, secondsLeft });
  }
}
