import {
  type ConsumerMessages,
  type JetStreamManager,
  JetStreamApiCodes,
  JetStreamApiError,
  type JsMsg,
  jetstream,
  jetstreamManager,
  type StreamState,
} from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import type { PublishedEvent } from '@xs2a/contracts/published-event';
import type { Cursor } from './consumer-cursor.js';

export interface ReaderOptions {
  readonly stream: string;
  readonly durable: string;
  readonly filterSubject: string;
  /** Milliseconds until what is not acknowledged comes again. */
  readonly ackWaitMs: number;
}

/** The stream holds another event at the cursor's position than the one this consumer handled there. */
export class ForeignHistory extends Error {
  override readonly name = 'ForeignHistory';
}

const largestBatch = 100;
/** Delivered and not yet acknowledged; bounds what waits in memory. */
const mostPending = 256;

/**
 * Reads a stream from a position on. The durable is made anew for that each time: one that outlived its stream's end
 * would silently skip what is published there again.
 */
export class ConsumerReader {
  private readonly buffer: JsMsg[] = [];
  private delivered = 0;
  private wake: (() => void) | undefined;
  private ended: { readonly error: Error } | undefined;
  private messages: ConsumerMessages | undefined;

  private constructor(
    private readonly manager: JetStreamManager,
    private readonly stream: string,
  ) {}

  /** Throws {@link ForeignHistory}, or what JetStream says (no such stream yet). */
  static async open(nats: NatsConnection, options: ReaderOptions, cursor: Cursor): Promise<ConsumerReader> {
    const { stream, durable, filterSubject } = options;
    const manager = await jetstreamManager(nats, { checkAPI: false, timeout: 2000 });
    await checkHistory(manager, stream, cursor);
    await removeDurable(manager, stream, durable);
    await manager.consumers.add(stream, {
      durable_name: durable,
      filter_subject: filterSubject,
      deliver_policy: 'by_start_sequence',
      opt_start_seq: cursor.pos + 1,
      ack_policy: 'explicit',
      ack_wait: options.ackWaitMs * 1_000_000,
      max_ack_pending: mostPending,
    });
    const reader = new ConsumerReader(manager, stream);
    const consumer = await jetstream(nats).consumers.get(stream, durable);
    reader.messages = await consumer.consume({
      max_messages: largestBatch,
      expires: 10_000,
      idle_heartbeat: 1000,
      abort_on_missing_resource: true,
      callback: (message) => reader.take(message),
    });
    void reader.messages.closed().then((error) => reader.end(error ?? new Error('the subscription ended')));
    void nats.closed().then(() => reader.end(new Error('the connection to NATS was lost')));
    return reader;
  }

  /** The next messages in order, at most 100; none when none came within so many ms. Throws once the subscription has ended. */
  async next(withinMs: number): Promise<JsMsg[]> {
    if (this.buffer.length === 0 && this.ended === undefined) {
      let timer: NodeJS.Timeout | undefined;
      await new Promise<void>((resolve) => {
        this.wake = resolve;
        timer = setTimeout(resolve, withinMs);
      });
      clearTimeout(timer);
    }
    this.throwIfEnded();
    return this.buffer.splice(0, largestBatch);
  }

  /** The last position that the stream has forgotten; 0 while it has forgotten none. Throws once the reading has ended. */
  async forgottenUpTo(): Promise<number> {
    const { state } = await this.manager.streams.info(this.stream);
    this.throwIfEnded();
    return forgottenIn(state);
  }

  throwIfEnded(): void {
    if (this.ended !== undefined) throw this.ended.error;
  }

  /** Makes {@link next} throw. */
  end(error: Error): void {
    this.ended ??= { error };
    this.wake?.();
  }

  async close(): Promise<void> {
    this.end(new Error('closed'));
    await this.messages?.close();
  }

  private take(message: JsMsg): void {
    this.delivered += 1;
    // A hole means that a delivery was lost on the way: it would come again only after what follows it.
    if (message.info.deliverySequence !== this.delivered) this.end(new Error('a delivery was lost'));
    this.buffer.push(message);
    this.wake?.();
  }
}

const isMissing = (error: unknown, code: number): boolean =>
  error instanceof JetStreamApiError && error.code === code;

const checkHistory = async (
  manager: JetStreamManager,
  stream: string,
  { pos, eventId }: Cursor,
): Promise<void> => {
  if (eventId === undefined) return;
  const message = await manager.streams.getMessage(stream, { seq: pos });
  if (message !== null && message.json<PublishedEvent>().id !== eventId) {
    throw new ForeignHistory(`${stream} holds another event at ${pos} than the one handled there`);
  }
};

const removeDurable = async (manager: JetStreamManager, stream: string, durable: string): Promise<void> => {
  try {
    await manager.consumers.delete(stream, durable);
  } catch (error) {
    if (!isMissing(error, JetStreamApiCodes.ConsumerNotFound)) throw error;
  }
};

/** An empty stream that never held anything begins nowhere. */
const forgottenIn = ({ first_seq: first }: StreamState): number => Math.max(0, first - 1);

/** The last position of a stream, of those of its messages that match, and that it has forgotten; 0 for none. */
export const lastPositions = async (
  nats: NatsConnection,
  stream: string,
  filterSubject: string,
): Promise<{ readonly last: number; readonly lastMatching: number; readonly forgotten: number }> => {
  const manager = await jetstreamManager(nats, { checkAPI: false });
  const { state } = await manager.streams.info(stream);
  const matching = await manager.streams.getMessage(stream, { last_by_subj: filterSubject });
  return { last: state.last_seq, lastMatching: matching?.seq ?? 0, forgotten: forgottenIn(state) };
};
