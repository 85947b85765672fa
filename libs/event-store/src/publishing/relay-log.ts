import type { Session } from '@xs2a/postgres/session-lock';
import { logEnd } from '../recovery/log-gaps.js';
import type { EventMeta } from '../streams/stored-event.js';

/** An event with its position, as it is published: its data are still the JSON text from PostgreSQL. */
export interface PositionedEvent {
  readonly pos: number;
  readonly event_id: string;
  readonly stream_id: string;
  readonly version: number;
  readonly type: string;
  readonly schema_version: number;
  readonly data: string;
  readonly meta: EventMeta;
  readonly occurred_at: Date;
  /** The SHA-256 in the hash chain of its stream, in hex. */
  readonly hash: string;
}

/** SQL: the columns of `events e` that make up a {@link PositionedEvent}. */
export const eventColumns = `e.event_id, e.stream_id, e.version, e.type, e.schema_version, e.data::text AS data, e.meta, e.occurred_at,
  encode(e.hash, 'hex') AS hash`;
/** The maximum number of events per batch, both for assigning positions and for reading. */
export const maxBatch = 500;

/** An event that has just been assigned its position, and the transaction ids that the statement saw. */
interface Sequenced extends PositionedEvent {
  /** The last id that the statement removed from the queue. */
  readonly last_id: number;
  /** The statement's own transaction id, and the lowest one that was in progress when it started. */
  readonly own_xid: string;
  readonly oldest_xid: string;
}

/**
 * The log of one event store. It assigns a global position to each event.
 *
 * Rows removed from the queue stay in its index while an older snapshot is open, for example for as long as a dump
 * runs. To avoid scanning all of them each time, the session keeps a floor: the id up to which no more events can
 * appear. An append gets its ids only after its transaction has its own transaction id (`append.ts`). Therefore,
 * when a statement with transaction id X has removed ids up to F, any transaction that has an id up to F and is
 * not visible yet has a transaction id below X. Once no transaction below X is in progress and everything visible
 * up to F has been removed, F becomes the floor. A new leader starts at 0.
 */
export class RelayLog {
  private floor = 0;
  /** The values F and X of an earlier statement, until F becomes the floor. */
  private next: { readonly id: number; readonly xid: bigint } | undefined;

  constructor(private readonly client: Session) {}

  /**
   * Opens the log on a session that only the relay uses. Its statements must use index scans that read a few rows
   * at a time, whatever the size of the tables. Plans cached while the tables were small would read all events for
   * each batch instead (24 ms at 12,000 events). Cached plans also assume that a refill may read more than the
   * last part of the log, and on a large log they start a parallel worker for each batch (7 ms instead of 2.5 at
   * 300,000 events).
   */
  static async open(client: Session): Promise<RelayLog> {
    await client.query(
      'SET enable_seqscan = off; SET enable_hashjoin = off; SET enable_mergejoin = off; SET max_parallel_workers_per_gather = 0',
    );
    return new RelayLog(client);
  }

  /** Returns the last assigned position, whether of an event or in a gap, or 0 if there is none. */
  async head(): Promise<number> {
    return logEnd(this.client);
  }

  /** Returns the newest events in a range, newest first: as many as can have a position and be unpublished. */
  async newestEvents(from = 0, to = Number.MAX_SAFE_INTEGER): Promise<{ pos: number; event_id: string }[]> {
    const { rows } = await this.client.query<{ pos: number; event_id: string }>({
      name: 'log-newest',
      text: `SELECT l.pos, e.event_id FROM log l JOIN events e USING (stream_id, version)
        WHERE l.pos BETWEEN $1 AND $2 ORDER BY l.pos DESC LIMIT ${2 * maxBatch}`,
      values: [from, to],
    });
    return rows;
  }

  /** Returns the number of lost events that block their streams. */
  async waiting(): Promise<number> {
    const { rows } = await this.client.query<{ count: number }>({
      name: 'lost-count',
      text: 'SELECT count(*) FROM lost_event WHERE holds AND released_at IS NULL',
    });
    return rows[0]?.count ?? 0;
  }

  /** Returns events with a position greater than `pos`, in order. */
  async read(pos: number): Promise<PositionedEvent[]> {
    const { rows } = await this.client.query<PositionedEvent>({
      name: 'log-read',
      text: `SELECT l.pos, ${eventColumns} FROM log l JOIN events e USING (stream_id, version)
        WHERE l.pos > $1 ORDER BY l.pos LIMIT ${maxBatch}`,
      values: [pos],
    });
    return rows;
  }

  /**
   * Assigns the next positions after `head` to events that have no position, in the order of their ids. This keeps
   * the order of every stream, because version n + 1 is inserted only after version n has been committed. Throws
   * 23505 if another leader was first.
   */
  async sequence(head: number): Promise<PositionedEvent[]> {
    const { rows } = await this.client.query<Sequenced>({
      name: 'log-sequence',
      // One range up to the last id instead of a look-up for each id.
      text: `WITH moved AS (
          DELETE FROM unsequenced WHERE id > $2 AND id <= (
            SELECT max(id) FROM (SELECT id FROM unsequenced WHERE id > $2 ORDER BY id LIMIT ${maxBatch}) AS next
          ) RETURNING id, stream_id, version
        ), numbered AS (
          INSERT INTO log (pos, stream_id, version)
          SELECT $1::bigint + row_number() OVER (ORDER BY id), stream_id, version FROM moved
          RETURNING pos, stream_id, version
        )
        SELECT n.pos, ${eventColumns}, (SELECT max(id) FROM moved) AS last_id,
          pg_current_xact_id()::text AS own_xid, pg_snapshot_xmin(pg_current_snapshot())::text AS oldest_xid
        FROM numbered n JOIN events e USING (stream_id, version) ORDER BY n.pos`,
      values: [head, this.floor],
    });
    this.raiseFloor(rows);
    return rows;
  }

  private raiseFloor(rows: readonly Sequenced[]): void {
    const [row] = rows;
    if (row === undefined) return;
    const { next } = this;
    // The statement removed everything visible up to its last id, which may be a low id that appeared late.
    if (next !== undefined && row.last_id >= next.id && BigInt(row.oldest_xid) >= next.xid) {
      this.floor = next.id;
      this.next = undefined;
    }
    this.next ??= { id: row.last_id, xid: BigInt(row.own_xid) };
  }
}
