import { type EventTypes, upcastData } from '@xs2a/events/event-types';
import { binaryArray } from '@xs2a/postgres/binary-array';
import type { Pool } from 'pg';
import type { DomainEvent, EventStoreOptions } from './prepare-append.js';
import { readState, type StateRow } from './view-state.js';
import {
  decryptStored,
  type PersonalData,
  placeOfEvent,
  type StreamKey,
  streamKeyOf,
  unwrapped,
} from '../encryption/stream-keys.js';

/** An event of a stream, with the data needed for folding. */
export interface HistoryRow {
  readonly stream_id: string;
  readonly version: number;
  readonly event_id: string;
  readonly type: string;
  readonly schema_version: number;
  readonly occurred_at: Date;
  readonly traceparent: string | null;
  /** Returns the decrypted data. Throws StreamErased or MasterKeyMissing, and if the data were changed. */
  readonly readData: () => unknown;
}

interface StoredRow extends Omit<HistoryRow, 'readData'> {
  readonly data: unknown;
  /** The wrapped key of the stream, on the stream's first event. Null if the stream has none. */
  readonly stream_key: Buffer | null;
}

/** The number of streams folded at a time. It is low because their events may be large. */
export const maxStreams = 10;

/** Returns all events of the streams, ordered by version. Streams without events are omitted. */
export const readHistories = async (
  pool: Pool,
  streamIds: readonly string[],
  personalData: Pick<PersonalData, 'masterKeys'> | undefined,
): Promise<HistoryRow[][]> => {
  const { rows } = await pool.query<StoredRow>({
    name: 'changes-histories',
    text: `SELECT stream_id, version, event_id, type, schema_version, data, occurred_at, meta->>'traceparent' AS traceparent,
        CASE WHEN version = 1 THEN ${streamKeyOf('e')} END AS stream_key
      FROM events e WHERE stream_id = ANY($1::uuid[]) ORDER BY stream_id, version`,
    values: [binaryArray('uuid', streamIds)],
  });
  return [...Map.groupBy(rows, ({ stream_id }) => stream_id).values()].map((history) =>
    readable(history, personalData),
  );
};

/** Decrypts an event only when its data are read, so that only streams that cannot be decrypted fail. */
const readable = (
  history: readonly StoredRow[],
  personalData: Pick<PersonalData, 'masterKeys'> | undefined,
): HistoryRow[] => {
  let key: { readonly found: StreamKey | undefined } | undefined;
  return history.map((row) => ({
    ...row,
    readData: () => {
      key ??= { found: unwrapped(history[0]?.stream_key, personalData) };
      const place = placeOfEvent(row.event_id);
      return decryptStored(row.data, { streamId: row.stream_id, place, key: key.found });
    },
  }));
};

/** Returns the event in its current schema version. Throws NewerEvent and the errors of {@link HistoryRow.readData}. */
export const eventIn = <Event extends DomainEvent>(
  { type, schema_version: schemaVersion, readData }: HistoryRow,
  eventTypes: EventTypes,
): Event => ({ type, data: upcastData(eventTypes, { type, schemaVersion, data: readData() }) }) as Event;

/**
 * Returns the states for rows of the status view, in the same order. A state is folded again from its events if
 * another release, older or newer, stored it, or if it has no mark. If the events are no longer in the database
 * (their month was detached), the stored state is used because nothing else is available. If the events cannot be
 * folded, for example because only a newer release can read one of them (NewerEvent), or if the state cannot be
 * decrypted, returns undefined and calls `onUnreadable` with the reason.
 */
export const readStates = async <Event extends DomainEvent, State>(
  pool: Pool,
  folding: Pick<EventStoreOptions<Event, State>, 'evolve' | 'eventTypes' | 'stateVersion' | 'personalData'>,
  rows: readonly StateRow[],
  onUnreadable: (streamId: string, error: unknown) => void,
): Promise<(State | undefined)[]> => {
  const folded = new Map<string, State | undefined>();
  const states = rows.map((row) => {
    try {
      return readState<State>(row, {
        stateVersion: folding.stateVersion,
        key: unwrapped(row.stream_key, folding.personalData),
      });
    } catch (error) {
      onUnreadable(row.stream_id, error);
      folded.set(row.stream_id, undefined);
      return undefined;
    }
  });
  const foreign = rows.filter((_, index) => states[index]?.isOwn === false);
  for (let first = 0; first < foreign.length; first += maxStreams) {
    const some = foreign.slice(first, first + maxStreams);
    const histories = await readHistories(
      pool,
      some.map(({ stream_id }) => stream_id),
      folding.personalData,
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
