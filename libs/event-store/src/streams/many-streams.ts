import { NewerEvent } from '@xs2a/events/event-types';
import { binaryArray } from '@xs2a/postgres/binary-array';
import { callContext } from '@xs2a/calls/context';
import { inSpan } from '@xs2a/calls/in-span';
import { isSampled } from '@xs2a/observability/tracing/spans';
import { streamKeyOf, unwrapped } from '../encryption/stream-keys.js';
import type { Appender } from './append.js';
import { appendSpan, traceparentOf } from './append-span.js';
import type { Decision } from './decision.js';
import {
  type DomainEvent,
  type EventStoreOptions,
  type Loaded,
  prepareAppend,
  type StreamChange,
} from './prepare-append.js';
import { quotedName } from './quoted-name.js';
import { type ChangesAsked, type ChangesPage, readStateChanges, type StateChange } from './state-changes.js';
import { readStates } from './stream-histories.js';
import type { StateRow } from './view-state.js';

/** The outcome of {@link ManyStreams.change} for one stream: its new state, or the reason for the refusal. */
export type Changed<State, Refusal> = { readonly state: State } | { readonly refused: Refusal };

/** One of several concurrent changes always succeeds. A change gives up after this many others came first. */
export const maxTries = 20;

interface LoadedRow extends StateRow {
  readonly last_hash: Buffer;
  readonly traceparent?: string | null;
}

interface Changing {
  readonly actor: string;
  /** True for the streams whose append must pass the store's guard. Default: none. */
  readonly isGuarded?: (streamId: string) => boolean;
}

/** Operations on many streams, read with one statement. {@link change} decides each stream on its own. */
export class ManyStreams<Event extends DomainEvent, State, Refusal> {
  constructor(
    private readonly options: EventStoreOptions<Event, State, Refusal>,
    private readonly appender: Appender,
  ) {}

  /** Returns the states of the streams that exist. Throws the refusal `notNow` if one cannot be read here. */
  async load(streamIds: readonly string[]): Promise<Map<string, Loaded<State>>> {
    const { loaded, unreadable } = await this.loadReadable(streamIds);
    if (unreadable.length > 0) throw this.notNow();
    return loaded;
  }

  /** Returns the states for rows of the status view, in the same order. Throws as {@link load} does. */
  async readStates(rows: readonly StateRow[]): Promise<State[]> {
    return (await this.readReadableStates(rows)).map((state) => {
      if (state === undefined) throw this.notNow();
      return state;
    });
  }

  /** The same, but undefined for a stream that cannot be read here, so that it does not block the others. */
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

  /**
   * Loads the streams, decides and appends, and repeats this for those that had a conflict. Returns a result for
   * each id, including refusals: `unknownStream` if there is no such stream, and `notNow` after twenty conflicts,
   * among them those with the store's guard.
   */
  async change(
    streamIds: readonly string[],
    decide: (state: State, streamId: string) => Decision<Event, Refusal>,
    changing: Changing,
  ): Promise<Map<string, Changed<State, Refusal>>> {
    const { unknownStream, notNow } = this.options.refusals;
    const results = new Map<string, Changed<State, Refusal>>();
    let open = [...new Set(streamIds)];
    for (let tries = 1; tries <= maxTries && open.length > 0; tries += 1) {
      const { loaded, unreadable } = await this.loadReadable(open);
      for (const id of open) if (!loaded.has(id)) results.set(id, { refused: unknownStream });
      for (const id of unreadable) results.set(id, { refused: notNow });
      open = await this.tryToChange(loaded, decide, { ...changing, results });
    }
    for (const id of open) results.set(id, { refused: notNow });
    return results;
  }

  /** Performs one round of {@link change} and returns the ids that had a conflict. */
  private async tryToChange(
    streams: ReadonlyMap<string, Loaded<State>>,
    decide: (state: State, streamId: string) => Decision<Event, Refusal>,
    { actor, isGuarded, results }: Changing & { readonly results: Map<string, Changed<State, Refusal>> },
  ): Promise<string[]> {
    const changes: StreamChange<Event, State>[] = [];
    for (const [streamId, from] of streams) {
      const decision = decide(from.state, streamId);
      if ('refused' in decision) results.set(streamId, decision);
      else if (decision.events.length === 0) results.set(streamId, { state: from.state });
      else changes.push({ streamId, from, events: decision.events, actor, isGuarded: isGuarded?.(streamId) });
    }
    if (changes.length === 0) return [];
    const overtaken: string[] = [];
    const append = async (change: StreamChange<Event, State>): Promise<void> => {
      const { row, state } = prepareAppend(change, this.options);
      if ((await this.appender.append(row)) === 'appended') results.set(change.streamId, { state });
      else overtaken.push(change.streamId);
    };
    await inSpan(appendSpan(changes), async () => Promise.all(changes.map(append)));
    return overtaken;
  }

  private async loadReadable(
    streamIds: readonly string[],
  ): Promise<{ readonly loaded: Map<string, Loaded<State>>; readonly unreadable: readonly string[] }> {
    const { pool, view, personalData } = this.options;
    const isTraced = isSampled(callContext.getStore()?.traceparent);
    const { rows } = await pool.query<LoadedRow>({
      name: `load-${isTraced ? 'traced-' : ''}${view.table}`,
      text: `SELECT stream_id, version, state, last_hash, ${streamKeyOf('v')} AS stream_key
          ${isTraced ? `, ${traceparentOf('v')} AS traceparent` : ''}
        FROM ${quotedName(view.table)} v WHERE stream_id = ANY($1::uuid[])`,
      values: [binaryArray('uuid', streamIds)],
    });
    const states = await this.readReadableStates(rows);
    const loaded = new Map<string, Loaded<State>>();
    const unreadable: string[] = [];
    for (const [index, row] of rows.entries()) {
      const { stream_id, version, last_hash: lastHash, stream_key: wrapped } = row;
      const state = states[index];
      if (state === undefined) {
        unreadable.push(stream_id);
        continue;
      }
      const key = unwrapped(wrapped, personalData);
      loaded.set(stream_id, { state, version, lastHash, key, traceparent: row.traceparent ?? undefined });
    }
    return { loaded, unreadable };
  }

  private notNow(): Error {
    const { toError, notNow } = this.options.refusals;
    return toError(notNow);
  }

  private readonly reportUnreadable = (streamId: string, error: unknown): void => {
    const { logger } = this.options;
    if (error instanceof NewerEvent) logger.warn({ streamId, type: error.type }, error.message);
    else logger.error({ streamId, error }, 'replaying the events of a stream failed');
  };
}
