import type { PublishedEvent } from '@xs2a/events/published-event';
import { type EventTypes, upcastData } from '@xs2a/events/event-types';

/**
 * Returns the event with its data in the current shape. Throws NewerEvent for an event that only a newer release
 * can read. For an invalid event, throws the parse error or the error of the type's upcasts.
 */
export const presentEvent = (event: PublishedEvent, eventTypes: EventTypes | undefined): PublishedEvent => {
  if (eventTypes === undefined) return event;
  // Published as `xs2a.<resource>.<type>`.
  const type = event.type.slice(event.type.lastIndexOf('.') + 1);
  const { schemaversion: schemaVersion, data } = event;
  return { ...event, data: upcastData(eventTypes, { type, schemaVersion, data }) };
};
