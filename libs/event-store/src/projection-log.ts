import type { LogTail, TailEvent } from './log-tail.js';
import { type EventTypes, upcastData } from '@xs2a/domain/event-types';
import { binaryArray } from '@xs2a/postgres/binary-array';
import type { Pool, PoolClient } from 'pg';
import type { ProjectedEvent, ProjectionReads } from './projection.js';

interface Row {
  readonly pos: number;
  readonly stream_id: string;
  readonly version: number;
  readonly type: string;
  readonly schema_version: number;
  /** Null: not asked for. */
  readonly data: unknown;
  readonly at_ms: number;
}

const columnsWith = (data: string): string =>
  `e.stream_id, e.version, e.type, e.schema_version, ${data} AS data,
  (date_part('epoch', e.occurred_at) * 1000)::bigint AS at_ms`;

interface Stretch {
  readonly from: number;
  readonly head: number;
  readonly size: number;
  /** Only events of these types. */
  readonly types?: readonly string[];
  /** The data of these types only. */
  readonly dataOf?: readonly string[];
}

/** A stretch of the log: the events of it that were asked for, and where it ends. */
export interface LogPage {
  readonly from: number;
  readonly to: number;
  readonly events: readonly ProjectedEvent[];
}

/** The log as projections read it. */
export class ProjectionLog {
  constructor(
    private readonly types: EventTypes,
    /** Of the relay in this process. */
    private readonly tail?: LogTail,
  ) {}

  /** The last position. */
  async head(session: Pool | PoolClient): Promise<number> {
    const { rows } = await session.query<{ pos: number }>({
      name: 'projection-head',
      text: 'SELECT coalesce(max(pos), 0) AS pos FROM log',
    });
    return rows[0]?.pos ?? 0;
  }

  /** At most `size` positions after `from`, not beyond `head`. */
  async page(session: Pool | PoolClient, { from, head, size, types, dataOf }: Stretch): Promise<LogPage> {
    const to = Math.min(head, from + size);
    if (to <= from) return { from, to: from, events: [] };
    const recent = this.tail?.page(from, to, dataOf);
    if (recent !== undefined) {
      const wanted = types === undefined ? recent : recent.filter(({ type }) => types.includes(type));
      return { from, to, events: wanted.map((event) => this.projected(parsed(event))) };
    }
    const { rows } = await session.query<Row>({
      name: 'projection-page',
      // OFFSET 0 keeps this a look-up for each position: a plan that joins the two reads all events for every page.
      text: `SELECT l.pos, e.* FROM log l CROSS JOIN LATERAL (
          SELECT ${columnsWith('CASE WHEN $4::text[] IS NULL OR e.type = ANY($4) THEN e.data END')}
          FROM events e WHERE e.id = l.id AND ($3::text[] IS NULL OR e.type = ANY($3)) OFFSET 0
        ) e
        WHERE l.pos > $1 AND l.pos <= $2 ORDER BY l.pos`,
      values: [from, to, types, dataOf],
    });
    return { from, to, events: rows.map((row) => this.projected(row)) };
  }

  reads(session: Pool | PoolClient): ProjectionReads {
    return {
      firstEvents: async (streamIds) => {
        if (streamIds.length === 0) return new Map();
        const { rows } = await session.query<Row>({
          name: 'projection-first-events',
          text: `SELECT 0 AS pos, ${columnsWith('e.data')} FROM events e WHERE e.stream_id = ANY($1::uuid[]) AND e.version = 1`,
          values: [binaryArray('uuid', [...new Set(streamIds)])],
        });
        return new Map(rows.map((row) => [row.stream_id, this.projected(row)]));
      },
    };
  }

  private projected(row: Row): ProjectedEvent {
    const { pos, stream_id: streamId, version, type, at_ms: atMs, data } = row;
    const upcast =
      data === null ? undefined : upcastData(this.types, { type, schemaVersion: row.schema_version, data });
    return { pos, streamId, version, type, data: upcast, atMs };
  }
}

const parsed = (event: TailEvent): Row => ({
  ...event,
  data: event.data === null ? null : JSON.parse(event.data),
});
