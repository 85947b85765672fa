import {
  type JetStreamManager,
  jetstream,
  jetstreamManager,
  JetStreamApiCodes,
  JetStreamApiError,
  type MsgRequest,
  type StoredMsg,
  type StreamState,
} from '@nats-io/jetstream';
import { headers, type NatsConnection } from '@nats-io/transport-node';
import { type PublishedEvent, streamName, subjectOfEvent } from '@xs2a/events/published-event';
import { publishedJson } from './published-form.js';
import type { PositionedEvent } from './relay-log.js';
import { findPosition, type StreamEvent } from './stream-position.js';

/** JetStream error codes for storage that is full (max_file_store) or reserved by other streams. */
const noRoomCodes = new Set([10_023, 10_047]);
export const saysNoRoom = (error: unknown): boolean =>
  error instanceof JetStreamApiError && noRoomCodes.has(error.code);

/** True if the stream does not exist, because the migration job has not run or JetStream lost its files. */
export const saysNoStream = (error: unknown): boolean =>
  error instanceof JetStreamApiError && error.code === JetStreamApiCodes.StreamNotFound;

/** Thrown instead of publishing if nothing shows that the stream is a copy of this database. */
export class ForeignStream extends Error {
  override readonly name = 'ForeignStream';

  constructor(why: string) {
    super(
      `${why}; to publish all events of this database again, stop the services and run: xs2a events republish`,
    );
  }
}

/** Returns an empty object if the message is not JSON. The parser's error would contain text of the message, which must not be logged. */
const parseEvent = (message: StoredMsg): Partial<PublishedEvent> => {
  try {
    return message.json();
  } catch {
    return {};
  }
};

const readEvent = async (
  manager: JetStreamManager,
  stream: string,
  query: MsgRequest,
): Promise<StreamEvent | undefined> => {
  const message = await manager.streams.getMessage(stream, query);
  if (message === null) return undefined;
  const { id, pos } = parseEvent(message);
  if (id === undefined || pos === undefined || !Number.isSafeInteger(pos))
    throw new ForeignStream(`${stream} holds a message that is not an event, at sequence ${message.seq}`);
  return { sequence: message.seq, pos, id };
};

/**
 * Returns the last event of a JetStream stream; `lastSequence` is from the stream's state. Returns undefined if the stream is
 * empty, and throws {@link ForeignStream} if the last message is not an event.
 */
export const readLastEvent = async (
  manager: JetStreamManager,
  stream: string,
  lastSequence: number,
): Promise<StreamEvent | undefined> => {
  if (lastSequence === 0) return undefined;
  // If JetStream lost the stream's last messages, `last_seq` still counts them; the last stored message is then found by subject.
  return (
    (await readEvent(manager, stream, { seq: lastSequence })) ??
    readEvent(manager, stream, { last_by_subj: '>' })
  );
};

/** The number of messages requested at a time. */
const readAtOnce = 100;

/** The JetStream copy of a log. Events contain their position; the sequence is only used to find the last message. */
export class RelayStream {
  private constructor(
    readonly name: string,
    private readonly nats: NatsConnection,
    private readonly manager: JetStreamManager,
    private readonly resource: string,
    /** The sequence of the first message. The next field is that of the last one. */
    private readonly first: number,
    private last: number,
  ) {}

  /** Throws JetStream's error, which is StreamNotFound until the migration job has created the stream. */
  static async open(nats: NatsConnection, resource: string): Promise<RelayStream> {
    const name = streamName(resource);
    // Checking the account first would require the cluster's metadata leader, but this call does not.
    const manager = await jetstreamManager(nats, { checkAPI: false });
    const { state } = await manager.streams.info(name);
    return new RelayStream(name, nats, manager, resource, state.first_seq, state.last_seq);
  }

  /** Returns the last event, or undefined if the stream is empty. */
  async lastEvent(): Promise<StreamEvent | undefined> {
    return readLastEvent(this.manager, this.name, this.last);
  }

  /** Returns the first event at or after a position. */
  async eventFrom(pos: number): Promise<StreamEvent | undefined> {
    const last = await this.lastEvent();
    if (last === undefined) return undefined;
    return findPosition(pos, { first: this.first, last }, async (sequence) => {
      const next = { seq: sequence, next_by_subj: '>' };
      return readEvent(this.manager, this.name, next);
    });
  }

  /**
   * Yields the events after a sequence in order, page by page, because there are many after a backup was restored.
   * The messages of a page are requested in parallel: the service may read messages one by one, but may not create
   * a consumer for this purpose.
   */
  async *eventsBehind(sequence: number): AsyncGenerator<readonly PublishedEvent[]> {
    for (let from = sequence + 1; from <= this.last; from += readAtOnce) {
      const count = Math.min(readAtOnce, this.last - from + 1);
      const read = await Promise.all(
        Array.from({ length: count }, async (_, index) =>
          this.manager.streams.getMessage(this.name, { seq: from + index }),
        ),
      );
      // A stream may have gaps in its sequences.
      yield read.flatMap((message) => message?.json<PublishedEvent>() ?? []);
    }
  }

  /** Returns the state of the stream. Throws if another client has published to it or removed its last messages. */
  async inspect(): Promise<StreamState> {
    const { state } = await this.manager.streams.info(this.name);
    if (state.last_seq !== this.last)
      throw new Error(`${this.name} ends at sequence ${state.last_seq} unexpectedly, not at ${this.last}`);
    return state;
  }

  /**
   * Publishes events in order after the last message, and throws if the last one is refused. Only the last one is
   * acknowledged. Each is accepted at exactly one sequence, so the acknowledgement covers the preceding ones too,
   * unless a smaller number of messages from a leader whose database was lost arrived in between (ADR 35, What is
   * left).
   */
  async publish(events: readonly PositionedEvent[]): Promise<void> {
    const [first] = events;
    const last = events.at(-1);
    if (first === undefined || last === undefined) return;
    events.slice(0, -1).forEach((event, index) => {
      const expectation = headers();
      expectation.set('Nats-Expected-Last-Sequence', String(this.last + index));
      this.nats.publish(this.makeSubject(event), publishedJson(this.resource, event), {
        headers: expectation,
      });
    });
    try {
      await this.publishOne(last, this.last + events.length - 1);
    } catch (error) {
      // The last event was refused because the first one was, and only the first one's error contains the
      // cause.
      if (first !== last && error instanceof JetStreamApiError) await this.publishOne(first, this.last);
      throw error;
    }
    this.last += events.length;
  }

  private async publishOne(event: PositionedEvent, lastSequence: number): Promise<void> {
    await jetstream(this.nats, { timeout: 2000 }).publish(
      this.makeSubject(event),
      publishedJson(this.resource, event),
      {
        expect: { lastSequence, streamName: this.name },
      },
    );
  }

  private makeSubject({ type, stream_id: streamId }: PositionedEvent): string {
    return subjectOfEvent(this.resource, type, streamId);
  }
}

/** Returns the last position published, or 0 if there is none. */
export const lastPublished = async (nats: NatsConnection, resource: string): Promise<number> =>
  (await (await RelayStream.open(nats, resource)).lastEvent())?.pos ?? 0;
