import {
  jetstream,
  jetstreamManager,
  JetStreamApiCodes,
  JetStreamApiError,
  type StreamState,
} from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { type EventResource, eventStreams, type PublishedEvent } from '@xs2a/contracts/published-event';
import { loggedEvents } from '@xs2a/event-store/logged-events';
import { resources } from '@xs2a/event-store/resources';
import type { Pool } from 'pg';
import type { Connections } from './connections.js';
import { detailsOf } from './event-details.js';
import { masked } from './masking.js';
import type { Output } from './output.js';
import { Refusal } from './refusal.js';

export interface TailOptions {
  readonly resources: readonly EventResource[];
  /** Of an event, e.g. `signed`; absent: all. */
  readonly type?: string;
  /** The first position; absent: `last` positions before the end. */
  readonly from?: number;
  readonly last: number;
  /** Goes on with what is published later, until `signal` comes. */
  readonly follow: boolean;
  readonly signal: AbortSignal;
}

export const resourceNames = Object.keys(eventStreams) as EventResource[];

/** Shows published events as they come. Throws {@link Refusal} for a type that no chosen resource has. */
export const tailEvents = async (
  connections: Connections,
  output: Output,
  options: TailOptions,
): Promise<void> => {
  const { type } = options;
  const having = options.resources.filter((name) => type === undefined || type in resources[name].types);
  if (having.length === 0) {
    const known = options.resources.flatMap((name) => Object.keys(resources[name].types));
    throw new Refusal(`There is no event type ${type}. There are: ${known.join(', ')}.`, 2);
  }
  await Promise.all(having.map(async (resource) => tailOne(connections, output, resource, options)));
};

const tailOne = async (
  connections: Connections,
  output: Output,
  resource: EventResource,
  { type, from, last, follow, signal }: TailOptions,
): Promise<void> => {
  const nats = await connections.nats();
  const stream = eventStreams[resource];
  const { first_seq: first, last_seq: end } = await stateOf(nats, stream);
  const start = from ?? Math.max(1, end - last + 1);
  const show = (event: PublishedEvent): void =>
    output.show({ ...event, data: masked(event.data) }, lineOf(event));
  const types = type === undefined ? Object.keys(resources[resource].types) : [type];
  for await (const event of forgotten(connections.pool(resource), resource, { start, first, types })) {
    if (signal.aborted) return;
    show(event);
  }
  const consumer = await jetstream(nats).consumers.get(stream, {
    filter_subjects: `xs2a.${resource}.${type ?? '*'}.>`,
    opt_start_seq: Math.max(start, first),
  });
  if (!follow && (await consumer.info()).num_pending === 0) return;
  const messages = await consumer.consume({ max_messages: 200 });
  signal.addEventListener('abort', () => messages.stop());
  if (signal.aborted) messages.stop();
  for await (const message of messages) {
    show(message.json<PublishedEvent>());
    if (!follow && message.info.pending === 0) messages.stop();
  }
};

/** Events that the stream does not hold any more, from the log. */
async function* forgotten(
  pool: Pool,
  resource: EventResource,
  {
    start,
    first,
    types,
  }: { readonly start: number; readonly first: number; readonly types: readonly string[] },
): AsyncGenerator<PublishedEvent> {
  let after = start - 1;
  while (after < first - 1) {
    const stretch = await loggedEvents(pool, resource, { after, upTo: first - 1, types });
    yield* stretch.events;
    // A stream of another history may go beyond the log.
    if (stretch.upTo <= after) return;
    after = stretch.upTo;
  }
}

const stateOf = async (nats: NatsConnection, stream: string): Promise<StreamState> => {
  try {
    return (await (await jetstreamManager(nats)).streams.info(stream)).state;
  } catch (error) {
    if (!(error instanceof JetStreamApiError) || error.code !== JetStreamApiCodes.StreamNotFound) throw error;
    throw new Refusal(`There is no stream ${stream} (yet). Run: npm run xs2a -- doctor`);
  }
};

const lineOf = (event: PublishedEvent): string =>
  [
    String(event.pos).padStart(8),
    event.time,
    event.type.replace(/^xs2a\./, '').padEnd(27),
    event.subject,
    `v${event.sequence}`.padEnd(4),
    `by ${event.actor}`,
    detailsOf(event.data),
  ]
    .join('  ')
    .trimEnd();
