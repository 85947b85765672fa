import { type Consumer, JetStreamApiCodes, type JsMsg, jetstream } from '@nats-io/jetstream';
import type { PublishedEvent } from '@xs2a/contracts/published-event';
import { NewerEvent } from '@xs2a/domain/event-types';
import { counter, gauge } from '@xs2a/observability/metrics';
import { pause } from '@xs2a/postgres/leader-lock';
import { waitAtMost } from '@xs2a/nats/wait-at-most';
import { connectOnce } from '@xs2a/nats/connection';
import { kindOf, isTransientFailure } from './errors.js';
import { presentEvent, replayDeadLetters, type ReplayOptions } from './replays.js';
import { discardDeadLetter, putAside } from './dead-letters.js';

export interface ConsumerOptions extends ReplayOptions {
  readonly natsUrl: string;
  /** The durable's stream; the migration job makes both (jetstream-assets.ts). */
  readonly stream: string;
  /** Called between an effect and its acknowledgement. For the fault tests. */
  readonly afterEffect?: () => void;
}

export interface Consumption {
  /** For the health check: why nothing is consumed now; undefined when all is well. */
  degraded(): string | undefined;
  /** Finishes the event under way. Call it before the pool ends. */
  stop(): Promise<void>;
}

/** Events that are fetched at once. */
const maxBatch = 100;
const maxDeliveries = 5;
/** Milliseconds between two tries while something is away. */
const retryMs = 500;
/** Milliseconds that a server has to take the last acknowledgements. */
const leaveMs = 1000;
/** Milliseconds until an event of a newer release comes again, to this instance or another. */
const newerReleaseMs = 1000;
/** Milliseconds until an event comes again that was delivered so often and failed. */
const redeliveryDelay = (deliveries: number): number => 25 * 2 ** deliveries;

const handled = counter('xs2a_events_consumed_total', 'Events handled, by outcome', ['consumer', 'outcome']);
const waiting = gauge('xs2a_events_waiting', 'Events in the stream that were not delivered yet', [
  'consumer',
]);

/**
 * Handles the events of a durable JetStream consumer, each at least once: pull, effect, acknowledgement (architecture,
 * Event store 4). Any number of instances may consume the same durable; events come in no promised order.
 */
export const consume = (options: ConsumerOptions): Consumption => new EventConsumer(options);

class EventConsumer implements Consumption {
  private readonly stopping = new AbortController();
  private readonly running: Promise<unknown>;
  /** The events of the last pull. */
  private held: JsMsg[] = [];
  private problem: string | undefined;

  constructor(private readonly options: ConsumerOptions) {
    this.running = Promise.all([this.run(), replayDeadLetters(options, this.stopping.signal)]);
  }

  degraded(): string | undefined {
    return this.problem;
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.running;
  }

  private async run(): Promise<void> {
    while (!this.stopping.signal.aborted) {
      try {
        await this.consumeOnce();
      } catch (error) {
        this.report(error);
        await pause(retryMs, this.stopping.signal);
      }
    }
  }

  /** Consumes from one connection to its loss. */
  private async consumeOnce(): Promise<void> {
    const { natsUrl, stream, durable } = this.options;
    const nats = await connectOnce(natsUrl, durable);
    try {
      const consumer = await jetstream(nats, { timeout: 2000 }).consumers.get(stream, durable);
      this.report(undefined);
      while (!this.stopping.signal.aborted) await this.pull(consumer);
    } finally {
      if (!nats.isClosed()) await waitAtMost(leaveMs, nats.drain());
    }
  }

  /** Handles up to 100 events, one after the other, each as soon as it is there. */
  private async pull(consumer: Consumer): Promise<void> {
    const messages = await consumer.fetch({ max_messages: maxBatch, expires: 10_000, idle_heartbeat: 1000 });
    const stop = (): void => messages.stop();
    this.stopping.signal.addEventListener('abort', stop);
    this.held = [];
    let handling = Promise.resolve();
    try {
      for await (const message of messages) {
        waiting.set({ consumer: this.options.durable }, message.info.pending);
        this.held.push(message);
        handling = handling.then(async () => this.handle(message));
        handling.catch(stop);
      }
    } finally {
      this.stopping.signal.removeEventListener('abort', stop);
      await handling;
    }
  }

  private async handle(message: JsMsg): Promise<void> {
    if (this.stopping.signal.aborted) return;
    const { deliveryCount: deliveries } = message.info;
    if (this.isOfNewerRelease(message)) message.nak(newerReleaseMs);
    else if (deliveries >= maxDeliveries) await this.tryLast(message);
    else if ((await this.failure(message)) === undefined) this.acknowledge(message);
    else message.nak(redeliveryDelay(deliveries));
  }

  /**
   * An event that only a newer release knows is never tried here and never put aside: it is delivered again until an instance
   * of that release has it.
   */
  private isOfNewerRelease(message: JsMsg): boolean {
    const { eventTypes, logger, durable: consumer } = this.options;
    try {
      presentEvent(message.json<PublishedEvent>(), eventTypes);
    } catch (error) {
      if (!(error instanceof NewerEvent)) return false;
      logger.warn({ consumer, seq: message.seq, type: error.type }, error.message);
      handled.inc({ consumer, outcome: 'newer-release' });
      return true;
    }
    return false;
  }

  /**
   * The fifth delivery, or a later one. The event is in `dead_letter` while it is tried: if the process ends during this
   * try too, the next delivery finds it there, and it is not tried again.
   */
  private async tryLast(message: JsMsg): Promise<void> {
    const { pool, durable: consumer, logger } = this.options;
    const { subject, info } = message;
    const letter = { consumer, pos: positionOf(message), subject, body: message.string() };
    const added = await this.waitOut(async () => putAside(pool, letter, null));
    if (added || info.deliveryCount === maxDeliveries) {
      const error = await this.failure(message).catch(async (transient: unknown) => {
        await discardDeadLetter(pool, letter);
        throw transient;
      });
      if (error === undefined) {
        await this.waitOut(async () => discardDeadLetter(pool, letter));
        return this.acknowledge(message);
      }
      await this.waitOut(async () => putAside(pool, letter, kindOf(error)));
    }
    message.term();
    handled.inc({ consumer, outcome: 'dead-letter' });
    logger.error({ consumer, pos: letter.pos }, 'an event could not be handled; it is in dead_letter');
  }

  /** Has the effect. Why it failed, when the event is to blame; throws a transient error only when this consumer is stopped. */
  private async failure(message: JsMsg): Promise<unknown> {
    const { handle, eventTypes, logger, durable: consumer, afterEffect } = this.options;
    try {
      const event = presentEvent(message.json<PublishedEvent>(), eventTypes);
      await this.waitOut(async () => handle(event));
    } catch (error) {
      if (isTransientFailure(error)) throw error;
      logger.warn({ error, consumer, seq: message.seq }, 'an event failed');
      return error;
    }
    afterEffect?.();
    return undefined;
  }

  private acknowledge(message: JsMsg): void {
    message.ack();
    handled.inc({ consumer: this.options.durable, outcome: 'done' });
  }

  /** Repeats the work while it fails with a transient error, and keeps the events that are held from coming again. */
  private async waitOut<Result>(work: () => Promise<Result>): Promise<Result> {
    for (;;) {
      try {
        const result = await work();
        this.report(undefined);
        return result;
      } catch (error) {
        if (!isTransientFailure(error) || this.stopping.signal.aborted) throw error;
        this.report(error);
        for (const message of this.held) message.working();
        await pause(retryMs, this.stopping.signal);
      }
    }
  }

  private report(error: unknown): void {
    const { logger, stream, durable } = this.options;
    const before = this.problem;
    this.problem = error === undefined ? undefined : 'events are not consumed';
    if (isMissing(error))
      this.problem = `${stream} or its consumer ${durable} is missing: run the migration job`;
    if (this.problem === before) return;
    if (this.problem === undefined) logger.info({ consumer: durable }, 'events are consumed again');
    else logger.warn({ error, consumer: durable }, this.problem);
  }
}

const missing = new Set<unknown>([JetStreamApiCodes.StreamNotFound, JetStreamApiCodes.ConsumerNotFound]);
const isMissing = (error: unknown): boolean => missing.has(Reflect.get(Object(error), 'code'));

/** The event's position; for a message that is no event and has none, minus its sequence in the stream. */
const positionOf = (message: JsMsg): number => {
  try {
    const { pos } = message.json<Partial<PublishedEvent>>();
    if (pos !== undefined && Number.isSafeInteger(pos)) return pos;
  } catch {
    // It is not JSON either.
  }
  return -message.seq;
};
