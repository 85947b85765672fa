import type { SpanDescription } from '@xs2a/observability/tracing/spans';

/** SQL for the trace context of the event at a row's version: the last one of its stream, in a row of the status view. */
export const traceparentOf = (row: string): string =>
  `(SELECT e.meta->>'traceparent' FROM events e WHERE e.stream_id = ${row}.stream_id AND e.version = ${row}.version)`;

/**
 * The same, but NULL if the event is older than ten minutes at the time `now`: what happens later begins a trace of its
 * own, because otherwise the trace of a standing order would never end.
 */
export const recentTraceparentOf = (row: string, now: string): string =>
  `(SELECT e.meta->>'traceparent' FROM events e WHERE e.stream_id = ${row}.stream_id AND e.version = ${row}.version
    AND e.occurred_at > ${now}::timestamptz - interval '10 minutes')`;

interface Appending {
  readonly streamId: string;
  readonly events: readonly { readonly type: string }[];
  readonly from?: { readonly traceparent?: string | undefined } | undefined;
}

/** The span of an append to one stream or several. It links to the traces of the events before. */
export const appendSpan = (changes: readonly Appending[]): SpanDescription => ({
  name: 'append events',
  kind: 'CLIENT',
  attributes: {
    'db.system.name': 'postgresql',
    'db.collection.name': 'events',
    'db.operation.name': 'append',
    'xs2a.event_types': [...new Set(changes.flatMap(({ events }) => events.map(({ type }) => type)))],
    ...(changes.length === 1
      ? { 'xs2a.stream_id': changes[0]?.streamId }
      : { 'db.operation.batch.size': changes.length }),
  },
  links: changes.map(({ from }) => from?.traceparent),
});
