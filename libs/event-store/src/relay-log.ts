import type { PoolClient } from 'pg';
import type { EventMeta } from './stored-event.js';

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
  /** In the chain of its stream, hex. */
  readonly hash: string;
}

/** Of `events e`, as a {@link PositionedEvent} wants them. */
export const eventColumns = `e.event_id, e.stream_id, e.version, e.type, e.schema_version, e.data::text AS data, e.meta, e.occurred_at,
  encode(e.hash, 'hex') AS hash`;
/** Events that get a position, or are read, at a time. */
export const largestBatch = 500;

/** The log (pos, id) of one event store: which event has which global position. */
export class RelayLog {
  constructor(private readonly client: PoolClient) {}

  /**
   * For a session of the relay's own. Its statements walk along keys, a few rows at a time, whatever the tables hold;
   * plans that are kept from when they were small read all events for each batch instead (24 ms at 12,000 events).
   */
  static async open(client: PoolClient): Promise<RelayLog> {
    await client.query('SET enable_seqscan = off; SET enable_hashjoin = off; SET enable_mergejoin = off');
    return new RelayLog(client);
  }

  /** The last position given; 0 for none. */
  async head(): Promise<number> {
    const { rows } = await this.client.query<{ pos: number }>({
      name: 'log-head',
      text: 'SELECT coalesce(max(pos), 0) AS pos FROM log',
    });
    return rows[0]?.pos ?? 0;
  }

  /** The id of the event at a position. */
  async eventIdAt(pos: number): Promise<string | undefined> {
    const { rows } = await this.client.query<{ event_id: string }>({
      name: 'log-event-id',
      text: 'SELECT e.event_id FROM log l JOIN events e USING (id) WHERE l.pos = $1',
      values: [pos],
    });
    return rows[0]?.event_id;
  }

  /** Events that have a position beyond `pos`, in order. */
  async read(pos: number): Promise<PositionedEvent[]> {
    const { rows } = await this.client.query<PositionedEvent>({
      name: 'log-read',
      text: `SELECT l.pos, ${eventColumns} FROM log l JOIN events e USING (id)
        WHERE l.pos > $1 ORDER BY l.pos LIMIT ${largestBatch}`,
      values: [pos],
    });
    return rows;
  }

  /**
   * Gives the next positions after `head` to events that have none, in the order of their ids. That keeps the order of
   * every stream: version n + 1 was inserted after version n was committed. Throws 23505 when another leader was first.
   */
  async sequence(head: number): Promise<PositionedEvent[]> {
    const { rows } = await this.client.query<PositionedEvent>({
      name: 'log-sequence',
      // The range up to the last of them, in place of a look-up for each.
      text: `WITH moved AS (
          DELETE FROM unsequenced WHERE id <= (
            SELECT max(id) FROM (SELECT id FROM unsequenced ORDER BY id LIMIT ${largestBatch}) AS next
          ) RETURNING id
        ), numbered AS (
          INSERT INTO log (pos, id) SELECT $1::bigint + row_number() OVER (ORDER BY id), id FROM moved RETURNING pos, id
        )
        SELECT n.pos, ${eventColumns} FROM numbered n JOIN events e USING (id) ORDER BY n.pos`,
      values: [head],
    });
    return rows;
  }
}
