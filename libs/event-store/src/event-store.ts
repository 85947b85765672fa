import type { Decision } from '@xs2a/domain/decision';
import { fail, type Failure } from '@xs2a/domain/failure/failures';
import type { EventResource } from '@xs2a/contracts/published-event';
import { CallFailed, callFailed, dependencyDown } from '@xs2a/messaging/call-failed';
import { binaryArray } from '@xs2a/postgres/binary-array';
import { OneAtATime } from '@xs2a/runtime/one-at-a-time';
import { AppendQueue, type Appended } from './append-queue.js';
import { type AppendRow, AppendStatement, type AttemptClaim } from './append-statement.js';
import { Appender } from './appender.js';
import {
  type DomainEvent,
  type EventStoreOptions,
  type Loaded,
  prepareAppend,
  type StreamChange,
} from './prepare-append.js';
import { RecentStreams } from './recent-streams.js';
import { type EventRecord, type StoredEvent, storedEvent } from './stored-event.js';

export type { Appended } from './append-queue.js';
export type { AttemptClaim } from './append-statement.js';
export type { EventStoreOptions, Loaded, StreamChange } from './prepare-append.js';

/** What a set-wise change did to one stream: its state afterwards, or why it was refused. */
export type Changed<State> = { readonly state: State } | { readonly refused: Failure };

const mostTries = 5;
const mostRemembered = 1000;

interface PreparedChange<State> {
  readonly streamId: string;
  readonly row: AppendRow;
  readonly next: Loaded<State>;
}

/**
 * Streams of events with an optimistic lock, a hash chain and a view that is written along (architecture, Event store).
 * Errors of the database are thrown as they are: `isUnavailable` of @xs2a/postgres/errors tells those that pass.
 */
export class EventStore<Event extends DomainEvent, State> {
  readonly resource: EventResource;
  private readonly appender: Appender;
  private readonly queue: AppendQueue;
  private readonly listeners = new Set<() => void>();
  private readonly turns = new OneAtATime();
  private readonly recent = new RecentStreams<State>(mostRemembered);

  constructor(private readonly options: EventStoreOptions<Event, State>) {
    this.resource = options.resource;
    this.appender = new Appender(options.pool, new AppendStatement(options.view), options.logger);
    this.queue = new AppendQueue(
      async (rows) => this.appender.append(rows),
      () => {
        for (const listener of this.listeners) listener();
      },
    );
  }

  /** How this store folds events into states and view rows. */
  get folding(): Pick<EventStoreOptions<Event, State>, 'evolve' | 'view' | 'eventTypes'> {
    return this.options;
  }

  /** Undefined: no such stream. */
  async load(streamId: string): Promise<Loaded<State> | undefined> {
    return (await this.loadMany([streamId])).get(streamId);
  }

  async loadMany(streamIds: readonly string[]): Promise<Map<string, Loaded<State>>> {
    const { rows } = await this.options.pool.query<{
      stream_id: string;
      version: number;
      state: State;
      hash: Buffer;
    }>({
      name: `load-${this.options.view.table}`,
      // OFFSET 0 keeps this a look-up for each stream: kept plans from a small table read all events instead.
      text: `SELECT v.stream_id, v.version, v.state, e.hash FROM "${this.options.view.table}" v
        CROSS JOIN LATERAL
          (SELECT hash FROM events WHERE stream_id = v.stream_id AND version = v.version OFFSET 0) e
        WHERE v.stream_id = ANY($1::uuid[])`,
      values: [binaryArray('uuid', streamIds)],
    });
    return new Map(
      rows.map(({ stream_id, version, state, hash }) => [stream_id, { state, version, lastHash: hash }]),
    );
  }

  /** {@link loadMany} for streams that {@link changeMany} is about to be asked for: it need not load them again. */
  async loadToChange(streamIds: readonly string[]): Promise<Map<string, Loaded<State>>> {
    const loaded = await this.loadMany(streamIds);
    for (const [streamId, stream] of loaded) this.recent.remember(streamId, stream);
    return loaded;
  }

  /** All events of a stream in order; none: no such stream. */
  async history(streamId: string): Promise<StoredEvent[]> {
    const { rows } = await this.options.pool.query<EventRecord>({
      name: 'history',
      text: `SELECT event_id, stream_id, version, type, schema_version, data, meta, occurred_at, prev_hash, hash
        FROM events WHERE stream_id = $1 ORDER BY version`,
      values: [streamId],
    });
    return rows.map(storedEvent);
  }

  /** Stores the events and the view's row, or nothing. Appends that arrive at the same time share a statement. */
  async append(change: StreamChange<Event, State>): Promise<Appended> {
    return this.queue.add(prepareAppend(change, this.options).row);
  }

  /** Set-wise {@link append}: one outcome each, in order; one that fails does not fail the others. */
  async appendMany(changes: readonly StreamChange<Event, State>[]): Promise<Appended[]> {
    const rows = changes.map((change) => prepareAppend(change, this.options).row);
    return Promise.all(rows.map(async (row) => this.queue.add(row)));
  }

  /** What an attempt was answered before, if it was; asked before validation, since a replay comes first (contract 3). */
  async findAttempt(
    attempt: Omit<AttemptClaim, 'answer'>,
  ): Promise<{ readonly replay: unknown } | 'attempt-reused' | undefined> {
    const now = new Date(this.options.clock.nowMs()).toISOString();
    return this.appender.findAttempt(attempt, now);
  }

  /**
   * Loads, decides and appends, again when somebody else was first. Throws CallFailed: what the decision refused,
   * `resourceUnknown` for no such stream, `dependencyDown` when five tries were overtaken.
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
   * Set-wise {@link change}: a result for each id, refusals included; `resourceUnknown` for no such stream. It begins with
   * the streams as this process last saw them: an append to one that has moved on since is a conflict. A decision that
   * appends nothing would not notice, so it is made again on the stream as it stands.
   */
  async changeMany(
    streamIds: readonly string[],
    decide: (state: State, streamId: string) => Decision<Event>,
    { actor }: { readonly actor: string },
  ): Promise<Map<string, Changed<State>>> {
    const results = new Map<string, Changed<State>>();
    const wanted = new Set(streamIds);
    const known = this.recent.take([...wanted]);
    let open = await this.tryToChange(known, decide, { actor, results });
    const unsure = [...known.keys()].filter((id) => isUnsure(results.get(id), known.get(id)));
    open = [...new Set([...open, ...unsure, ...[...wanted].filter((id) => !known.has(id))])];
    for (let tries = 1; tries <= mostTries && open.length > 0; tries += 1) {
      const loaded = await this.loadMany(open);
      for (const id of open) if (!loaded.has(id)) results.set(id, { refused: fail('resourceUnknown') });
      open = await this.tryToChange(loaded, decide, { actor, results });
    }
    for (const id of open) results.set(id, { refused: { failure: 'dependencyDown', retryAfter: 1 } });
    return results;
  }

  /**
   * {@link change} under an attempt's key: carried out once, or what is known of the earlier attempt. Throws CallFailed as
   * that does; a refused attempt is not kept. Those that come at once wait for each other, so that a client that sends many
   * is not told that the service is away.
   */
  async changeOnce(
    streamId: string,
    decide: (state: State) => Decision<Event>,
    { actor, attempt }: { readonly actor: string; readonly attempt?: AttemptClaim },
  ): Promise<Exclude<Appended, 'conflict'>> {
    return this.turns.run(streamId, async () => this.tryOnce(streamId, decide, { actor, attempt }));
  }

  private async tryOnce(
    streamId: string,
    decide: (state: State) => Decision<Event>,
    { actor, attempt }: { readonly actor: string; readonly attempt?: AttemptClaim },
  ): Promise<Exclude<Appended, 'conflict'>> {
    for (let tries = 1; tries <= mostTries; tries += 1) {
      const from = await this.load(streamId);
      if (from === undefined) throw callFailed('resourceUnknown');
      const decision = decide(from.state);
      if ('refused' in decision) throw new CallFailed([decision.refused]);
      const outcome = await this.append({ streamId, from, events: decision.events, actor, attempt });
      if (outcome !== 'conflict') return outcome;
    }
    throw dependencyDown();
  }

  /** Calls `listener` after each batch of appends of this process. */
  onAppended(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** Removes idempotency keys that no longer count; answers how many. At most 10,000 at a time. */
  async pruneAttempts(): Promise<number> {
    const { rowCount } = await this.options.pool.query({
      name: 'prune-attempts',
      text: `DELETE FROM attempt WHERE expires_at <= $1 AND ctid = ANY(ARRAY(
        SELECT ctid FROM attempt WHERE expires_at <= $1 ORDER BY expires_at LIMIT 10000 FOR UPDATE SKIP LOCKED))`,
      values: [new Date(this.options.clock.nowMs()).toISOString()],
    });
    return rowCount ?? 0;
  }

  /** One round of {@link changeMany}; answers the ids that were overtaken. */
  private async tryToChange(
    streams: ReadonlyMap<string, Loaded<State>>,
    decide: (state: State, streamId: string) => Decision<Event>,
    { actor, results }: { readonly actor: string; readonly results: Map<string, Changed<State>> },
  ): Promise<string[]> {
    const changes: PreparedChange<State>[] = [];
    for (const [streamId, from] of streams) {
      const decision = decide(from.state, streamId);
      if ('refused' in decision) results.set(streamId, decision);
      else if (decision.events.length === 0) results.set(streamId, { state: from.state });
      else
        changes.push({
          streamId,
          ...prepareAppend({ streamId, from, events: decision.events, actor }, this.options),
        });
    }
    const outcomes = await Promise.all(changes.map(async ({ row }) => this.queue.add(row)));
    const overtaken: string[] = [];
    for (const [index, { streamId, next }] of changes.entries()) {
      if (outcomes[index] === 'appended') {
        this.recent.remember(streamId, next);
        results.set(streamId, { state: next.state });
      } else overtaken.push(streamId);
    }
    return overtaken;
  }
}

/** Nothing was appended to the stream, so nothing proved that it still stands as it was remembered. */
const isUnsure = <State>(result: Changed<State> | undefined, from: Loaded<State> | undefined): boolean =>
  result !== undefined && ('refused' in result || result.state === from?.state);

/**
 * What an attempt that is not to be carried out is answered: its first answer again, or CallFailed
 * (`idempotencyKeyReused`, `firstAttemptUnderWay` with Retry-After). Contract 2.
 */
export const answerOfEarlierAttempt = <Answer>(outcome: Exclude<Appended, 'appended'>): Answer => {
  if (typeof outcome === 'object') return outcome.replay as Answer;
  if (outcome === 'attempt-reused') throw callFailed('idempotencyKeyReused');
  if (outcome === 'under-way') throw new CallFailed([{ failure: 'firstAttemptUnderWay', retryAfter: 1 }]);
  throw dependencyDown();
};
