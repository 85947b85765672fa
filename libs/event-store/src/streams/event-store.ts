import type { Decision } from '@xs2a/domain/decision';
import { fail, type Failure } from '@xs2a/domain/failure/failures';
import { type EventType, NewerEvent, upcastData } from '@xs2a/domain/event-types';
import type { EventResource } from '@xs2a/contracts/published-event';
import { CallFailed, callFailed, dependencyDown } from '@xs2a/domain/failure/failed';
import { binaryArray } from '@xs2a/postgres/binary-array';
import { OneAtATime } from '@xs2a/runtime/one-at-a-time';
import { withAppendBatching } from '../accelerators/with-append-batching.js';
import { type Appended, type Appender, PlainAppender } from './append.js';
import {
  claimRecord,
  type EarlierRequest,
  type IdempotencyRecord,
  IdempotencyRecords,
} from './idempotency-records.js';
import {
  type DomainEvent,
  type EventStoreOptions,
  type Loaded,
  prepareAppend,
  type StreamChange,
} from './prepare-append.js';
import { canonicalJson } from './hash-chain.js';
import type { LostEvent } from './lost-events.js';
import { quotedName } from './quoted-name.js';
import { type ChangesAsked, type ChangesPage, readStateChanges, type StateChange } from './state-changes.js';
import { readStates } from './stream-histories.js';
import { type EventRecord, type StoredEvent, storedEvent } from './stored-event.js';
import type { StateRow } from './view-state.js';
import { openStored, placeOfEvent, streamKeyOf, unwrapped } from '../personal-data/stream-keys.js';

export type { Appended } from './append.js';
export type { IdempotencyRecord } from './idempotency-records.js';
export type { EventStoreOptions, Loaded, StreamChange } from './prepare-append.js';

/**
 * The outcome of {@link EventStore.changeMany} for one stream: its new state, or the reason for the refusal.
 */
export type Changed<State> = { readonly state: State } | { readonly refused: Failure };

/**
 * One of several concurrent changes to a stream always succeeds. Others may come first this many times before a
 * change gives up.
 */
const maxTries = 20;
/** Too many conflicts, or a stream that cannot be read here; another instance or a later attempt may succeed. */
const notNow: Failure = { failure: 'dependencyDown', retryAfter: 1 };

/**
 * Streams of events with optimistic locking, a hash chain and an inline view (architecture, Event store). Database
 * errors are thrown unchanged; `isUnavailable` from @xs2a/postgres/errors shows whether an error is temporary.
 */
export class EventStore<Event extends DomainEvent, State> {
  readonly resource: EventResource;
  private readonly appender: Appender;
  private readonly idempotency: IdempotencyRecords;
  private readonly listeners = new Set<() => void>();
  private readonly turns = new OneAtATime();

  constructor(private readonly options: EventStoreOptions<Event, State>) {
    this.resource = options.resource;
    const types = Object.values<EventType>(options.eventTypes ?? {});
    if (options.personalData === undefined && types.some(({ personal }) => personal !== undefined))
      throw new TypeError('a store of events with personal data needs master keys');
    this.idempotency = new IdempotencyRecords(options.pool);
    const plain = new PlainAppender(options.pool, options.view, () => {
      for (const listener of this.listeners) listener();
    });
    this.appender = (options.appendBatching ?? true) ? withAppendBatching(plain, options.logger) : plain;
  }

  /** The functions with which this store folds events into states and view rows. */
  get folding(): Pick<
    EventStoreOptions<Event, State>,
    'evolve' | 'view' | 'eventTypes' | 'beginnings' | 'stateVersion' | 'personalData'
  > {
    return this.options;
  }

  /** Reads the current state of a stream. */
  async load(streamId: string): Promise<Loaded<State> | undefined> {
    return (await this.loadMany([streamId])).get(streamId);
  }

  /**
   * Throws CallFailed `dependencyDown` if one of the streams cannot be read here, for example because of an event
   * that only a newer release can read. Another instance may be able to read it.
   */
  async loadMany(streamIds: readonly string[]): Promise<Map<string, Loaded<State>>> {
    const { loaded, unreadable } = await this.loadReadable(streamIds);
    if (unreadable.length > 0) throw dependencyDown();
    return loaded;
  }

  /** Returns the states for rows of the status view, in the same order. Throws as {@link loadMany} does. */
  async readStates(rows: readonly StateRow[]): Promise<State[]> {
    return (await this.readReadableStates(rows)).map((state) => {
      if (state === undefined) throw dependencyDown();
      return state;
    });
  }

  /**
   * Returns the same states, but undefined for a stream that cannot be read here, so that a damaged stream or one
   * from a newer release does not block the others.
   */
  async readReadableStates(rows: readonly StateRow[]): Promise<(State | undefined)[]> {
    return readStates(this.options.pool, this.options, rows, this.reportUnreadable);
  }

  /**
   * Reads the changes that events made to their streams, converted by `render` ({@link readStateChanges}). A
   * stream that cannot be read here does not block the others.
   */
  async readChanges<Rendered extends { readonly pos: number }>(
    asked: ChangesAsked,
    render: (change: StateChange<State, Event>) => readonly Rendered[],
  ): Promise<ChangesPage<Rendered>> {
    return readStateChanges(this.options.pool, { ...this.options, render }, asked, this.reportUnreadable);
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

  /** Stores the events and the view's row together, or nothing at all. */
  async append(change: StreamChange<Event, State>): Promise<Appended> {
    return this.appender.append(prepareAppend(change, this.options).row);
  }

  /**
   * Returns the answer already stored for an idempotency key. Called before validation, because a replay takes
   * precedence (contract 3).
   */
  async findEarlierAnswer(
    idempotencyRecord: Omit<IdempotencyRecord, 'answer'>,
  ): Promise<EarlierRequest | undefined> {
    const { begunAt = this.now() } = idempotencyRecord;
    return this.idempotency.find(
      claimRecord({ answer: undefined, ...idempotencyRecord }, this.options.hashKeys),
      begunAt,
    );
  }

  /**
   * Frees an idempotency key whose answer proved invalid, so that the request can be sent again (contract 2). If a
   * different answer has been stored for the key since then, nothing is changed.
   */
  async forgetIdempotencyKey(idempotencyRecord: IdempotencyRecord): Promise<void> {
    await this.idempotency.forget(claimRecord(idempotencyRecord, this.options.hashKeys));
  }

  /**
   * Records that a request was refused. After this, a delayed earlier request with the same key can no longer
   * append anything (`under-way`), but a later one can. `answer` is the value that the refused request stored for
   * the key, or null. Returns false if another request has claimed the key.
   */
  async refuseIdempotencyKey(idempotencyRecord: IdempotencyRecord): Promise<boolean> {
    const { begunAt = '' } = idempotencyRecord;
    const until = [begunAt, this.now()].sort().at(-1) ?? '';
    return this.idempotency.refuse(
      claimRecord(idempotencyRecord, this.options.hashKeys),
      // Also ends requests that began within this millisecond.
      new Date(Date.parse(until) + 1).toISOString(),
    );
  }

  /**
   * Loads the stream, decides and appends, and repeats this after a conflict. Throws CallFailed with the
   * decision's refusal, with `resourceUnknown` if there is no such stream, or with `dependencyDown` after twenty
   * conflicts.
   */
  async change(
    streamId: string,
    decide: (state: State) => Decision<Event>,
    { actor }: { readonly actor: string },
  ): Promise<State> {
    const result = (await this.changeMany([streamId], decide, { actor })).get(streamId);
    if (result === undefined) throw callFailed('resourceUnknown');
    if ('refused' in result) throw new CallFailed([result.refused]);
    return result.state;
  }

  /**
   * A set-based {@link change}. Returns a result for each id, including refusals: `resourceUnknown` if there is no
   * such stream, and `dependencyDown` also for a change with `waitsForComparison` that has to wait
   * ({@link StreamChange}).
   */
  async changeMany(
    streamIds: readonly string[],
    decide: (state: State, streamId: string) => Decision<Event>,
    {
      actor,
      waitsForComparison,
    }: { readonly actor: string; readonly waitsForComparison?: (streamId: string) => boolean },
  ): Promise<Map<string, Changed<State>>> {
    const results = new Map<string, Changed<State>>();
    let open = [...new Set(streamIds)];
    for (let tries = 1; tries <= maxTries && open.length > 0; tries += 1) {
      const { loaded, unreadable } = await this.loadReadable(open);
      for (const id of open) if (!loaded.has(id)) results.set(id, { refused: fail('resourceUnknown') });
      for (const id of unreadable) results.set(id, { refused: notNow });
      open = await this.tryToChange(loaded, decide, { actor, waitsForComparison, results });
    }
    for (const id of open) results.set(id, { refused: notNow });
    return results;
  }

  /**
   * Executes a {@link change} under an idempotency key once, or returns the known outcome of the earlier request.
   * Throws CallFailed in the same cases; a refused request is not stored. Concurrent requests wait for each other,
   * so that a client that sends many requests does not receive a 503.
   */
  async changeOnce(
    streamId: string,
    decide: (state: State) => Decision<Event>,
    { actor, idempotencyRecord }: { readonly actor: string; readonly idempotencyRecord?: IdempotencyRecord },
  ): Promise<Exclude<Appended, 'conflict'>> {
    return this.turns.run(streamId, async () => this.tryOnce(streamId, decide, { actor, idempotencyRecord }));
  }

  private async tryOnce(
    streamId: string,
    decide: (state: State) => Decision<Event>,
    { actor, idempotencyRecord }: { readonly actor: string; readonly idempotencyRecord?: IdempotencyRecord },
  ): Promise<Exclude<Appended, 'conflict'>> {
    for (let tries = 1; tries <= maxTries; tries += 1) {
      const from = await this.load(streamId);
      if (from === undefined) throw callFailed('resourceUnknown');
      const decision = decide(from.state);
      if ('refused' in decision) {
        // An earlier request with the key may have been executed after the look-up and may be the reason for
        // the refusal.
        const earlier = idempotencyRecord && (await this.findEarlierAnswer(idempotencyRecord));
        if (earlier !== undefined) return earlier;
        throw new CallFailed([decision.refused]);
      }
      const outcome = await this.append({
        streamId,
        from,
        events: decision.events,
        actor,
        idempotencyRecord,
      });
      if (outcome !== 'conflict') return outcome;
    }
    throw dependencyDown();
  }

  /**
   * Repeats an append that the database lost (ADR 35). `mayTake` decides whether to do so, given the types of all
   * events that the stream would then have, and whether the stream ends with exactly the version that the lost
   * events followed. Returns true if the stream now ends with these events, even if another process, such as a
   * sweep, appended the same events in the meantime. Returns false if the stream is unknown here, `mayTake`
   * refuses, or there were twenty conflicts.
   */
  async endAgain(
    published: readonly LostEvent[],
    mayTake: (types: readonly string[], isDirectlyBehind: boolean) => boolean,
  ): Promise<boolean> {
    const { eventTypes } = this.options;
    const [first] = published;
    if (first === undefined || eventTypes === undefined) return false;
    const { stream_id: streamId, actor } = first;
    const types = published.map(({ type }) => type);
    for (let tries = 1; tries <= maxTries; tries += 1) {
      const from = await this.load(streamId);
      if (from === undefined) return false;
      // Both sides are compared in the newest version of their event types, because the same events may have
      // been appended again in a newer version.
      const read = (
        eventId: string,
        event: { type: string; schemaVersion: number; data: unknown },
      ): Event => {
        const place = placeOfEvent(eventId);
        const data = openStored(event.data, { streamId, place, key: from.key });
        return { type: event.type, data: upcastData(eventTypes, { ...event, data }) } as Event;
      };
      const lost = published.map((event) =>
        read(event.event_id, { ...event, schemaVersion: event.schema_version }),
      );
      const history = (await this.history(streamId)).map((event) => read(event.eventId, event));
      if (endsWith(history, lost)) return true;
      if (history.length > from.version) continue;
      const after = [...history.map(({ type }) => type), ...types];
      if (history.length < from.version || !mayTake(after, first.version === from.version + 1)) return false;
      if ((await this.append({ streamId, from, events: lost, actor })) === 'appended') return true;
    }
    return false;
  }

  /** Calls `listener` after each batch of appends in this process. Returns a function that unsubscribes it. */
  onAppended(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** Removes expired idempotency keys, at most 10,000 at a time, and returns the number removed. */
  async pruneIdempotencyKeys(limit: number): Promise<number> {
    return this.idempotency.prune(this.now(), limit);
  }

  private now(): string {
    return new Date(this.options.clock.nowMs()).toISOString();
  }

  private readonly reportUnreadable = (streamId: string, error: unknown): void => {
    const { logger } = this.options;
    if (error instanceof NewerEvent) logger.warn({ streamId, type: error.type }, error.message);
    else logger.error({ streamId, error }, 'replaying the events of a stream failed');
  };

  private async loadReadable(
    streamIds: readonly string[],
  ): Promise<{ readonly loaded: Map<string, Loaded<State>>; readonly unreadable: readonly string[] }> {
    const { rows } = await this.options.pool.query<StateRow & { readonly last_hash: Buffer }>({
      name: `load-${this.options.view.table}`,
      text: `SELECT stream_id, version, state, last_hash, ${streamKeyOf('v')} AS stream_key
        FROM ${quotedName(this.options.view.table)} v WHERE stream_id = ANY($1::uuid[])`,
      values: [binaryArray('uuid', streamIds)],
    });
    const states = await this.readReadableStates(rows);
    const loaded = new Map<string, Loaded<State>>();
    const unreadable: string[] = [];
    for (const [index, { stream_id, version, last_hash: lastHash, stream_key: wrapped }] of rows.entries()) {
      const state = states[index];
      if (state === undefined) unreadable.push(stream_id);
      else
        loaded.set(stream_id, {
          state,
          version,
          lastHash,
          key: unwrapped(wrapped, this.options.personalData),
        });
    }
    return { loaded, unreadable };
  }

  /** Performs one round of {@link changeMany} and returns the ids that had a conflict. */
  private async tryToChange(
    streams: ReadonlyMap<string, Loaded<State>>,
    decide: (state: State, streamId: string) => Decision<Event>,
    {
      actor,
      waitsForComparison,
      results,
    }: {
      readonly actor: string;
      readonly waitsForComparison?: (streamId: string) => boolean;
      readonly results: Map<string, Changed<State>>;
    },
  ): Promise<string[]> {
    const overtaken: string[] = [];
    const appendTo = async (streamId: string, from: Loaded<State>, events: readonly Event[]) => {
      const { row, state } = prepareAppend(
        { streamId, from, events, actor, waitsForComparison: waitsForComparison?.(streamId) },
        this.options,
      );
      if ((await this.appender.append(row)) === 'appended') results.set(streamId, { state });
      else overtaken.push(streamId);
    };
    const appends: Promise<void>[] = [];
    for (const [streamId, from] of streams) {
      const decision = decide(from.state, streamId);
      if ('refused' in decision) results.set(streamId, decision);
      else if (decision.events.length === 0) results.set(streamId, { state: from.state });
      else appends.push(appendTo(streamId, from, decision.events));
    }
    await Promise.all(appends);
    return overtaken;
  }
}

/** True if a stream ends with events that are equivalent to the lost ones. */
const endsWith = (history: readonly DomainEvent[], lost: readonly DomainEvent[]): boolean => {
  const last = history.slice(-lost.length);
  return lost.every(
    ({ type, data }, index) =>
      last[index]?.type === type && canonicalJson(last[index].data) === canonicalJson(data),
  );
};

/**
 * Answers a request that must not be executed. Returns the answer to the first request with its idempotency key,
 * or throws CallFailed (`idempotencyKeyReused`, `firstAttemptUnderWay` with Retry-After). Contract 2.
 */
export const replayAnswer = <Answer>(outcome: Exclude<Appended, 'appended'>): Answer => {
  if (typeof outcome === 'object') return outcome.replay as Answer;
  if (outcome === 'key-reused') throw callFailed('idempotencyKeyReused');
  if (outcome === 'under-way') throw new CallFailed([{ failure: 'firstAttemptUnderWay', retryAfter: 1 }]);
  throw dependencyDown();
};
