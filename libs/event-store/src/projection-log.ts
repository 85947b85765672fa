import { type EventTypes, upcastData } from '@xs2a/domain/event-types';
import type { Pool, PoolClient } from 'pg';
import type { ProjectedEvent, ProjectionReads } from './projection.js';

interface Row {
  readonly pos: number;
  readonly stream_id: string;
  readonly version: number;
  readonly type: string;
  readonly schema_version: number;
  readonly data: unknown;
  readonly actor: string;
  readonly at_ms: number;
}

const columns = `e.stream_id, e.version, e.type, e.schema_version, e.data, e.meta->>'actor' AS actor,
  (extract(epoch FROM e.occurred_at) * 1000)::bigint AS at_ms`;

/** A stretch of the log: the events of it that were asked for, and where it ends. */
export interface LogPage {
  readonly from: number;
  readonly to: number;
  readonly events: readonly ProjectedEvent[];
}

/** The log as projections read it. */
export class ProjectionLog {
  constructor(private readonly types: EventTypes) {}

  /** The last position. */
  async head(session: Pool | PoolClient): Promise<number> {
    const { rows } = await session.query<{ pos: number }>({
      name: 'projection-head',
      text: 'SELECT coalesce(max(pos), 0) AS pos FROM log',
    });
    return rows[0]?.pos ?? 0;
  }

  /** At most `size` positions after `from`, not beyond `head`. */
  async page(
    session: Pool | PoolClient,
    { from, head, size, types }: { from: number; head: number; size: number; types?: readonly string[] },
  ): Promise<LogPage> {
    const to = Math.min(head, from + size);
    if (to <= from) return { from, to: from, events: [] };
    const { rows } = await session.query<Row>({
      name: types === undefined ? 'projection-page' : 'projection-page-of-types',
      text: `SELECT l.pos, ${columns} FROM log l JOIN events e USING (id)
        WHERE l.pos > $1 AND l.pos <= $2 ${types === undefined ? '' : 'AND e.type = ANY($3::text[])'} ORDER BY l.pos`,
      values: [from, to, ...(types === undefined ? [] : [types])],
    });
    return { from, to, events: rows.map((row) => this.projected(row)) };
  }

  reads(session: Pool | PoolClient): ProjectionReads {
    return {
      firstEvents: async (streamIds) => {
        const { rows } = await session.query<Row>({
          name: 'projection-first-events',
          text: `SELECT 0 AS pos, ${columns} FROM events e WHERE e.stream_id = ANY($1::uuid[]) AND e.version = 1`,
          values: [[...new Set(streamIds)]],
        });
        return new Map(rows.map((row) => [row.stream_id, this.projected(row)]));
      },
    };
  }

  private projected(row: Row): ProjectedEvent {
    const { pos, stream_id: streamId, version, type, actor, at_ms: atMs, data } = row;
    const upcast = upcastData(this.types, { type, schemaVersion: row.schema_version, data });
    return { pos, streamId, version, type, data: upcast, actor, atMs };
  }
}
