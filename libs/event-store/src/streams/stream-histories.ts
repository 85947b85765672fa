import { type EventTypes, upcastData } from '@xs2a/domain/event-types';
import { binaryArray } from '@xs2a/postgres/binary-array';
import type { Pool } from 'pg';
import type { DomainEvent, EventStoreOptions } from './prepare-append.js';
import { readState, type StateRow } from './view-state.js';

/** An event of a stream as folding needs it. */
export interface HistoryRow {
  readonly stream_id: string;
  readonly version: number;
  readonly event_id: string;
  readonly type: string;
  readonly schema_version: number;
  readonly data: unknown;
  readonly occurred_at: Date;
}

/** Streams that are folded at a time: their events may be large. */
export const maxStreams = 10;

/** All events of the streams, in order of version; a stream without events is left out. */
export const readHistories = async (pool: Pool, streamIds: readonly string[]): Promise<HistoryRow[][]> => {
  const { rows } = await pool.query<HistoryRow>({
    name: 'changes-histories',
    text: `SELECT stream_id, version, event_id, type, schema_version, data, occurred_at FROM events
      WHERE stream_id = ANY($1::uuid[]) ORDER BY stream_id, version`,
    values: [binaryArray('uuid', streamIds)],
  });
  return [...Map.groupBy(rows, ({ stream_id }) => stream_id).values()];
};

/** The event in the shape of today. Throws NewerEvent. */
export const eventIn = <Event extends DomainEvent>(
  { type, schema_version: schemaVersion, data }: HistoryRow,
  eventTypes: EventTypes | undefined,
): Event =>
  ({
    type,
    data: eventTypes === undefined ? data : upcastData(eventTypes, { type, schemaVersion, data }),
  }) as Event;

/**
 * The states of rows of the status view, in their order. A state that another release stored, older or newer, is folded anew
 * from its events; so is one of before states were marked. Where events are no longer there (a month was detached) the stored
 * state is all that is left, and is taken. Undefined, and `onUnreadable` is told why: events that cannot be folded, as one that
 * only a newer release knows (NewerEvent).
 */
export const readStates = async <Event extends DomainEvent, State>(
  pool: Pool,
  folding: Pick<EventStoreOptions<Event, State>, 'evolve' | 'eventTypes' | 'stateVersion'>,
  rows: readonly StateRow[],
  onUnreadable: (streamId: string, error: unknown) => void,
): Promise<(State | undefined)[]> => {
  const states = rows.map((row) => readState<State>(row, folding.stateVersion));
  const foreign = rows.filter((_, index) => states[index]?.isOwn === false);
  const folded = new Map<string, State | undefined>();
  for (let first = 0; first < foreign.length; first += maxStreams) {
    const some = foreign.slice(first, first + maxStreams);
    const histories = await readHistories(
      pool,
      some.map(({ stream_id }) => stream_id),
    );
    for (const { stream_id: id, version } of some) {
      const history = histories.find(([event]) => event?.stream_id === id) ?? [];
      const upTo = history.filter((event) => event.version <= version);
      if (upTo.length !== version) continue;
      try {
        folded.set(id, fold(upTo, folding));
      } catch (error) {
        onUnreadable(id, error);
        folded.set(id, undefined);
      }
    }
  }
  return rows.map(({ stream_id }, index) =>
    folded.has(stream_id) ? folded.get(stream_id) : states[index]?.state,
  );
};

const fold = <Event extends DomainEvent, State>(
  history: readonly HistoryRow[],
  { evolve, eventTypes }: Pick<EventStoreOptions<Event, State>, 'evolve' | 'eventTypes'>,
): State | undefined =>
  history.reduce<State | undefined>(
    (state, row) => evolve(state, eventIn<Event>(row, eventTypes), row.occurred_at.toISOString()),
    undefined,
  );
