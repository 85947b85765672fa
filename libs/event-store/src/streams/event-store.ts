import type { EventType } from '@xs2a/events/event-types';
import { OneAtATime } from '@xs2a/runtime/one-at-a-time';
import { inSpan } from '@xs2a/calls/in-span';
import { withAppendBatching } from '../accelerators/with-append-batching.js';
import { withLookupBatching } from '../accelerators/with-lookup-batching.js';
import { type Appended, type AppendGuard, type Appender, type AppendRow, PlainAppender } from './append.js';
import { appendSpan } from './append-span.js';
import type { Decision } from './decision.js';
import { findKey, findKeys, IdempotencyKeys, type IdempotencyRecord } from './idempotency-records.js';
import { ManyStreams, maxTries } from './many-streams.js';
import {
  type DomainEvent,
  type EventStoreOptions,
  type Loaded,
  prepareAppend,
  type StreamChange,
} from './prepare-append.js';
import { type EventRecord, type StoredEvent, storedEvent } from './stored-event.js';

export type { Appended } from './append.js';
export type { IdempotencyRecord } from './idempotency-records.js';
export type { EventStoreOptions, Loaded, StreamChange } from './prepare-append.js';

/** The outcome of a request under an idempotency key that is not a conflict. */
export type Outcome = Exclude<Appended, 'conflict'>;

/** Receives the types of the events that a batch of appends has stored. */
type AppendListener = (types: readonly string[]) => void;

/**
 * Streams of events with optimistic locking, a hash chain and an inline view (docs/architecture.md, Event store).
 * Database errors are thrown unchanged; `isUnavailable` from @xs2a/postgres/errors shows whether an error is
 * temporary.
 */
export class EventStore<Event extends DomainEvent, State, Refusal = string> {
  /** The same operations on many streams at once, for lists and background work. */
  readonly many: ManyStreams<Event, State, Refusal>;
  /** The idempotency keys that appends have claimed. */
  readonly idempotencyKeys: IdempotencyKeys;
  private readonly appender: Appender;
  private readonly listeners = new Set<AppendListener>();
  private readonly turns = new OneAtATime();

  constructor(private readonly options: EventStoreOptions<Event, State, Refusal>) {
    const types = Object.values<EventType>(options.eventTypes);
    if (options.personalData === undefined && types.some(({ fields }) => fields !== undefined))
      throw new TypeError('a store of events with personal data needs master keys');
    const { pool, appendBatching = true } = options;
    this.idempotencyKeys = new IdempotencyKeys(
      options,
      appendBatching
        ? withLookupBatching(async (lookups) => findKeys(pool, lookups))
        : async (lookup) => findKey(pool, lookup),
    );
    this.appender = this.createAppender();
    this.many = new ManyStreams(options, this.appender);
  }

  /** The functions with which this store folds events into states and view rows. */
  get folding(): Pick<
    EventStoreOptions<Event, State>,
    'evolve' | 'view' | 'eventTypes' | 'beginnings' | 'stateVersion' | 'personalData'
  > {
    return this.options;
  }

  /**
   * Returns the current state of a stream, or undefined if there is no such stream. Throws the refusal `notNow` if it
   * cannot be read here, for example because of an event that only a newer release can read.
   */
  async load(streamId: string): Promise<Loaded<State> | undefined> {
    return (await this.many.load([streamId])).get(streamId);
  }

  /** Returns a stream's events in order, as stored, with personal data encrypted; none if there is no such stream. */
  async history(streamId: string): Promise<StoredEvent[]> {
    const { rows } = await this.options.pool.query<EventRecord>({
      name: 'history',
      text: `SELECT event_id, stream_id, version, type, schema_version, data, meta, occurred_at, prev_hash, hash
        FROM events WHERE stream_id = $1 ORDER BY version`,
      values: [streamId],
    });
    return rows.map(storedEvent);
  }

  /**
   * Stores the events and the view's row together. For every outcome but `appended` it stored nothing; the caller
   * must handle them, and most callers want {@link change}, which repeats after a conflict. Throws RangeError if
   * there are no events.
   */
  async append(change: StreamChange<Event, State>): Promise<Appended> {
    return inSpan(appendSpan([change]), async () =>
      this.appender.append(prepareAppend(change, this.options).row),
    );
  }

  /**
   * Loads the stream, decides and appends, and repeats this after a conflict. Returns the new state. Throws the
   * decision's refusal, `unknownStream` if there is no such stream, or `notNow` after twenty conflicts.
   */
  async change(
    streamId: string,
    decide: (state: State) => Decision<Event, Refusal>,
    { actor }: { readonly actor: string },
  ): Promise<State> {
    const { refusals } = this.options;
    const result = (await this.many.change([streamId], decide, { actor })).get(streamId);
    if (result === undefined) throw refusals.toError(refusals.unknownStream);
    if ('refused' in result) throw refusals.toError(result.refused);
    return result.state;
  }

  /**
   * Executes a {@link change} under an idempotency key once, or returns the known outcome of the earlier request.
   * Throws in the same cases; a request that is refused, or that has nothing to append, claims no key. Concurrent requests wait for each other, so that a
   * client that sends many requests is not refused because of conflicts.
   */
  async changeOnce(
    streamId: string,
    decide: (state: State) => Decision<Event, Refusal>,
    options: { readonly actor: string; readonly idempotencyRecord?: IdempotencyRecord },
  ): Promise<Outcome> {
    return this.turns.run(streamId, async () => this.tryOnce(streamId, decide, options));
  }

  /** Calls `listener` with the types of the events after each batch of appends in this process. Returns a function that unsubscribes it. */
  onAppended(listener: AppendListener): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** Guarded appends use a statement of their own, so that the condition costs the others nothing. */
  private createAppender(): Appender {
    const { pool, view, guard, appendBatching = true, logger } = this.options;
    const onAppended = (rows: readonly AppendRow[]): void => {
      const types = rows.flatMap(({ events }) => events.map(({ type }) => type));
      for (const listener of this.listeners) listener(types);
    };
    const create = (condition?: AppendGuard): Appender => {
      const plain = new PlainAppender(pool, { view, guard: condition }, onAppended);
      return appendBatching ? withAppendBatching(plain, logger) : plain;
    };
    const ordinary = create();
    const guarded = guard && create(guard);
    return {
      append: async (row) => {
        if (!row.isGuarded) return ordinary.append(row);
        if (guarded === undefined) throw new TypeError('a guarded append needs a store with a guard');
        return guarded.append(row);
      },
    };
  }

  private async tryOnce(
    streamId: string,
    decide: (state: State) => Decision<Event, Refusal>,
    { actor, idempotencyRecord }: { readonly actor: string; readonly idempotencyRecord?: IdempotencyRecord },
  ): Promise<Outcome> {
    const { refusals } = this.options;
    for (let tries = 1; tries <= maxTries; tries += 1) {
      const from = await this.load(streamId);
      if (from === undefined) throw refusals.toError(refusals.unknownStream);
      const decision = decide(from.state);
      if ('refused' in decision) {
        // An earlier request with the key may have been executed after the look-up and may be the reason for
        // the refusal.
        const earlier = idempotencyRecord && (await this.idempotencyKeys.find(idempotencyRecord));
        if (earlier !== undefined) return earlier;
        throw refusals.toError(decision.refused);
      }
      const { events } = decision;
      if (events.length === 0) return 'appended';
      const outcome = await this.append({ streamId, from, events, actor, idempotencyRecord });
      if (outcome !== 'conflict') return outcome;
    }
    throw refusals.toError(refusals.notNow);
  }
}
