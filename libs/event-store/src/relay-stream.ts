import {
  type JetStreamClient,
  type JetStreamManager,
  jetstream,
  jetstreamManager,
  JetStreamApiCodes,
  JetStreamApiError,
  type StreamInfo,
} from '@nats-io/jetstream';
import { replicasOf } from '@xs2a/messaging/replicas';
import { headers, type NatsConnection } from '@nats-io/transport-node';
import {
  type EventResource,
  eventStreams,
  type PublishedEvent,
  subjectOfEvent,
} from '@xs2a/contracts/published-event';
import type { PositionedEvent } from './relay-log.js';

/** The stream holds what this log does not: a database restored from a backup, or the stream of another database. */
export class ForeignStream extends Error {
  override readonly name = 'ForeignStream';
}

/** The JetStream copy of a log: stream sequence = position. */
export class RelayStream {
  private readonly name: string;

  private constructor(
    private readonly nats: NatsConnection,
    private readonly manager: JetStreamManager,
    private readonly client: JetStreamClient,
    private readonly resource: EventResource,
    private readonly replicas: number,
  ) {
    this.name = eventStreams[resource];
  }

  static async open(nats: NatsConnection, resource: EventResource): Promise<RelayStream> {
    return new RelayStream(
      nats,
      // Asking for the account first would need the cluster's metadata leader, which this does not.
      await jetstreamManager(nats, { checkAPI: false }),
      jetstream(nats, { timeout: 2000 }),
      resource,
      replicasOf(nats),
    );
  }

  /** The last position published; the stream is created when it is missing. */
  async lastPosition(): Promise<number> {
    return (await this.info()).state.last_seq;
  }

  /** The id of the event at a position; undefined when the stream has none there. */
  async eventIdAt(pos: number): Promise<string | undefined> {
    const message = await this.manager.streams.getMessage(this.name, { seq: pos });
    return message?.json<PublishedEvent>().id;
  }

  /**
   * Publishes in order; throws when one is refused, and then none behind it was stored. Only the last is acknowledged:
   * as each is taken right behind the one before it and nowhere else, the last one speaks for all.
   */
  async publish(events: readonly PositionedEvent[]): Promise<void> {
    const last = events.at(-1);
    if (last === undefined) return;
    for (const event of events.slice(0, -1)) {
      const expectation = headers();
      expectation.set('Nats-Expected-Last-Sequence', String(event.pos - 1));
      this.nats.publish(this.subjectOf(event), publishedJson(this.resource, event), { headers: expectation });
    }
    await this.client.publish(this.subjectOf(last), publishedJson(this.resource, last), {
      expect: { lastSequence: last.pos - 1, streamName: this.name },
    });
  }

  private subjectOf({ type, stream_id: streamId }: PositionedEvent): string {
    return subjectOfEvent(this.resource, type, streamId);
  }

  private async info(): Promise<StreamInfo> {
    try {
      return await this.manager.streams.info(this.name);
    } catch (error) {
      const missing = error instanceof JetStreamApiError && error.code === JetStreamApiCodes.StreamNotFound;
      if (!missing) throw error;
    }
    return this.manager.streams.add({
      name: this.name,
      subjects: [`xs2a.${this.resource}.>`],
      storage: 'file',
      retention: 'limits',
      num_replicas: this.replicas,
      deny_delete: true,
      deny_purge: true,
    });
  }
}

/** The body of a published event; the data is not parsed on its way. Bytes: the client's own encoder takes half as long again. */
const publishedJson = (resource: EventResource, event: PositionedEvent): Buffer => {
  const attributes: Omit<PublishedEvent, 'data'> = {
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
    ...(event.meta.traceparent === undefined ? {} : { traceparent: event.meta.traceparent }),
  };
  return Buffer.from(`${JSON.stringify(attributes).slice(0, -1)},"data":${event.data}}`);
};
