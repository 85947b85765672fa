import type { EventResource } from '@xs2a/contracts/event-streams';
import type { TimelineEvent } from '@xs2a/contracts/timeline.contract';
import type { Pool } from 'pg';
import { masked } from './masking.js';
import { resources } from './resources.js';

interface Row {
  readonly pos: number | null;
  readonly version: number;
  readonly type: string;
  readonly data: unknown;
  readonly meta: { readonly actor: string; readonly requestId?: string; readonly traceparent?: string };
  readonly occurred_at: Date;
}

/** The stored events of a stream, oldest first. */
export interface StreamTimeline {
  readonly events: readonly TimelineEvent[];
  /** The number of older events beyond the limit. */
  readonly leftOut: number;
}

/** Reads the newest events of a stream; undefined if the log has no event of it. Without a limit, reads all. */
export const readTimeline = async (
  pool: Pool,
  resource: EventResource,
  id: string,
  limit?: number,
): Promise<StreamTimeline | undefined> => {
  const { rows } = await pool.query<Row>(
    `SELECT l.pos, e.version, e.type, e.data, e.meta, e.occurred_at
     FROM events e LEFT JOIN log l USING (stream_id, version) WHERE e.stream_id = $1 ORDER BY e.version DESC LIMIT $2`,
    [id, limit],
  );
  if (rows.length === 0) return undefined;
  const types = rows.length === limit ? await readTypes(pool, id) : rows.map(({ type }) => type).reverse();
  const statuses = resources[resource].statusesAfter(types);
  const leftOut = types.length - rows.length;
  const events = rows
    .reverse()
    .map((row, index): TimelineEvent => toTimelineEvent(row, statuses[leftOut + index]));
  return { events, leftOut };
};

/** Reads the types of all events of a stream, which determine its status. */
const readTypes = async (pool: Pool, id: string): Promise<string[]> => {
  const { rows } = await pool.query<{ type: string }>(
    'SELECT type FROM events WHERE stream_id = $1 ORDER BY version',
    [id],
  );
  return rows.map(({ type }) => type);
};

const toTimelineEvent = (row: Row, status: string | undefined): TimelineEvent => ({
  pos: row.pos,
  version: row.version,
  at: row.occurred_at.toISOString(),
  type: row.type,
  status: status ?? null,
  actor: row.meta.actor,
  requestId: row.meta.requestId ?? null,
  traceId: row.meta.traceparent?.split('-')[1] ?? null,
  data: masked(row.data) as Readonly<Record<string, unknown>>,
});
