import { jetstream, JetStreamApiCodes, JetStreamApiError } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { type EventResource, eventStreams } from '@xs2a/contracts/event-streams';
import type { PublishedEvent } from '@xs2a/events/published-event';
import { logGaps } from '@xs2a/event-store/recovery/log-gaps';
import { publishedEvents } from '@xs2a/event-store/verification/published-copy';
import { publishedForm } from '@xs2a/event-store/publishing/published-form';
import { eventColumns, type PositionedEvent } from '@xs2a/event-store/publishing/relay-log';
import { resources } from '@xs2a/resources/resources';
import { RelayStream } from '@xs2a/event-store/publishing/jetstream-copy';
import type { StreamEvent } from '@xs2a/event-store/publishing/stream-position';
import type { Pool } from 'pg';
import type { Connections } from '../connections.js';
import { formatDetails } from '@xs2a/resources/event-details';
import { defineCommand } from '../command-line/define-command.js';
import { masked } from '@xs2a/resources/masking';
import { flagOff, option, wholeNumber } from '../command-line/options.js';
import type { Output } from '../command-line/output.js';
import { Refusal } from '../command-line/refusal.js';
import { xs2a } from '../command-line/own-name.js';
import { chosenResources } from './resource-option.js';

interface TailOptions {
  /** The event type, e.g. `signed`; if absent, all types. */
  readonly type?: string;
  /** The first position; if absent, the output starts `last` positions before the end. */
  readonly from?: number;
  readonly last: number;
  /** True to continue with newly published events until `signal` is aborted. */
  readonly follow: boolean;
  readonly signal: AbortSignal;
}

/**
 * The command that shows published events: first the earlier ones, read from PostgreSQL, then new ones as they are
 * published.
 */
export const tail = defineCommand({
  name: 'tail',
  help: 'published events, then new ones as they arrive; Ctrl-C stops it',
  options: {
    resource: chosenResources('only events of this resource (default: both)'),
    type: option('<type>', 'only events of this type, e.g. signed'),
    from: option('<position>', 'start at this position (with --resource)', wholeNumber),
    last: option('<count>', 'start this many positions before the end', wholeNumber).or(10),
    follow: flagOff('stop after the last event'),
  },
  run: async ({ connections, output, options, interrupted }) => {
    const { resource: chosen, type } = options;
    if (options.from !== undefined && chosen.length > 1)
      throw new Refusal('Each resource has its own positions: --from needs --resource.', 2);
    const having = chosen.filter((name) => type === undefined || type in resources[name].types);
    if (having.length === 0) {
      const known = chosen.flatMap((name) => Object.keys(resources[name].types));
      throw new Refusal(`There is no event type ${type}. Known types: ${known.join(', ')}.`, 2);
    }
    const signal = interrupted();
    await Promise.all(
      having.map(async (resource) => tailOne(connections, output, resource, { ...options, signal })),
    );
  },
});

const tailOne = async (
  connections: Connections,
  output: Output,
  resource: EventResource,
  { type, from, last: count, follow, signal }: TailOptions,
): Promise<void> => {
  const nats = await connections.nats();
  const last = await lastEvent(nats, resource);
  const end = last?.pos ?? 0;
  const types = type === undefined ? Object.keys(resources[resource].types) : [type];
  const show = (event: PublishedEvent, lost = false): void =>
    output.show(
      { ...event, data: masked(event.data), ...(lost ? { lost } : {}) },
      `${formatLine(event)}${lost ? '  (lost by the database)' : ''}`,
    );
  let next = from ?? Math.max(1, end - count + 1);
  for (const { after, upTo } of [...(await logGaps(connections.pool(resource))), { after: end, upTo: end }]) {
    for await (const event of storedEvents(connections.pool(resource), resource, {
      from: next,
      to: after,
      types,
    })) {
      if (signal.aborted) return;
      show(event);
    }
    next = Math.max(next, after + 1);
    if (next > upTo) continue;
    for await (const { event } of publishedEvents(nats, resource, { from: next, to: upTo })) {
      if (signal.aborted) return;
      if (types.includes(event.type.replace(`xs2a.${resource}.`, ''))) show(event, true);
    }
    next = upTo + 1;
  }
  if (!follow) return;
  const consumer = await jetstream(nats).consumers.get(eventStreams[resource], {
    filter_subjects: `xs2a.${resource}.${type ?? '*'}.>`,
    opt_start_seq: (last?.sequence ?? 0) + 1,
  });
  const messages = await consumer.consume({ max_messages: 200 });
  signal.addEventListener('abort', () => messages.stop());
  if (signal.aborted) messages.stop();
  for await (const message of messages) show(message.json<PublishedEvent>());
};

/** The number of positions per page. */
const pageSize = 5000;

/** Reads the events in a range of positions from PostgreSQL, which keeps all events. */
async function* storedEvents(
  pool: Pool,
  resource: EventResource,
  { from, to, types }: { readonly from: number; readonly to: number; readonly types: readonly string[] },
): AsyncGenerator<PublishedEvent> {
  for (let after = from - 1; after < to; after += pageSize) {
    const { rows } = await pool.query<PositionedEvent>({
      name: 'tail-events',
      text: `SELECT l.pos, ${eventColumns} FROM log l JOIN events e USING (stream_id, version)
        WHERE l.pos > $1 AND l.pos <= $2 AND e.type = ANY($3) ORDER BY l.pos`,
      values: [after, Math.min(to, after + pageSize), types],
    });
    for (const row of rows) yield publishedForm(resource, row);
  }
}

/** Returns the last published event. */
const lastEvent = async (nats: NatsConnection, resource: EventResource): Promise<StreamEvent | undefined> => {
  try {
    return await (await RelayStream.open(nats, resource)).lastEvent();
  } catch (error) {
    if (!(error instanceof JetStreamApiError) || error.code !== JetStreamApiCodes.StreamNotFound) throw error;
    throw new Refusal(`There is no stream ${eventStreams[resource]} (yet). Run: ${xs2a('doctor')}`);
  }
};

const formatLine = (event: PublishedEvent): string =>
  [
    String(event.pos).padStart(8),
    event.time,
    event.type.replace(/^xs2a\./, '').padEnd(27),
    event.subject,
    `v${event.sequence}`.padEnd(4),
    `by ${event.actor}`,
    formatDetails(event.data),
  ]
    .join('  ')
    .trimEnd();
