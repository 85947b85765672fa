import type { NatsConnection } from '@nats-io/transport-node';
import type { EventResource } from '@xs2a/contracts/published-event';
import { dependencyDown } from '@xs2a/messaging/call-failed';
import { leadInSessions } from '@xs2a/messaging/lead-in-sessions';
import type { Logger } from '@xs2a/observability/logger';
import { counter, gauge } from '@xs2a/observability/metrics';
import { type LeaderLock, pause } from '@xs2a/postgres/leader-lock';
import { failpoint } from '@xs2a/runtime/failpoint';
import type { Pool } from 'pg';
import { Bell } from '@xs2a/messaging/bell';
import type { LogTail } from './log-tail.js';
import { largestBatch, RelayLog } from './relay-log.js';
import { ForeignStream, RelayStream, saysNoRoom, saysNoStream } from './relay-stream.js';

export interface RelayOptions {
  /** The event store's pool; the relay keeps one connection of it. */
  readonly pool: Pool;
  /** Its appends wake the relay. */
  readonly store: {
    readonly resource: EventResource;
    onAppended(listener: () => void): () => void;
  };
  readonly natsUrl: string;
  readonly logger: Logger;
  /** Learns what gets a position, for other readers in this process. */
  readonly tail?: LogTail;
}

/** So long events are gathered before the next of them get their position: one statement and one publishing for all. */
const gatherMs = { quiet: 10, busy: 20 } as const;
/** Events in a batch from which on the next are gathered longer: above 1,000 a second. */
const busyBatch = 10;
const pollMs = 50;
const inspectMs = 1000;
const barrierMs = 4500;
const published = counter('xs2a_events_published_total', 'Events published to JetStream', ['resource']);
const failures = counter('xs2a_relay_failures_total', 'Times that publishing had to start over', [
  'resource',
]);
const streamBytes = gauge('xs2a_stream_bytes', 'What the stream holds in JetStream', ['resource']);
const forgottenEvents = gauge('xs2a_stream_forgotten_events', 'Events that only PostgreSQL holds any more', [
  'resource',
]);

/**
 * Gives events their global position and publishes them in that order (architecture, Event store 2 and 3). Every
 * instance of a service runs one; the one that holds the lock works. A stream that was lost, or lost its end, is
 * published again from the log. Starts over after any error: it remembers nothing that PostgreSQL and the stream do not tell.
 */
export class Relay {
  private readonly bell = new Bell();
  private readonly stopping = new AbortController();
  private readonly resource: EventResource;
  private running: Promise<void> | undefined;
  private nats: NatsConnection | undefined;
  private leading = false;
  private lastPublished = 0;
  private problem: unknown;
  private unsubscribe: (() => void) | undefined;

  constructor(private readonly options: RelayOptions) {
    this.resource = options.store.resource;
  }

  start(): void {
    this.unsubscribe ??= this.options.store.onAppended(() => this.kick());
    this.running ??= this.run();
  }

  /** Publishes what is in flight and gives the lock back. Call it before the pool ends. */
  async stop(): Promise<void> {
    this.unsubscribe?.();
    this.stopping.abort();
    this.bell.ring();
    await this.running;
  }

  /** There is something to publish: wakes this relay, or the leader elsewhere. */
  kick(): void {
    if (this.leading) this.bell.ring();
    else if (this.nats?.isClosed() === false) this.nats.publish(`doorbell.${this.resource}`);
  }

  /**
   * Everything committed before the call has a position up to `pos` and is in the stream. Works on every instance.
   * Throws CallFailed (dependencyDown) when that takes longer than 4.5 s.
   */
  async published(): Promise<{ readonly pos: number }> {
    const deadline = performance.now() + barrierMs;
    const pos = await this.sequencedBy(deadline);
    while (this.leading ? this.lastPublished < pos : (await this.lastInStream()) < pos) await tick(deadline);
    return { pos };
  }

  /** For Health: fails while the stream does not belong to this database and publishing therefore stands still. */
  async check(): Promise<void> {
    if (this.problem instanceof ForeignStream) throw this.problem;
  }

  /** For Health: why nothing is published now; undefined when all is well. */
  degraded(): string | undefined {
    if (this.problem === undefined) return undefined;
    return `events are stored but not published${reasonOf(this.problem)}`;
  }

  private async sequencedBy(deadline: number): Promise<number> {
    const { rows } = await this.options.pool.query<{ last: number | null }>(
      'SELECT max(id) AS last FROM unsequenced',
    );
    const last = rows[0]?.last ?? 0;
    for (;;) {
      this.kick();
      const { rows: now } = await this.options.pool.query<{ waiting: boolean; pos: number }>({
        name: 'relay-barrier',
        text: `SELECT EXISTS (SELECT FROM unsequenced WHERE id <= $1) AS waiting,
          (SELECT coalesce(max(pos), 0) FROM log) AS pos`,
        values: [last],
      });
      if (now[0]?.waiting === false) return now[0].pos;
      await tick(deadline);
    }
  }

  private async lastInStream(): Promise<number> {
    if (this.nats === undefined || this.nats.isClosed()) return -1;
    try {
      const stream = await RelayStream.open(this.nats, this.resource);
      return await stream.lastPosition();
    } catch {
      return -1;
    }
  }

  private async run(): Promise<void> {
    const { pool, natsUrl } = this.options;
    await leadInSessions({
      natsUrl,
      pool,
      name: `relay-${this.resource}`,
      lock: `relay.${this.resource}`,
      stopping: this.stopping.signal,
      connected: (nats) => {
        void nats.closed().then(() => this.bell.ring());
        nats.subscribe(`doorbell.${this.resource}`, { callback: () => this.bell.ring() });
        this.nats = nats;
      },
      lead: async (nats, lock) => {
        try {
          await this.lead(lock, nats);
        } finally {
          this.leading = false;
          for (const told of [streamBytes, forgottenEvents]) told.remove({ resource: this.resource });
          this.options.tail?.forget();
        }
      },
      failed: (error) => this.report(error),
      following: () => this.report(undefined),
    });
  }

  private async lead(lock: LeaderLock, nats: NatsConnection): Promise<void> {
    const log = await RelayLog.open(lock.client);
    const stream = await RelayStream.open(nats, this.resource);
    let head = await log.head();
    await this.begin(log, stream, head);
    let sent = this.lastPublished;
    let publishing: Promise<void> = Promise.resolve();
    let inspectAt = performance.now() + inspectMs;
    try {
      while (!this.stopping.signal.aborted && !nats.isClosed() && !lock.lost.aborted) {
        const events = sent < head ? await log.read(sent) : await log.sequence(head);
        await publishing;
        // Nothing is on its way to the stream now.
        if (performance.now() > inspectAt) {
          await this.inspect(stream);
          inspectAt = performance.now() + inspectMs;
        }
        if (events.length > 0) {
          this.options.tail?.take(events);
          sent = events.at(-1)?.pos ?? sent;
          head = Math.max(head, sent);
          publishing = this.publish(stream, events);
          // Awaited after the next read; until then a failure must not count as unhandled.
          publishing.catch(() => undefined);
          if (events.length < largestBatch) await pause(gatherFor(events.length), this.stopping.signal);
        } else {
          await this.bell.wait(pollMs);
        }
      }
    } finally {
      await publishing.catch(() => undefined);
    }
  }

  /** Finds where the stream ends, and that it is the copy of this log and no other. */
  private async begin(log: RelayLog, stream: RelayStream, head: number): Promise<void> {
    const last = await stream.lastPosition();
    if (last > head) throw new ForeignStream(`the stream ends at ${last}, the log at ${head}`);
    const theirs = last === 0 ? undefined : await stream.eventIdAt(last);
    if (theirs !== undefined && theirs !== (await log.eventIdAt(last))) {
      throw new ForeignStream(`the stream holds another event at ${last} than the log`);
    }
    this.lastPublished = last;
    this.leading = true;
    this.options.tail?.begin(head);
    this.report(undefined);
    this.options.logger.info({ resource: this.resource, head, published: last }, 'relay: leading');
  }

  private async publish(stream: RelayStream, events: Awaited<ReturnType<RelayLog['read']>>): Promise<void> {
    failpoint('relay.before-publish');
    await stream.publish(events);
    failpoint('relay.after-publish');
    this.lastPublished = events.at(-1)?.pos ?? this.lastPublished;
    published.inc({ resource: this.resource }, events.length);
  }

  /** Once a second: what does it hold, and has it been taken away behind our back? */
  private async inspect(stream: RelayStream): Promise<void> {
    const { last, bytes, forgotten } = await stream.standing();
    streamBytes.set({ resource: this.resource }, bytes);
    forgottenEvents.set({ resource: this.resource }, forgotten);
    if (last !== this.lastPublished) throw new Error(`the stream ends at ${last} all of a sudden`);
  }

  private report(error: unknown): void {
    const { logger } = this.options;
    const again = this.problem !== undefined;
    this.problem = error;
    if (error !== undefined) failures.inc({ resource: this.resource });
    if (error instanceof ForeignStream) {
      logger.error(
        { error, resource: this.resource },
        'relay: refuses to publish over a stream of another history',
      );
    } else if (error !== undefined && !again) {
      logger.warn({ error, resource: this.resource }, 'relay: starts over');
    }
  }
}

const reasonOf = (problem: unknown): string => {
  if (saysNoRoom(problem)) return ': JetStream’s storage is full';
  return saysNoStream(problem) ? ': JetStream has no such stream, run the migration job' : '';
};

const gatherFor = (events: number): number => (events > busyBatch ? gatherMs.busy : gatherMs.quiet);

const tick = async (deadline: number): Promise<void> => {
  if (performance.now() > deadline) throw dependencyDown();
  await new Promise((resolve) => {
    setTimeout(resolve, 3);
  });
};
