import { type EventTypes, unknownType, upcastData } from '@xs2a/events/event-types';
import { binaryArray } from '@xs2a/postgres/binary-array';
import type { Pool, PoolClient } from 'pg';
import { type Month, monthOfStream } from '../months/months.js';
import { moveCheckpoint } from './checkpoints.js';
import type { ProjectedEvent, Projection, ProjectionReads } from './projection.js';
import { quotedName } from '../streams/quoted-name.js';

interface Row {
  readonly pos: number;
  readonly stream_id: string;
  readonly version: number;
  readonly type: string;
  readonly schema_version: number;
  /** Null if the data were not requested. */
  readonly data: unknown;
  readonly at_ms: number;
}

const columnsWith = (data: string): string =>
  `e.stream_id, e.version, e.type, e.schema_version, ${data} AS data,
  (date_part('epoch', e.occurred_at) * 1000)::bigint AS at_ms`;

/** A range of the log: the requested events in it, and the position at which it ends. */
export interface LogPage {
  readonly from: number;
  readonly to: number;
  readonly events: readonly ProjectedEvent[];
}

/** The events of a month's streams that a rebuild reads next. */
export interface MonthRange {
  readonly month: Month;
  readonly upTo: number;
  readonly after?: StoredPlace;
  readonly size: number;
}
type StoredPlace = Pick<Row, 'stream_id' | 'version'>;
export interface MonthPage {
  readonly events: readonly ProjectedEvent[];
  /** The place of the last event read, from which the next page continues. */
  readonly last?: StoredPlace;
}

/** The log as projections read it. */
export class ProjectionLog {
  constructor(private readonly types: EventTypes) {}

  /**
   * Reads the events that a projection needs from the `size` positions after `from`, but not beyond `head`. Throws
   * NewerEvent for a type that this release does not know, even if the projection does not request it, because a
   * newer release may count it.
   */
  async page(
    session: Pool | PoolClient,
    { types, dataOf }: Pick<Projection, 'types' | 'dataOf'>,
    { from, head, size }: { readonly from: number; readonly head: number; readonly size: number },
  ): Promise<LogPage> {
    const to = Math.min(head, from + size);
    if (to <= from) return { from, to: from, events: [] };
    const { rows } = await session.query<Row>({
      name: 'projection-page',
      // OFFSET 0 forces one look-up per position. A plan that joins the two tables would read all events for
      // every page.
      text: `SELECT l.pos, e.* FROM log l CROSS JOIN LATERAL (
          SELECT ${columnsWith('CASE WHEN $4::text[] IS NULL OR e.type = ANY($4) THEN e.data END')}
          FROM events e WHERE e.stream_id = l.stream_id AND e.version = l.version
            AND ($3::text[] IS NULL OR e.type = ANY($3) OR NOT e.type = ANY($5)) OFFSET 0
        ) e
        WHERE l.pos > $1 AND l.pos <= $2 ORDER BY l.pos`,
      values: [from, to, types, dataOf, Object.keys(this.types)],
    });
    return { from, to, events: rows.map((row) => this.projected(row)) };
  }

  /**
   * Reads the next events of the streams of a month, ordered by stream, of which those at positions up to `upTo` are
   * returned. `last` is undefined at the end of the month.
   */
  async monthPage(
    session: Pool | PoolClient,
    { types, dataOf }: Pick<Projection, 'types' | 'dataOf'>,
    { month, upTo, after, size }: MonthRange,
  ): Promise<MonthPage> {
    const { rows } = await session.query<Row & { readonly pos: number | null }>({
      name: 'projection-month',
      // OFFSET 0 forces one look-up per event, as in `page`. The first condition is for the choice of partitions.
      text: `SELECT l.pos, e.* FROM (
          SELECT ${columnsWith('CASE WHEN $4::text[] IS NULL OR e.type = ANY($4) THEN e.data END')} FROM events e
          WHERE e.stream_id >= $1 AND (e.stream_id, e.version) > ($1, $2) AND e.stream_id < $3
            AND ($5::text[] IS NULL OR e.type = ANY($5) OR NOT e.type = ANY($6))
          ORDER BY e.stream_id, e.version LIMIT $7
        ) e LEFT JOIN LATERAL (
          SELECT pos FROM log WHERE stream_id = e.stream_id AND version = e.version OFFSET 0
        ) l ON true ORDER BY e.stream_id, e.version`,
      values: [
        after?.stream_id ?? month.from,
        after?.version ?? 0,
        month.to,
        dataOf,
        types,
        Object.keys(this.types),
        size,
      ],
    });
    const read = rows.filter(({ pos }) => pos !== null && pos <= upTo);
    return { events: read.map((row) => this.projected(row)), last: rows.at(-1) };
  }

  /** Applies a page to the table of a projection and advances its checkpoint. */
  async apply(client: PoolClient, projection: Projection, page: LogPage): Promise<void> {
    const { name } = projection;
    await this.applyTo(client, projection, quotedName(name), page.events);
    await moveCheckpoint(client, { name, pos: page.from }, page.to);
  }

  /** Applies events to a table (quoted name), month by month. */
  async applyTo(
    client: PoolClient,
    projection: Projection,
    table: string,
    events: readonly ProjectedEvent[],
  ): Promise<void> {
    for (const [month, some] of groupByMonth(events))
      await projection.apply(client, { table, month }, some, this.reads(client));
  }

  private reads(session: PoolClient): ProjectionReads {
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
      eventsOfType: async (type, streamIds) => {
        if (streamIds.length === 0) return new Map();
        const { rows } = await session.query<Row>({
          name: 'projection-events-of-type',
          text: `SELECT 0 AS pos, ${columnsWith('e.data')} FROM events e WHERE e.stream_id = ANY($1::uuid[]) AND e.type = $2`,
          values: [binaryArray('uuid', [...new Set(streamIds)]), type],
        });
        return new Map(rows.map((row) => [row.stream_id, this.projected(row)]));
      },
    };
  }

  private projected(row: Row): ProjectedEvent {
    const { pos, stream_id: streamId, version, type, at_ms: atMs, data } = row;
    if (!Object.hasOwn(this.types, type)) throw unknownType(type);
    const upcast =
      data === null ? undefined : upcastData(this.types, { type, schemaVersion: row.schema_version, data });
    return { pos, streamId, version, type, data: upcast, atMs };
  }
}

/** Divides events by the month of their streams, such as `2027-03`. */
const groupByMonth = (events: readonly ProjectedEvent[]): ReadonlyMap<string, readonly ProjectedEvent[]> => {
  let month: Month | undefined;
  return Map.groupBy(events, ({ streamId }) => {
    // The next event is almost always of the same month.
    if (month === undefined || streamId < month.from || streamId >= month.to) month = monthOfStream(streamId);
    return month.name;
  });
};
