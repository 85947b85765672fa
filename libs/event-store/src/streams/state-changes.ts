import type { Pool } from 'pg';
import type { DomainEvent, EventStoreOptions } from './prepare-append.js';
import { quotedName } from './quoted-name.js';
import { eventIn, type HistoryRow, maxStreams, readHistories } from './stream-histories.js';

/** The change that one event made to its stream. */
export interface StateChange<State, Event extends DomainEvent = DomainEvent> {
  /** The event's position in the log. */
  readonly pos: number;
  readonly streamId: string;
  readonly eventId: string;
  readonly event: Event;
  /** When it happened, ISO instant. */
  readonly at: string;
  /** Absent: the event began the stream. */
  readonly before?: State;
  readonly after: State;
}

export interface ChangesPage<State, Event extends DomainEvent> {
  readonly changes: readonly StateChange<State, Event>[];
  /** Everything up to this position was looked at. */
  readonly next: number;
}

/** Positions that are looked at for a page, and changes that it has at most. */
const maxPositions = 1000;
const maxChanges = 200;
/** A page ends early once so many events were folded for it: a standing order has thousands after some years. */
const defaultMaxFolded = 20_000;

interface ChangesAsked {
  /** The position behind which is read; 0: from the first. */
  readonly after: number;
  /** The view's column that is true for the streams that are asked for. */
  readonly column: string;
  /** Default {@link defaultMaxFolded}. */
  readonly maxFolded?: number;
}

/**
 * Reads what the events behind a position made of their streams, in the order of the log, with the states before and after
 * each. Only of streams whose row in the view has `column` true: of most streams nobody wants to know. Positions are
 * given in order by one relay, so nothing comes later at a position that was read.
 */
export const readStateChanges = async <Event extends DomainEvent, State>(
  pool: Pool,
  folding: Pick<EventStoreOptions<Event, State>, 'evolve' | 'view' | 'eventTypes'>,
  { after, column, maxFolded = defaultMaxFolded }: ChangesAsked,
): Promise<ChangesPage<State, Event>> => {
  const { rows } = await pool.query<{ pos: number | null }>({
    name: 'changes-end',
    text: `SELECT max(pos) AS pos FROM (SELECT pos FROM log WHERE pos > $1 ORDER BY pos LIMIT ${maxPositions}) AS page`,
    values: [after],
  });
  const end = rows[0]?.pos ?? undefined;
  if (end === undefined) return { changes: [], next: after };
  const { rows: wanted } = await pool.query<{ pos: number; stream_id: string; version: number }>({
    name: `changes-of-${folding.view.table}`,
    // OFFSET 0 keeps this a look-up for each position.
    text: `SELECT l.pos, l.stream_id, l.version FROM log l CROSS JOIN LATERAL (
        SELECT FROM ${quotedName(folding.view.table)} v WHERE v.stream_id = l.stream_id AND v.${quotedName(column)} OFFSET 0
      ) AS wanted WHERE l.pos > $1 AND l.pos <= $2 ORDER BY l.pos LIMIT ${maxChanges}`,
    values: [after, end],
  });
  const positions = new Map(wanted.map(({ stream_id, version, pos }) => [`${stream_id} ${version}`, pos]));
  const streams = [...new Set(wanted.map(({ stream_id }) => stream_id))];
  const changes: StateChange<State, Event>[] = [];
  let next = (wanted.length === maxChanges ? wanted.at(-1)?.pos : undefined) ?? end;
  let folded = 0;
  for (let first = 0; first < streams.length; first += maxStreams) {
    if (folded >= maxFolded) {
      // Streams are in the order of their first position here, so everything before that of the next one is folded.
      next = (wanted.find(({ stream_id }) => stream_id === streams[first])?.pos ?? 1) - 1;
      break;
    }
    for (const history of await readHistories(pool, streams.slice(first, first + maxStreams))) {
      folded += history.length;
      changes.push(...changesIn(history, folding, positions));
    }
  }
  const inPage = changes.filter(({ pos }) => pos <= next);
  return { changes: inPage.sort((one, other) => one.pos - other.pos), next };
};

/** Folds a stream from its first event; the changes whose positions are asked for. */
const changesIn = <Event extends DomainEvent, State>(
  history: readonly HistoryRow[],
  { evolve, eventTypes }: Pick<EventStoreOptions<Event, State>, 'evolve' | 'eventTypes'>,
  positions: ReadonlyMap<string, number>,
): StateChange<State, Event>[] => {
  const changes: StateChange<State, Event>[] = [];
  let state: State | undefined;
  for (const row of history) {
    const before = state;
    const at = row.occurred_at.toISOString();
    const event = eventIn<Event>(row, eventTypes);
    state = evolve(before, event, at);
    const { stream_id: streamId, event_id: eventId } = row;
    const pos = positions.get(`${streamId} ${row.version}`);
    if (pos !== undefined)
      changes.push({
        pos,
        streamId,
        eventId,
        event,
        at,
        after: state,
        ...(before === undefined ? {} : { before }),
      });
  }
  return changes;
};
