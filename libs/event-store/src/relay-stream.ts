import {
  type JetStreamClient,
  type JetStreamManager,
  jetstream,
  jetstreamManager,
  JetStreamApiCodes,
  JetStreamApiError,
} from '@nats-io/jetstream';
import { headers, type NatsConnection } from '@nats-io/transport-node';
import {
  type EventResource,
  eventStreams,
  type PublishedEvent,
  subjectOfEvent,
} from '@xs2a/contracts/published-event';
import { publishedJson } from './published-form.js';
import type { PositionedEvent } from './relay-log.js';

/** The stream holds what this log does not: a database restored from a backup, or the stream of another database. */
export class ForeignStream extends Error {
  override readonly name = 'ForeignStream';
}

export interface StreamStanding {
  /** The last position published. */
  readonly last: number;
  /** Positions up to here were published, and are not there any more. */
  readonly forgotten: number;
  readonly bytes: number;
}

/** With these codes JetStream says that its storage is full (max_file_store), or promised to others. */
const noRoomCodes = new Set([10_023, 10_047]);
export const saysNoRoom = (error: unknown): boolean =>
  error instanceof JetStreamApiError && noRoomCodes.has(error.code);

/** There is no such stream: the migration job has not run, or JetStream lost its files. */
export const saysNoStream = (error: unknown): boolean =>
  error instanceof JetStreamApiError && error.code === JetStreamApiCodes.StreamNotFound;

/** The JetStream copy of a log: stream sequence = position. */
export class RelayStream {
  private readonly name: string;

  private constructor(
    private readonly nats: NatsConnection,
    private readonly manager: JetStreamManager,
    private readonly client: JetStreamClient,
    private readonly resource: EventResource,
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
    );
  }

  /** The last position published. */
  async lastPosition(): Promise<number> {
    return (await this.standing()).last;
  }

  /** How much it holds. Throws what JetStream says; StreamNotFound until the migration job has made it. */
  async standing(): Promise<StreamStanding> {
    const { state } = await this.manager.streams.info(this.name);
    return { last: state.last_seq, forgotten: Math.max(0, state.first_seq - 1), bytes: state.bytes };
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
    try {
      await this.publishOne(last);
    } catch (error) {
      // The last one was refused as the first one was; why, only that one tells.
      const [first = last] = events;
      if (first !== last && error instanceof JetStreamApiError) await this.publishOne(first);
      throw error;
    }
  }

  private async publishOne(event: PositionedEvent): Promise<void> {
    await this.client.publish(this.subjectOf(event), publishedJson(this.resource, event), {
      expect: { lastSequence: event.pos - 1, streamName: this.name },
    });
  }

  private subjectOf({ type, stream_id: streamId }: PositionedEvent): string {
    return subjectOfEvent(this.resource, type, streamId);
  }
}
