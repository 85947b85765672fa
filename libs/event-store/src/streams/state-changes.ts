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
  /** The ISO instant at which the event happened. */
  readonly at: string;
  /** The trace context of the event. */
  readonly traceparent?: string | undefined;
  /** Absent if the stream began with this event. */
  readonly before?: State;
  readonly after: State;
}

/** A stream that cannot be read from this position on, because it cannot be folded or the change cannot be rendered. */
export interface UnreadStream {
  readonly streamId: string;
  readonly pos: number;
}

export interface ChangesPage<Rendered> {
  /** The rendered changes, in log order. */
  readonly changes: readonly Rendered[];
  /** The streams whose changes are omitted from a certain position on. */
  readonly unread: readonly UnreadStream[];
  /** The position up to which everything has been read. */
  readonly next: number;
}

/** The number of positions read per page, which is also the maximum number of changes in it. */
const maxPositions = 1000;
const maxChanges = 200;
/** A page ends early once this many events were folded: a standing order has thousands after some years. */
const defaultMaxFolded = 20_000;

export interface ChangesAsked {
  /** The position after which to read; 0 means from the first one. */
  readonly after: number;
  /** The view's column that is true for the selected streams. */
  readonly column: string;
  /** Limits the result to the changes of this stream, up to a position. */
  readonly only?: { readonly streamId: string; readonly upTo: number } | undefined;
  /** Default {@link defaultMaxFolded}. */
  readonly maxFolded?: number;
}

type Folding<Event extends DomainEvent, State> = Pick<
  EventStoreOptions<Event, State>,
  'evolve' | 'view' | 'eventTypes' | 'personalData'
>;

/** A rendered change must contain its position in the log. */
interface AtPosition {
  readonly pos: number;
}

interface Rendering<Event extends DomainEvent, State, Rendered> {
  readonly render: (change: StateChange<State, Event>) => readonly Rendered[];
}

/**
 * Reads the changes that events after a position made to their streams, in log order, with the states before and
 * after each change. Covers only streams with the value true in `column` of their view row, because most streams
 * are not needed. A single relay assigns positions in order, so no event can appear later at a position that was
 * already read. `render` converts a change to its result. `onUnreadable` receives the reason why a stream cannot
 * be folded or a change cannot be rendered; only that stream is omitted.
 */
export const readStateChanges = async <Event extends DomainEvent, State, Rendered extends AtPosition>(
  pool: Pool,
  folding: Folding<Event, State> & Rendering<Event, State, Rendered>,
  { after, column, only, maxFolded = defaultMaxFolded }: ChangesAsked,
  onUnreadable: (streamId: string, error: unknown) => void,
): Promise<ChangesPage<Rendered>> => {
  const end = only?.upTo ?? (await endOfPage(pool, after));
  if (end === undefined) return { changes: [], unread: [], next: after };
  const wanted = await wantedPositions(pool, folding.view.table, {
    after,
    end,
    column,
    streamId: only?.streamId,
  });
  const positions = new Map(wanted.map(({ stream_id, version, pos }) => [`${stream_id} ${version}`, pos]));
  const streams = [...new Set(wanted.map(({ stream_id }) => stream_id))];
  const changes: Rendered[] = [];
  const unread: UnreadStream[] = [];
  let next = (wanted.length === maxChanges ? wanted.at(-1)?.pos : undefined) ?? end;
  let folded = 0;
  for (let first = 0; first < streams.length; first += maxStreams) {
    if (folded >= maxFolded) {
      // Streams are ordered by their first position here, so everything before the next stream's first
      // position has been folded.
      next = (wanted.find(({ stream_id }) => stream_id === streams[first])?.pos ?? 1) - 1;
      break;
    }
    for (const history of await readHistories(
      pool,
      streams.slice(first, first + maxStreams),
      folding.personalData,
    )) {
      folded += history.length;
      const read = changesIn(history, folding, positions);
      changes.push(...read.changes);
      if (read.unread === undefined) continue;
      onUnreadable(read.unread.streamId, read.unread.error);
      unread.push(read.unread);
    }
  }
  const inPage = changes.filter(({ pos }) => pos <= next);
  return {
    changes: inPage.sort((one, other) => one.pos - other.pos),
    unread: unread.filter(({ pos }) => pos <= next).map(({ streamId, pos }) => ({ streamId, pos })),
    next,
  };
};

/** Returns undefined if there is nothing after the position. */
const endOfPage = async (pool: Pool, after: number): Promise<number | undefined> => {
  const { rows } = await pool.query<{ pos: number | null }>({
    name: 'changes-end',
    text: `SELECT max(pos) AS pos FROM (SELECT pos FROM log WHERE pos > $1 ORDER BY pos LIMIT ${maxPositions}) AS page`,
    values: [after],
  });
  return rows[0]?.pos ?? undefined;
};

interface WantedPosition {
  readonly pos: number;
  readonly stream_id: string;
  readonly version: number;
}

const wantedPositions = async (
  pool: Pool,
  view: string,
  {
    after,
    end,
    column,
    streamId,
  }: {
    readonly after: number;
    readonly end: number;
    readonly column: string;
    readonly streamId: string | undefined;
  },
): Promise<readonly WantedPosition[]> => {
  const { rows } = await pool.query<WantedPosition>({
    name: `changes-of-${streamId === undefined ? '' : 'one-'}${view}`,
    // OFFSET 0 forces one look-up per position.
    text: `SELECT l.pos, l.stream_id, l.version FROM log l CROSS JOIN LATERAL (
        SELECT FROM ${quotedName(view)} v WHERE v.stream_id = l.stream_id AND v.${quotedName(column)} OFFSET 0
      ) AS wanted WHERE l.pos > $1 AND l.pos <= $2 ${streamId === undefined ? '' : 'AND l.stream_id = $3'}
      ORDER BY l.pos LIMIT ${maxChanges}`,
    values: streamId === undefined ? [after, end] : [after, end, streamId],
  });
  return rows;
};

interface Read<Rendered> {
  readonly changes: readonly Rendered[];
  readonly unread?: UnreadStream & { readonly error: unknown };
}

/** Folds a stream from its first event as far as possible and returns the changes at the requested positions. */
const changesIn = <Event extends DomainEvent, State, Rendered>(
  history: readonly HistoryRow[],
  {
    evolve,
    eventTypes,
    render,
  }: Pick<Folding<Event, State>, 'evolve' | 'eventTypes'> & Rendering<Event, State, Rendered>,
  positions: ReadonlyMap<string, number>,
): Read<Rendered> => {
  const changes: Rendered[] = [];
  const posOf = ({ stream_id, version }: HistoryRow): number | undefined =>
    positions.get(`${stream_id} ${version}`);
  let state: State | undefined;
  for (const [index, row] of history.entries()) {
    const before = state;
    const at = row.occurred_at.toISOString();
    const { stream_id: streamId, event_id: eventId } = row;
    const traceparent = row.traceparent ?? undefined;
    try {
      const event = eventIn<Event>(row, eventTypes);
      state = evolve(before, event, at);
      const pos = posOf(row);
      if (pos === undefined) continue;
      const change = { pos, streamId, eventId, event, at, traceparent, after: state };
      changes.push(...render(before === undefined ? change : { ...change, before }));
    } catch (error) {
      // The position of the change if it was requested, otherwise the next requested position.
      const pos = history
        .slice(index)
        .map(posOf)
        .find((one) => one !== undefined);
      return pos === undefined ? { changes } : { changes, unread: { streamId, pos, error } };
    }
  }
  return { changes };
};
