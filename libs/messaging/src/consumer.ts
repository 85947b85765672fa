import type { NatsConnection } from '@nats-io/transport-node';
import {
  type LoggedEvents,
  type LogStretch,
  partitionOf,
  type PublishedEvent,
} from '@xs2a/contracts/published-event';
import type { Logger } from '@xs2a/observability/logger';
import { counter, gauge } from '@xs2a/observability/metrics';
import { type LeaderLock, pause } from '@xs2a/postgres/leader-lock';
import type { Pool, PoolClient } from 'pg';
import { atMost } from './at-most.js';
import { dependencyDown } from './call-failed.js';
import { type Cursor, CursorTable } from './consumer-cursor.js';
import { kindOf, passes } from './consumer-errors.js';
import { ConsumerReader, ForeignHistory, lastPositions } from './consumer-reader.js';
import { replayEveryMs, Replays } from './consumer-replays.js';
import { leadInSessions } from './lead-in-sessions.js';

export interface ConsumerOptions {
  readonly natsUrl: string;
  /** `PAYMENTS` or `CONSENTS`. */
  readonly stream: string;
  /** Names the consumer in JetStream and in the tables of `consumerTables`. */
  readonly durable: string;
  /** e.g. `xs2a.payments.signed.>` */
  readonly filterSubject: string;
  /**
   * The events of `filterSubject` in a stretch of the log, from whoever owns it: asked for what the stream forgot before
   * it was read. A CallFailed dependencyDown is waited out.
   */
  readonly logged: (stretch: Pick<LogStretch, 'after' | 'upTo'>) => Promise<LoggedEvents>;
  /** Its search path leads to the tables of `consumerTables`. */
  readonly pool: Pool;
  /**
   * The effect of up to 100 events, in order, in the transaction that also moves the cursor: it happens once. Errors
   * that pass (database, CallFailed dependencyDown) are tried for ever, others five times an event, then the event is
   * put aside in `dead_letter`, from where an operator may have it handled again, later than events behind it.
   */
  readonly handle: (client: PoolClient, events: readonly PublishedEvent[]) => Promise<void>;
  readonly logger: Logger;
  /** Called between the commit of an effect and its acknowledgement. For the fault tests. */
  readonly afterEffect?: () => void;
  /** Milliseconds until what is not acknowledged comes again. Default 30,000. */
  readonly ackWaitMs?: number;
}

export interface Consumption {
  /** Resolves once everything of the subject up to a position is done; dependencyDown (CallFailed) after `limitMs`. */
  caughtUp(pos: number, limitMs?: number): Promise<void>;
  /** For Health: fails while the stream is not the one that was read before. */
  check(): Promise<void>;
  /** For Health: why nothing is consumed now; undefined when all is well or another instance consumes. */
  degraded(): string | undefined;
  /** Finishes the batch under way. Call it before the pool ends. */
  stop(): Promise<void>;
}

/** An event on its way here: a message of the stream, or read from the log. */
interface Delivery {
  readonly seq: number;
  readonly subject: string;
  json<Event>(): Event;
  string(): string;
  /** It shall not come again. */
  term(): void;
}

const fromLog = (event: PublishedEvent): Delivery => ({
  seq: event.pos,
  subject: `${event.type}.${partitionOf(event.subject)}`,
  json: <Event>() => event as Event,
  string: () => JSON.stringify(event),
  term: () => undefined,
});

const nowhere: Awaited<ReturnType<typeof lastPositions>> = { last: 0, lastMatching: 0, forgotten: 0 };
const mostTries = 5;
const handled = counter('xs2a_events_consumed_total', 'Events handled, by outcome', ['consumer', 'outcome']);
const waiting = gauge('xs2a_events_waiting', 'Events in the stream that were not delivered yet', [
  'consumer',
]);

/**
 * Reads a stream and handles each event once (architecture, Event store 4). Of all instances one works: it holds a
 * lock, and the cursor fences it. After any lost connection it starts over from the cursor.
 */
export const consume = (options: ConsumerOptions): Consumption => {
  const consumer = new EventConsumer(options);
  consumer.start();
  return consumer;
};

/** Longest farewell to a server, milliseconds. */
const leaveMs = 1000;

class EventConsumer implements Consumption {
  private readonly table: CursorTable;
  private readonly replays: Replays;
  private readonly stopping = new AbortController();
  private running: Promise<void> | undefined;
  private nats: NatsConnection | undefined;
  private cursor: Cursor = { pos: 0 };
  /** The first batch after a start goes one by one: if an event ended the last process, it is counted against it alone. */
  private careful = true;
  private problem: unknown;

  constructor(private readonly options: ConsumerOptions) {
    this.table = new CursorTable(options.pool, options.durable);
    this.replays = new Replays(options);
  }

  start(): void {
    this.running ??= this.run();
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.running;
  }

  async check(): Promise<void> {
    if (this.problem instanceof ForeignHistory) throw this.problem;
  }

  degraded(): string | undefined {
    return this.problem === undefined ? undefined : 'events are not consumed';
  }

  async caughtUp(pos: number, limitMs = 5000): Promise<void> {
    const deadline = performance.now() + limitMs;
    let needed: number | undefined;
    for (;;) {
      const { last, lastMatching, forgotten } = needed === undefined ? await this.lastPositions() : nowhere;
      // Nothing of ours lies between the last matching event and `pos`: the cursor need not get further.
      if (last >= pos) needed = Math.min(pos, Math.max(lastMatching, forgotten));
      if ((await this.table.position()) >= (needed ?? pos)) return;
      if (performance.now() > deadline) throw dependencyDown();
      await pause(5, this.stopping.signal);
    }
  }

  private async lastPositions(): ReturnType<typeof lastPositions> {
    const { stream, filterSubject } = this.options;
    try {
      if (this.nats !== undefined) return await lastPositions(this.nats, stream, filterSubject);
    } catch {
      // Away: the caller asks again until its time is over.
    }
    return nowhere;
  }

  private async run(): Promise<void> {
    const { natsUrl, durable, pool } = this.options;
    await leadInSessions({
      natsUrl,
      pool,
      name: durable,
      lock: `consumer.${durable}`,
      stopping: this.stopping.signal,
      connected: (nats) => {
        this.nats = nats;
      },
      lead: async (nats, lock) => this.read(nats, lock),
      failed: (error) => this.report(error),
      following: () => this.report(undefined),
    });
  }

  private async read(nats: NatsConnection, lock: LeaderLock): Promise<void> {
    const { stream, durable, filterSubject, ackWaitMs = 30_000 } = this.options;
    this.cursor = await this.table.read();
    await this.replays.recover();
    this.careful = true;
    const reader = await ConsumerReader.open(
      nats,
      { stream, durable, filterSubject, ackWaitMs },
      this.cursor,
    );
    const end = (): void => reader.end(new Error('the session is over'));
    this.stopping.signal.addEventListener('abort', end);
    lock.lost.addEventListener('abort', end);
    // Either may have come while the reader was opened.
    if (this.stopping.signal.aborted || lock.lost.aborted) end();
    try {
      this.report(undefined);
      for (;;) {
        await this.replays.work();
        const messages = await reader.next(replayEveryMs);
        // Asked after they came: had the stream forgotten anything between them before, it would show now.
        const forgotten = await reader.forgottenUpTo();
        if (forgotten > this.cursor.pos) {
          await this.fillIn(reader, forgotten, Math.max(forgotten, messages.at(-1)?.seq ?? 0));
        }
        if (messages.length === 0) continue;
        await this.work(messages);
        waiting.set({ consumer: durable }, messages.at(-1)?.info.pending ?? 0);
        for (const message of messages) message.ack();
      }
    } catch (error) {
      if (!this.stopping.signal.aborted) throw error;
    } finally {
      this.stopping.signal.removeEventListener('abort', end);
      // The server may be gone with the database: nobody answers then, and the next session has to begin all the same.
      await atMost(leaveMs, this.leave(reader, nats));
    }
  }

  /** Handles what the stream forgot too early, and what came behind it, from the log. */
  private async fillIn(reader: ConsumerReader, forgotten: number, upTo: number): Promise<void> {
    const { logged, logger, durable, stream } = this.options;
    let told = false;
    while (this.cursor.pos < upTo) {
      const after = this.cursor.pos;
      const stretch = await logged({ after, upTo });
      if (stretch.upTo <= after) {
        throw new ForeignHistory(`${stream} goes up to ${upTo} at least, the log ends at ${after}`);
      }
      const [first] = stretch.events;
      if (!told && first !== undefined && first.pos <= forgotten) {
        told = true;
        logger.warn({ consumer: durable, after, upTo }, 'the stream forgot events; read from the log');
      }
      await this.work(stretch.events.map(fromLog));
      if (this.cursor.pos < stretch.upTo) await this.pass(stretch.upTo);
      reader.throwIfEnded();
    }
  }

  /** Nothing of ours is up to there. */
  private async pass(pos: number): Promise<void> {
    await this.table.advance(this.cursor, { pos }, async () => undefined);
    this.cursor = { pos };
  }

  /** Lets the server have the last acknowledgements. */
  private async leave(reader: ConsumerReader, nats: NatsConnection): Promise<void> {
    await reader.close();
    if (!nats.isClosed()) await nats.drain();
  }

  /** Handles what is new in a delivery; what was done before is only acknowledged again. */
  private async work(messages: readonly Delivery[]): Promise<void> {
    const fresh = messages.filter((message) => message.seq > this.cursor.pos);
    if (fresh.length === 0) return;
    const careful = this.careful;
    this.careful = false;
    if (!careful) {
      try {
        return await this.apply(fresh);
      } catch (error) {
        if (passes(error)) throw error;
        this.options.logger.warn({ error, events: fresh.length }, 'a batch of events failed; one by one now');
      }
    }
    for (const message of fresh) await this.alone(message);
  }

  private async apply(messages: readonly Delivery[]): Promise<void> {
    const events = messages.map((message) => message.json<PublishedEvent>());
    const to: Cursor = { pos: messages.at(-1)?.seq ?? this.cursor.pos, eventId: events.at(-1)?.id };
    await this.table.advance(this.cursor, to, async (client) => this.options.handle(client, events));
    this.options.afterEffect?.();
    this.cursor = to;
    handled.inc({ consumer: this.options.durable, outcome: 'done' }, events.length);
  }

  /** One event, five times at most. */
  private async alone(message: Delivery): Promise<void> {
    const { logger, durable } = this.options;
    let reason = 'the process ended during each try';
    while (!this.stopping.signal.aborted) {
      const tries = await this.table.countTry(message.seq);
      if (tries > mostTries) {
        const { seq: pos, subject } = message;
        await this.table.bury(this.cursor, { pos, subject, body: message.string(), reason });
        this.cursor = { pos };
        message.term();
        handled.inc({ consumer: durable, outcome: 'dead-letter' });
        logger.error({ consumer: durable, pos }, 'an event could not be handled; it is in dead_letter');
        return;
      }
      try {
        return await this.apply([message]);
      } catch (error) {
        if (passes(error)) {
          await this.table.forgetTry();
          throw error;
        }
        logger.warn({ error, consumer: durable, pos: message.seq, tries }, 'an event failed');
        reason = kindOf(error);
        await pause(25 * 2 ** tries, this.stopping.signal);
      }
    }
    throw new Error('stopped');
  }

  private report(error: unknown): void {
    const { logger, durable } = this.options;
    const again = this.problem !== undefined;
    this.problem = error;
    if (error instanceof ForeignHistory) logger.error({ error, consumer: durable }, 'refuses to read on');
    else if (error !== undefined && !again) logger.warn({ error, consumer: durable }, 'consumer starts over');
  }
}
