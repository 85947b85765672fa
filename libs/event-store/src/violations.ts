import { jetstreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { type EventResource, eventStreams } from '@xs2a/contracts/published-event';
import { inTransaction } from '@xs2a/postgres/transaction';
import { setTimeout as pause } from 'node:timers/promises';
import type { Pool } from 'pg';
import { type Folding, inlineViewDifferences } from './inline-view-rebuild.js';
import type { DomainEvent } from './prepare-append.js';
import { copyFindings, gapsIn } from './published-copy.js';
import { type KnownResource, resources } from './resources.js';
import { logFindings } from './verify-log.js';

/** A broken invariant of quality.md: its number there, and what is wrong. Holds ids, never an event's data. */
export interface Violation {
  readonly invariant: 4 | 5 | 6;
  readonly text: string;
}
type Report = (invariant: Violation['invariant'], text: string) => void;

export interface ViolationOptions<Event extends DomainEvent, State> {
  /** Compares with the published copy too. Needs the rights of an operator. */
  readonly nats?: NatsConnection;
  /** Compares the columns of the status view too; without it versions and states only. */
  readonly store?: Folding<Event, State>;
  /** The bank's; default Europe/Sofia. */
  readonly timeZone?: string;
}

const mostReported = 100;

/**
 * Checks what must hold of a resource's events whatever happened (quality, Reliability): each event once, versions and
 * positions without gaps, stream sequence = position (4); the status view equals one folded from zero (5); only
 * transitions of the lifecycle's table (6). None: all holds. May run while the service works.
 */
export const eventStoreViolations = async <Event extends DomainEvent = DomainEvent, State = unknown>(
  pool: Pool,
  resource: EventResource,
  { nats, store, timeZone = 'Europe/Sofia' }: ViolationOptions<Event, State> = {},
): Promise<Violation[]> => {
  const known = resources[resource];
  const violations: Violation[] = [];
  const report: Report = (invariant, text) => {
    if (violations.length < mostReported) violations.push({ invariant, text });
  };
  await checkCounts(pool, report);
  await logFindings(pool, ({ text, streamId, version, pos }) =>
    report(4, `${where({ streamId, version, pos })}: ${text}`),
  );
  await checkLifecycles(pool, known, report);
  const differences =
    store === undefined
      ? await inlineViewDifferences(pool, { folding: known.folding(timeZone) })
      : await inlineViewDifferences(pool, store);
  for (const { streamId, columns } of differences) {
    report(5, `stream ${streamId}: ${known.view} differs from its events in ${columns.join(', ')}`);
  }
  if (nats !== undefined) await checkCopy(pool, nats, resource, report);
  return violations;
};

const where = (place: {
  readonly streamId?: string;
  readonly version?: number;
  readonly pos?: number;
}): string => {
  const { streamId, version, pos } = place;
  return [
    ...(streamId === undefined ? [] : [`stream ${streamId}, version ${version}`]),
    ...(pos === undefined ? [] : [`position ${pos}`]),
  ].join(', ');
};

/** Runs a query over all events, however long it takes. */
const overAll = async <Row extends object>(pool: Pool, text: string): Promise<Row[]> =>
  inTransaction(pool, async (client) => {
    await client.query('SET TRANSACTION READ ONLY; SET LOCAL statement_timeout = 0');
    return (await client.query<Row>(text)).rows;
  });

const checkCounts = async (pool: Pool, report: Report): Promise<void> => {
  const [counts] = await overAll<{ events: number; logged: number; head: number; waiting: number }>(
    pool,
    `SELECT (SELECT count(*) FROM events) AS events, (SELECT count(*) FROM log) AS logged,
      (SELECT coalesce(max(pos), 0) FROM log) AS head, (SELECT count(*) FROM unsequenced) AS waiting`,
  );
  if (counts === undefined) return;
  const { events, logged, head, waiting } = counts;
  if (logged !== head) report(4, `${logged} events have a position, the last position is ${head}`);
  if (events !== logged + waiting) {
    report(4, `there are ${events} events, ${logged} with a position and ${waiting} that wait for one`);
  }
  const gaps = await overAll<{ stream_id: string }>(
    pool,
    `SELECT stream_id FROM events GROUP BY stream_id
     HAVING count(*) <> max(version) OR min(version) <> 1 LIMIT ${mostReported}`,
  );
  for (const { stream_id } of gaps) report(4, `stream ${stream_id}: its versions have gaps`);
  const doubles = await overAll<{ event_id: string }>(
    pool,
    `SELECT event_id FROM events GROUP BY event_id HAVING count(*) > 1 LIMIT ${mostReported}`,
  );
  for (const { event_id } of doubles) report(4, `event ${event_id} is there more than once`);
};

/** Streams of the same sequence of types are one case: there are few such sequences, however many streams. */
const checkLifecycles = async (pool: Pool, { next }: KnownResource, report: Report): Promise<void> => {
  const paths = await overAll<{ path: string[]; streams: number; example: string }>(
    pool,
    `SELECT path, count(*) AS streams, min(stream_id::text) AS example
     FROM (SELECT stream_id, array_agg(type ORDER BY version) AS path FROM events GROUP BY stream_id) AS stream
     GROUP BY path`,
  );
  for (const { path, streams, example } of paths) {
    let stage: string | undefined;
    for (const type of path) {
      const reached = next(stage, type);
      if (reached === undefined) {
        report(
          6,
          `${streams} streams, e.g. ${example}: ${type} cannot happen when ${stage ?? 'nothing was before'}`,
        );
        break;
      }
      stage = reached;
    }
  }
};

const checkCopy = async (
  pool: Pool,
  nats: NatsConnection,
  resource: EventResource,
  report: Report,
): Promise<void> => {
  const name = eventStreams[resource];
  const { streams } = await jetstreamManager(nats);
  const head = async (): Promise<number> => {
    const { rows } = await pool.query<{ pos: number }>('SELECT coalesce(max(pos), 0) AS pos FROM log');
    return rows[0]?.pos ?? 0;
  };
  const before = await head();
  let { state } = await streams.info(name);
  // What was just given its position is on its way.
  for (let tries = 0; tries < 50 && state.last_seq < before; tries += 1) {
    await pause(100);
    ({ state } = await streams.info(name));
  }
  if (state.last_seq < before) report(4, `${name} ends at ${state.last_seq}, the log at ${before}`);
  if (state.last_seq > (await head())) report(4, `${name} ends at ${state.last_seq}, beyond the log`);
  if (gapsIn(state) !== 0)
    report(4, `${name} goes from ${state.first_seq} to ${state.last_seq} and holds ${state.messages}`);
  await copyFindings(pool, { nats, resource }, ({ text, streamId, version, pos }) =>
    report(4, `${name}, ${where({ streamId, version, pos })}: ${text}`),
  );
};
