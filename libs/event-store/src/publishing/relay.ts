import type { NatsConnection } from '@nats-io/transport-node';
import type { EventResource } from '@xs2a/contracts/published-event';
import { waitAtMost } from '@xs2a/nats/wait-at-most';
import { connectOnce } from '@xs2a/nats/connection';
import type { Logger } from '@xs2a/observability/logger';
import { counter, gauge } from '@xs2a/observability/metrics';
import { type LeaderLock, pause, repeat, runAsLeader } from '@xs2a/postgres/leader-lock';
import { failpoint } from '@xs2a/runtime/failpoint';
import type { Pool } from 'pg';
import { AutoResetEvent } from '@xs2a/nats/auto-reset-event';
import { maxBatch, type PositionedEvent, RelayLog } from './log.js';
import { ForeignStream, RelayStream, saysNoRoom, saysNoStream } from './jetstream-copy.js';
import { endAgain, type EndsAgain, recordLosses } from './lost-ends.js';
import type { StreamEvent } from './stream-position.js';

export interface RelayOptions {
  /** The event store's pool; the relay keeps one connection of it. */
  readonly pool: Pool;
  /** Its appends wake the relay. Through it the relay repeats the ends of payments or consents that the database lost ({@link endAgain}). */
  readonly store: EndsAgain & {
    onAppended(listener: () => void): () => void;
  };
  readonly natsUrl: string;
  readonly logger: Logger;
  /**
   * Max number of events that are published again when the stream is empty or lacks its end: the newest ones. Older events
   * are in PostgreSQL only then. Default: all are published.
   */
  readonly refillEvents?: number;
}

/** Pause after a batch, so that the next one is larger: one statement and one publishing for all of its events. */
const batchPauseMs = { quiet: 10, busy: 20 } as const;
/** More events in a batch than that (above 1,000 a second) make the pause the longer one. */
const busyBatch = 10;
const pollMs = 50;
const inspectMs = 1000;
const closeMs = 1000;
/**
 * Milliseconds for which another instance has led, after which a failure here does not count any more. A leader that fails
 * gives the lock back earlier.
 */
const followsAfterMs = 1000;
const published = counter('xs2a_events_published_total', 'Events published to JetStream', ['resource']);
const failures = counter('xs2a_relay_failures_total', 'Times that publishing had to start over', [
  'resource',
]);
const streamBytes = gauge('xs2a_stream_bytes', 'What the stream holds in JetStream', ['resource']);
const forgottenEvents = gauge('xs2a_stream_forgotten_events', 'Positions that the stream does not hold', [
  'resource',
]);
const waitingForDecision = gauge(
  'xs2a_lost_events_waiting',
  'Events that the database lost and that hold up payments or consents',
  ['resource'],
);

/**
 * Gives events their global position and publishes them in that order (architecture, Event store 2 and 3). Every
 * instance of a service runs one; the one that holds the lock works. A stream that was lost, or lost its end, is
 * published again from the log. A log that lost its end, because the database went back to an earlier state, goes on
 * behind the end of the stream. Starts over after any error: it remembers nothing that PostgreSQL and the stream do not tell.
 */
export class Relay {
  private readonly work = new AutoResetEvent();
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
    this.unsubscribe ??= this.options.store.onAppended(() => this.wake());
    this.running ??= this.run();
  }

  /** Publishes what is in flight and gives the lock back. Call it before the pool ends. */
  async stop(): Promise<void> {
    this.unsubscribe?.();
    this.stopping.abort();
    this.work.set();
    await this.running;
  }

  /** There is something to publish: wakes this relay, or the leader elsewhere. */
  private wake(): void {
    if (this.leading) this.work.set();
    else if (this.nats?.isClosed() === false) this.nats.publish(`appended.${this.resource}`);
  }

  /** For the health check: throws while the stream does not belong to this database, so that nothing is published. */
  async check(): Promise<void> {
    if (this.problem instanceof ForeignStream) throw this.problem;
  }

  /** For the health check: why nothing is published now; undefined when all is well. */
  degraded(): string | undefined {
    if (this.problem === undefined) return undefined;
    return `events are stored but not published${reasonOf(this.problem)}`;
  }

  private async run(): Promise<void> {
    await repeat(
      async () => this.session(),
      this.stopping.signal,
      (error) => this.report(error),
    );
  }

  /** Publishes from one connection to NATS to its loss, or that of the lock. */
  private async session(): Promise<void> {
    const { pool, natsUrl } = this.options;
    const nats = await connectOnce(natsUrl, `relay-${this.resource}`);
    const ended = new AbortController();
    void nats.closed().then(() => ended.abort());
    nats.subscribe(`appended.${this.resource}`, { callback: () => this.work.set() });
    this.nats = nats;
    const since = performance.now();
    const stop = AbortSignal.any([this.stopping.signal, ended.signal]);
    const heldElsewhere = (): void => {
      if (performance.now() - since > followsAfterMs) this.report(undefined);
    };
    try {
      await runAsLeader(pool, `relay.${this.resource}`, { stop, heldElsewhere }, async (lock) =>
        this.publishAsLeader(lock, nats),
      );
    } finally {
      this.leading = false;
      for (const metric of [streamBytes, forgottenEvents, waitingForDecision])
        metric.remove({ resource: this.resource });
      await waitAtMost(closeMs, nats.close());
    }
  }

  /** Gives positions and publishes until the lock or a connection is lost. While a batch is published the next one is read. */
  private async publishAsLeader(lock: LeaderLock, nats: NatsConnection): Promise<void> {
    const log = await RelayLog.open(lock.client);
    const stream = await RelayStream.open(nats, this.resource);
    const { from, head } = await this.begin(log, stream);
    void endAgain(this.options);
    const ended = (): boolean => this.stopping.signal.aborted || nats.isClosed() || lock.lost.aborted;
    let publishing: Promise<void> = Promise.resolve();
    let inspectAt = performance.now() + inspectMs;
    try {
      for await (const events of batches(log, from, head)) {
        await publishing;
        // Nothing is on its way to the stream now.
        if (performance.now() > inspectAt) {
          await this.inspect(stream);
          waitingForDecision.set({ resource: this.resource }, await log.waiting());
          inspectAt = performance.now() + inspectMs;
        }
        if (events.length > 0) {
          publishing = this.publish(stream, events);
          // Awaited after the next read; until then a failure must not count as unhandled.
          publishing.catch(() => undefined);
        }
        if (ended()) break;
        await this.pauseAfter(events.length);
      }
    } finally {
      // Its error was thrown above, or counts for less than the one that is thrown now.
      await publishing.catch(() => undefined);
    }
  }

  /**
   * Finds the position behind which to publish, and the last one given. What the stream holds behind the newest event that
   * it has in common with the log, the database has lost.
   */
  private async begin(log: RelayLog, stream: RelayStream): Promise<{ from: number; head: number }> {
    const [newest] = await log.newestEvents();
    const last = await stream.lastEvent();
    const shared = last === undefined ? undefined : await this.newestCommon(log, stream, last);
    const head = await this.examine(log, stream, { last, shared });
    const common = shared?.pos ?? 0;
    const from = Math.max(common, (newest?.pos ?? 0) - (this.options.refillEvents ?? Infinity));
    if (from > common) {
      this.options.logger.warn(
        { resource: this.resource, after: common, upTo: from },
        'relay: the stream was lost or ends too far back; events at these positions are not published again',
      );
    }
    this.lastPublished = from;
    this.leading = true;
    this.report(undefined);
    this.options.logger.info({ resource: this.resource, head, published: from }, 'relay: leading');
    return { from, head };
  }

  /**
   * Records what the database lost, which is nothing as a rule, and that it was looked for: settlement waits for that when
   * the server has started or was promoted (ADR 43). Answers the last position given.
   */
  private async examine(
    log: RelayLog,
    stream: RelayStream,
    { last, shared }: { readonly last?: StreamEvent; readonly shared?: StreamEvent },
  ): Promise<number> {
    const head = await log.head();
    const end = Math.max(head, last?.pos ?? 0);
    const gap = end > head ? { after: head, upTo: end } : undefined;
    const lost = await recordLosses(this.resource, {
      log,
      stream,
      behind: shared?.sequence,
      stop: this.stopping.signal,
    });
    await log.recordExamined(gap);
    if (gap !== undefined || lost.events > 0) {
      this.options.logger.error(
        { resource: this.resource, ...gap, lost: lost.events, waiting: lost.held.size },
        'relay: the database went back to an earlier state; events at these positions are lost, and new ones go on behind them',
      );
    }
    return end;
  }

  /**
   * The newest event that is in log and stream; throws {@link ForeignStream} when none can be found. As a
   * rule it is the newest of the log up to the stream's end. It is an older one when messages of an earlier leader, whose
   * events the database lost, arrived after this database had given their positions to others.
   */
  private async newestCommon(
    log: RelayLog,
    stream: RelayStream,
    last: StreamEvent,
  ): Promise<StreamEvent | undefined> {
    const first = await stream.eventFrom(1);
    const events = await log.newestEvents(first?.pos, last.pos);
    let found: StreamEvent | undefined;
    const isInBoth = async (index: number): Promise<boolean> => {
      const event = events[index];
      const copy = event === undefined ? undefined : await stream.eventFrom(event.pos);
      if (copy === undefined || copy.id !== event?.event_id) return false;
      found = copy;
      return true;
    };
    // Newest first. What is older than an event in both is in both as well, so the newest of these is found by halving.
    let [differing, common] = [-1, 0];
    if (!(await isInBoth(0))) {
      [differing, common] = [0, events.length - 1];
      if (!(await isInBoth(common))) {
        throw new ForeignStream(
          `${stream.name} ends at position ${last.pos} and holds none of the newest events that the database has up to there`,
        );
      }
    }
    while (common - differing > 1) {
      const between = Math.floor((common + differing) / 2);
      if (await isInBoth(between)) common = between;
      else differing = between;
    }
    if (common > 0) {
      this.options.logger.error(
        { resource: this.resource, after: found?.pos, upTo: events[0]?.pos },
        'relay: the stream holds lost events at these positions; those that the database has there are published behind them',
      );
    }
    return found;
  }

  private async publish(stream: RelayStream, events: readonly PositionedEvent[]): Promise<void> {
    failpoint('relay.before-publish');
    await stream.publish(events);
    failpoint('relay.after-publish');
    this.lastPublished = events.at(-1)?.pos ?? this.lastPublished;
    published.inc({ resource: this.resource }, events.length);
  }

  /** Measures how much the stream holds, and fails when somebody else has changed it; once a second. */
  private async inspect(stream: RelayStream): Promise<void> {
    const { bytes, messages } = await stream.inspect();
    streamBytes.set({ resource: this.resource }, bytes);
    forgottenEvents.set({ resource: this.resource }, Math.max(0, this.lastPublished - messages));
  }

  private async pauseAfter(batch: number): Promise<void> {
    if (batch === 0) await this.work.wait(pollMs);
    else if (batch < maxBatch)
      await pause(batch > busyBatch ? batchPauseMs.busy : batchPauseMs.quiet, this.stopping.signal);
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

/**
 * Batches of events to publish: first those that have a position already, then new ones, which get the next positions. A
 * batch is empty when there is nothing to publish.
 */
async function* batches(
  log: RelayLog,
  from: number,
  head: number,
): AsyncGenerator<readonly PositionedEvent[]> {
  let sent = from;
  for (let events = await log.read(sent); events.length > 0; events = await log.read(sent)) {
    yield events;
    sent = events.at(-1)?.pos ?? sent;
  }
  for (let given = head; ;) {
    const events = await log.sequence(given);
    given = events.at(-1)?.pos ?? given;
    yield events;
  }
}
