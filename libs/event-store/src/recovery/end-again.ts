import { upcastData } from '@xs2a/events/event-types';
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
    const read = (eventId: string, event: { type: string; schemaVersion: number; data: unknown }): Event => {
      const data = decryptStored(event.data, { streamId, place: placeOfEvent(eventId), key: from.key });
      return { type: event.type, data: upcastData(eventTypes, { ...event, data }) } as Event;
    };
    const lost = published.map((event) =>
      read(event.event_id, { ...event, schemaVersion: event.schema_version }),
    );
    const history = (await store.history(streamId)).map((event) => read(event.eventId, event));
    if (endsWith(history, lost)) return true;
    if (history.length > from.version) continue;
    const after = [...history.map(({ type }) => type), ...types];
    if (history.length < from.version || !mayTake(after, first.version === from.version + 1)) return false;
    if ((await store.append({ streamId, from, events: lost, actor })) === 'appended') return true;
  }
  return false;
};

/** True if a stream ends with events that are equivalent to the lost ones. */
const endsWith = (history: readonly DomainEvent[], lost: readonly DomainEvent[]): boolean => {
  const last = history.slice(-lost.length);
  return lost.every(
    ({ type, data }, index) =>
      last[index]?.type === type && canonicalJson(last[index].data) === canonicalJson(data),
  );
};
