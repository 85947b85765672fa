import { type EventTypes, upcastData } from '@xs2a/events/event-types';
import { decryptStored, placeOfEvent } from '../encryption/stream-keys.js';
import type { EventStore } from '../streams/event-store.js';
import { canonicalJson } from '../streams/hash-chain.js';
import { maxTries } from '../streams/many-streams.js';
import type { DomainEvent } from '../streams/prepare-append.js';
import type { LostEvent } from './lost-events.js';

/**
 * Repeats an append that the database lost (ADR 35). `mayTake` decides whether to do so, given the types of all
 * events that the stream would then have, and whether the stream ends with exactly the version that the lost
 * events followed. Returns true if the stream now ends with these events, even if another process, such as a
 * sweep, appended the same events in the meantime. Returns false if the stream is unknown to this store, `mayTake`
 * refuses, or there were twenty conflicts.
 */
export const endAgain = async <Event extends DomainEvent, State>(
  store: Pick<EventStore<Event, State, never>, 'load' | 'history' | 'append' | 'folding'>,
  published: readonly LostEvent[],
  mayTake: (types: readonly string[], isDirectlyBehind: boolean) => boolean,
): Promise<boolean> => {
  const { eventTypes } = store.folding;
  const [first] = published;
  if (first === undefined) return false;
  const { stream_id: streamId, actor } = first;
  const types = published.map(({ type }) => type);
  for (let tries = 1; tries <= maxTries; tries += 1) {
    const from = await store.load(streamId);
    if (from === undefined) return false;
    // Both sides are compared in the newest version of their event types, because the same events may have
    // been appended again in a newer version.
    const read = reader<Event>(eventTypes, streamId, from.key);
    const lost = published.map(read);
    const history = (await store.history(streamId)).map((event) =>
      read({ ...event, event_id: event.eventId, schema_version: event.schemaVersion }),
    );
    if (endsWith(history, lost)) return true;
    if (history.length > from.version) continue;
    const after = [...history.map(({ type }) => type), ...types];
    if (history.length < from.version || !mayTake(after, first.version === from.version + 1)) return false;
    if ((await store.append({ streamId, from, events: lost, actor })) === 'appended') return true;
  }
  return false;
};

/**
 * Appends what `decide` makes of the lost events of a stream and of its state, and repeats this after a conflict. Returns
 * true if the stream now has these events, of which there may be none. Returns false if the stream is unknown,
 * `decide` returns undefined, or there were twenty conflicts.
 */
export const endByDecision = async <Event extends DomainEvent, State>(
  store: Pick<EventStore<Event, State, never>, 'load' | 'append' | 'folding'>,
  published: readonly LostEvent[],
  decide: (state: State, lost: readonly Event[]) => readonly Event[] | undefined,
): Promise<boolean> => {
  const [first] = published;
  if (first === undefined) return false;
  const { stream_id: streamId, actor } = first;
  for (let tries = 1; tries <= maxTries; tries += 1) {
    const from = await store.load(streamId);
    if (from === undefined) return false;
    const lost = published.map(reader<Event>(store.folding.eventTypes, streamId, from.key));
    const events = decide(from.state, lost);
    if (events === undefined) return false;
    if (events.length === 0) return true;
    if ((await store.append({ streamId, from, events, actor })) === 'appended') return true;
  }
  return false;
};

type Stored = Pick<LostEvent, 'event_id' | 'type' | 'schema_version' | 'data'>;

const reader =
  <Event extends DomainEvent>(
    eventTypes: EventTypes,
    streamId: string,
    key: Parameters<typeof decryptStored>[1]['key'],
  ) =>
  ({ event_id: eventId, type, schema_version: schemaVersion, data: stored }: Stored): Event => {
    const data = decryptStored(stored, { streamId, place: placeOfEvent(eventId), key });
    return { type, data: upcastData(eventTypes, { type, schemaVersion, data }) } as Event;
  };

/** True if a stream ends with events that are equivalent to the lost ones. */
const endsWith = (history: readonly DomainEvent[], lost: readonly DomainEvent[]): boolean => {
  const last = history.slice(-lost.length);
  return lost.every(
    ({ type, data }, index) =>
      last[index]?.type === type && canonicalJson(last[index].data) === canonicalJson(data),
  );
};
