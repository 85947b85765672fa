import type { PublishedEvent } from '@xs2a/events/published-event';
import type { PositionedEvent } from './relay-log.js';

const listAttributes = (resource: string, event: PositionedEvent): Omit<PublishedEvent, 'data'> => ({
  specversion: '1.0',
  id: event.event_id,
  source: `/xs2a/${resource}`,
  type: `xs2a.${resource}.${event.type}`,
  subject: event.stream_id,
  time: event.occurred_at.toISOString(),
  datacontenttype: 'application/json',
  sequence: event.version,
  pos: event.pos,
  schemaversion: event.schema_version,
  actor: event.meta.actor,
  traceparent: event.meta.traceparent,
});

/**
 * The body of a published event. The event's data are passed through without parsing. Returns bytes, because the
 * client's own encoder takes 1.5 times as long.
 */
export const publishedJson = (resource: string, event: PositionedEvent): Buffer =>
  Buffer.from(`${JSON.stringify(listAttributes(resource, event)).slice(0, -1)},"data":${event.data}}`);

/** The same event as an object, for a reader that queries the log directly. */
export const publishedForm = (resource: string, event: PositionedEvent): PublishedEvent => ({
  ...listAttributes(resource, event),
  data: JSON.parse(event.data),
});
