import type { Session } from '@xs2a/postgres/session-lock';
import { logEnd } from '../streams/log-gaps.js';
import { type Gap, type LostEvent, recordExamined, recordLost } from '../streams/lost-events.js';
import type { EventMeta } from '../streams/stored-event.js';

/** An event with its global position, as it goes out; the data stays the JSON text that PostgreSQL sends. */
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
  /** SHA-256 in the hash chain of its stream, hex. */
  readonly hash: string;
}

/** SQL: the columns of `events e` that a {@link PositionedEvent} has. */
export const eventColumns = `e.event_id, e.stream_id, e.version, e.type, e.schema_version, e.data::text AS data, e.meta, e.occurred_at,
  encode(e.hash, 'hex') AS hash`;
/** Events that get a position, or are read, at a time. */
export const maxBatch = 500;

/** An event that has just got its position, with what the statement saw. */
interface Sequenced extends PositionedEvent {
  /** The last id that it took out of the queue. */
  readonly last_id: number;
  /** The statement's own transaction id, and the lowest one that was still in progress when it began. */
  readonly own_xid: string;
  readonly oldest_xid: string;
}

/**
 * The log of one event store: which event has which global position.
 *
 * Rows that were taken out of the queue stay in its index while a snapshot is open that is older than that: for as long as
 * a dump takes. So that no look walks over all of them, the session keeps a floor: the id up to which nothing comes any
 * more. Ids are given by appends whose transaction has its own id already (`append.ts`). A statement with the
 * transaction id X that took ids up to F therefore knows that a transaction with an id up to F and is not yet visible has a
 * transaction id below X. Once no transaction below X is in progress and all that is visible up to F was taken, F is
 * the floor. A new leader begins at 0.
 */
export class RelayLog {
  private floor = 0;
  /** F and X of an earlier statement, until F is the floor. */
  private next: { readonly id: number; readonly xid: bigint } | undefined;

  constructor(private readonly client: Session) {}

  /**
   * For a session of the relay's own. Its statements walk along keys, a few rows at a time, whatever the tables hold;
   * plans that are kept from when they were small read all events for each batch instead (24 ms at 12,000 events). Kept
   * plans do not know that a refill reads only the end of the log, and where the log is large they start a parallel
   * worker for each batch (7 ms in place of 2.5 at 300,000 events).
   */
  static async open(client: Session): Promise<RelayLog> {
    await client.query(
      'SET enable_seqscan = off; SET enable_hashjoin = off; SET enable_mergejoin = off; SET max_parallel_workers_per_gather = 0',
    );
    return new RelayLog(client);
  }

  /** The last position given, to an event or in a gap; 0 for none. */
  async head(): Promise<number> {
    return logEnd(this.client);
  }

  /** The newest events at the positions from one to another, newest first: as many as can have a position and not be published. */
  async newestEvents(from = 0, to = Number.MAX_SAFE_INTEGER): Promise<{ pos: number; event_id: string }[]> {
    const { rows } = await this.client.query<{ pos: number; event_id: string }>({
      name: 'log-newest',
      text: `SELECT l.pos, e.event_id FROM log l JOIN events e USING (stream_id, version)
        WHERE l.pos BETWEEN $1 AND $2 ORDER BY l.pos DESC LIMIT ${2 * maxBatch}`,
      values: [from, to],
    });
    return rows;
  }

  /** See {@link recordLost}. */
  async recordLost(copies: readonly LostEvent[]): Promise<LostEvent[]> {
    return recordLost(this.client, copies);
  }

  /** See {@link recordExamined}. */
  async recordExamined(gap: Gap | undefined): Promise<void> {
    await recordExamined(this.client, gap);
  }

  /** Number of lost events that hold up their streams. */
  async waiting(): Promise<number> {
    const { rows } = await this.client.query<{ count: number }>({
      name: 'lost-count',
      text: 'SELECT count(*) FROM lost_event WHERE holds AND released_at IS NULL',
    });
    return rows[0]?.count ?? 0;
  }

  /** Events that have a position beyond `pos`, in order. */
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
   * Gives the next positions after `head` to events that have none, in the order of their ids. That keeps the order of
   * every stream: version n + 1 was inserted after version n was committed. Throws 23505 when another leader was first.
   */
  async sequence(head: number): Promise<PositionedEvent[]> {
    const { rows } = await this.client.query<Sequenced>({
      name: 'log-sequence',
      // The range up to the last of them, in place of a look-up for each.
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
    // It took everything visible up to its last id, which may be a low one that came late.
    if (next !== undefined && row.last_id >= next.id && BigInt(row.oldest_xid) >= next.xid) {
      this.floor = next.id;
      this.next = undefined;
    }
    this.next ??= { id: row.last_id, xid: BigInt(row.own_xid) };
  }
}
