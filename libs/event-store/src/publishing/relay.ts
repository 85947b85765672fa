import type { NatsConnection } from '@nats-io/transport-node';
import { connectOnce } from '@xs2a/nats/connection';
import { waitAtMost } from '@xs2a/nats/wait-at-most';
import type { Logger } from '@xs2a/observability/logger';
import { pause, repeat, runAsLeader } from '@xs2a/postgres/leader-lock';
import { LeaderWatch } from '@xs2a/postgres/leader-watch';
import type { Session } from '@xs2a/postgres/session-lock';
import { failpoint } from '@xs2a/runtime/failpoint';
import type { Pool } from 'pg';
import { compareWithStream } from '../recovery/compare-with-stream.js';
import { RelayStream } from './jetstream-copy.js';
import { maxBatch, type PositionedEvent, RelayLog } from './relay-log.js';
import { repeatLostEnds, type EndsAgain } from '../recovery/lost-ends.js';
import { RelayFigures } from './relay-figures.js';
import { RelayStatus } from './relay-status.js';
import { RelayWakeUp } from './relay-wake-up.js';

export interface RelayOptions {
  /** The event store's pool. The relay uses one of its connections permanently. */
  readonly pool: Pool;
  /**
   * The event store whose appends wake the relay. The relay also uses it to append again the lost events that
   * ended payments or consents ({@link repeatLostEnds}).
   */
  readonly store: EndsAgain & {
    onAppended(listener: () => void): () => void;
  };
  readonly natsUrl: string;
  readonly logger: Logger;
  /**
   * The maximum number of events, newest ones only, that are republished if the stream is empty or lacks its last
   * events. Older events then exist only in PostgreSQL. By default, all are republished.
   */
  readonly refillEvents?: number;
}

/** A pause after each batch makes the next batch larger, so that one statement and one publish cover more events. */
const batchPauseMs = 10;
/** The relay polls for new events after this many milliseconds if nothing wakes it up. */
const pollMs = 50;
/** Maximum number of milliseconds to wait for a connection to close. */
const closeMs = 1000;

/**
 * Assigns global positions to events and publishes them in that order (architecture, Event store 2 and 3). Every
 * instance of a service runs a relay, but only the one that holds the lock is active. If the stream was lost or
 * lacks its last events, they are republished from the log. If the log lost its last events because the database
 * went back to an earlier state, positions continue after the last one in the stream. The relay restarts after any
 * error, because all of its state is in PostgreSQL and the stream.
 */
export class Relay {
  private readonly resource: string;
  private readonly status: RelayStatus;
  private readonly wakeUp: RelayWakeUp;
  private readonly stopping = new AbortController();
  private readonly watch = new LeaderWatch('no instance publishes events');
  private running: Promise<void> | undefined;

  constructor(private readonly options: RelayOptions) {
    const { store, logger } = options;
    this.resource = store.resource.name;
    this.status = new RelayStatus(this.resource, logger);
    this.wakeUp = new RelayWakeUp(store);
  }

  start(): void {
    this.wakeUp.listen();
    this.running ??= repeat(
      async () => this.session(),
      this.stopping.signal,
      (error) => this.status.report(error),
    );
  }

  /** Publishes what is in flight and releases the lock. Must be called before the pool is closed. */
  async stop(): Promise<void> {
    this.stopping.abort();
    this.wakeUp.stop();
    await this.running;
  }

  /** For the health check: throws while the stream does not belong to this database, so that nothing is published. */
  async check(): Promise<void> {
    this.status.check();
  }

  /** For the health check: the reason why nothing is published now. */
  degraded(): string | undefined {
    return this.status.degraded() ?? this.watch.degraded();
  }

  /** Waits for the lock, then publishes until the NATS connection or the lock is lost. */
  private async session(): Promise<void> {
    const { pool, natsUrl } = this.options;
    const nats = await connectOnce(natsUrl, `relay-${this.resource}`);
    const closed = new AbortController();
    void nats.closed().then(() => closed.abort());
    this.wakeUp.connect(nats);
    const stop = AbortSignal.any([this.stopping.signal, closed.signal]);
    const follows = this.status.follower();
    const heldElsewhere = (): void => {
      follows();
      this.watch.seen();
    };
    try {
      await runAsLeader(pool, `relay.${this.resource}`, { stop, heldElsewhere }, async (lock) =>
        this.watch.while(async () => this.lead(lock.client, nats, AbortSignal.any([stop, lock.lost]))),
      );
    } finally {
      await waitAtMost(closeMs, nats.close());
    }
  }

  private async lead(session: Session, nats: NatsConnection, ended: AbortSignal): Promise<void> {
    const { resource, wakeUp } = this;
    const { logger, refillEvents } = this.options;
    const log = await RelayLog.open(session);
    const stream = await RelayStream.open(nats, resource);
    const begin = await compareWithStream(this.options.store.resource, {
      session,
      log,
      stream,
      logger,
      refillEvents,
      ended,
    });
    const figures = new RelayFigures(resource, begin.publishedUpTo);
    wakeUp.isLeader = true;
    this.status.report(undefined);
    void repeatLostEnds(this.options);
    let publishing: Promise<void> = Promise.resolve();
    try {
      // The next batch is read while the current one is published.
      for await (const events of unpublishedEvents(log, begin, { wakeUp, ended })) {
        await publishing;
        // No message to the stream is in flight now.
        await figures.measureWhenDue(log, stream);
        publishing = publish(stream, events, figures);
        // Awaited after the next read. Until then, a failure must not count as an unhandled rejection.
        publishing.catch(() => undefined);
        if (ended.aborted) break;
      }
    } finally {
      wakeUp.isLeader = false;
      // The error of `publishing` was thrown above, or is less important than the one being thrown.
      await publishing.catch(() => undefined);
      figures.remove();
    }
  }
}

const publish = async (
  stream: RelayStream,
  events: readonly PositionedEvent[],
  figures: RelayFigures,
): Promise<void> => {
  if (events.length === 0) return;
  failpoint('relay.before-publish');
  await stream.publish(events);
  failpoint('relay.after-publish');
  figures.published(events);
};

interface Pacing {
  readonly wakeUp: RelayWakeUp;
  /** When aborted, ends a pause. */
  readonly ended: AbortSignal;
}

/**
 * Yields batches of events to publish: first those that already have a position, then new ones, to which the next
 * positions are assigned. A batch is empty if there is nothing to publish. Pauses before reading the next batch,
 * unless the previous one was full.
 */
async function* unpublishedEvents(
  log: RelayLog,
  { publishedUpTo, head }: { readonly publishedUpTo: number; readonly head: number },
  pacing: Pacing,
): AsyncGenerator<readonly PositionedEvent[]> {
  let sent = publishedUpTo;
  for (let events = await log.read(sent); events.length > 0; events = await log.read(sent)) {
    yield events;
    await pauseAfter(events.length, pacing);
    sent = events.at(-1)?.pos ?? sent;
  }
  for (let given = head; ;) {
    const events = await log.sequence(given);
    given = events.at(-1)?.pos ?? given;
    yield events;
    await pauseAfter(events.length, pacing);
  }
}

const pauseAfter = async (batch: number, { wakeUp, ended }: Pacing): Promise<void> => {
  if (batch === 0) await wakeUp.wait(pollMs);
  else if (batch < maxBatch) await pause(batchPauseMs, ended);
};
