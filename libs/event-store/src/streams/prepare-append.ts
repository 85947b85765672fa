import { callContext } from '@xs2a/calls/context';
import type { EventTypes } from '@xs2a/events/event-types';
import type { Logger } from '@xs2a/observability/logger';
import type { Clock } from '@xs2a/runtime/clock';
import type { HashKeys } from '@xs2a/postgres/hash-keys';
import { newId } from '@xs2a/runtime/ids';
import type { Pool } from 'pg';
import type { AppendGuard, AppendRow, EventRow } from './append.js';
import type { Refusals } from './decision.js';
import { claimRecord, type IdempotencyRecord, dayMs } from './idempotency-records.js';
import { canonicalJson, chainHash, chainStart } from './hash-chain.js';
import { columnHash, type InlineView } from './inline-view.js';
import { storedState } from './view-state.js';
import { encryptMembers } from '../encryption/encrypted-members.js';
import { newStreamKey, type PersonalData, placeOfEvent, type StreamKey } from '../encryption/stream-keys.js';

export interface DomainEvent {
  readonly type: string;
  readonly data: unknown;
}

export interface EventStoreOptions<Event extends DomainEvent, State, Refusal = unknown> {
  /** A pool whose search path contains the schema of `eventStoreTables` and of the view. */
  readonly pool: Pool;
  /** Folds an event into the state. `at` is the time at which the event occurred (ISO instant). */
  evolve(state: State | undefined, event: Event, at: string): State;
  /** Must change with the shape or meaning of the states: a state of another version is folded again. */
  readonly stateVersion: number;
  readonly view: InlineView<State>;
  /**
   * The event types with which streams of this store begin. Set if the schema also contains streams of another
   * store (payments and baskets). If absent, all streams of the schema belong to this store.
   */
  readonly beginnings?: readonly Event['type'][];
  readonly clock: Pick<Clock, 'nowMs'>;
  readonly logger: Logger;
  /** The registry of event types, which defines the version that is written and how older versions are read. */
  readonly eventTypes: EventTypes<Event['type']>;
  /** The keys and members for encrypting personal data. Required if an event type of the store has a field table. */
  readonly personalData?: PersonalData;
  /** The keys for hashing idempotency keys and request bodies. */
  readonly hashKeys: HashKeys;
  /** How the store reports refusals. */
  readonly refusals: Refusals<Refusal>;
  /** The condition for guarded appends ({@link StreamChange}). */
  readonly guard?: AppendGuard;
  /** Combines simultaneous appends, and look-ups of keys, into one statement (`accelerators`). Default: true. */
  readonly appendBatching?: boolean;
}

/** A stream in the state in which it was read. The next append is based on it. */
export interface Loaded<State> {
  readonly state: State;
  readonly version: number;
  readonly lastHash: Buffer;
  /** The key of the stream. Absent until some of the stream's data is encrypted. */
  readonly key?: StreamKey | undefined;
  /** The trace context of the last event, read only if the current trace is recorded. */
  readonly traceparent?: string | undefined;
}

export interface StreamChange<Event extends DomainEvent, State> {
  /** UUID. */
  readonly streamId: string;
  /** Absent for a new stream. */
  readonly from?: Loaded<State>;
  /** The events to append, at least one. */
  readonly events: readonly Event[];
  /** A TPP's client id, `psu`, or a service. Not encrypted, so it must not be a person's id. */
  readonly actor: string;
  readonly idempotencyRecord?: IdempotencyRecord;
  /** True if the append must satisfy the store's guard; otherwise it is refused (`conflict`). */
  readonly isGuarded?: boolean | undefined;
}

const begunAtMs = ({ begunAt }: IdempotencyRecord, nowMs: number): number =>
  begunAt === undefined ? nowMs : Date.parse(begunAt);

/**
 * Does everything that precedes the database call: folds the events, encrypts their personal data, chains their
 * hashes and builds the view's row. `state` is the stream's state after the append.
 */
export const prepareAppend = <Event extends DomainEvent, State>(
  change: StreamChange<Event, State>,
  options: Pick<
    EventStoreOptions<Event, State>,
    'clock' | 'evolve' | 'eventTypes' | 'hashKeys' | 'personalData' | 'stateVersion' | 'view'
  >,
): { readonly row: AppendRow; readonly state: State } => {
  const { streamId, from, idempotencyRecord } = change;
  const nowMs = options.clock.nowMs();
  const occurredAt = new Date(nowMs).toISOString();
  // JSON omits undefined members.
  const { requestId, traceparent } = callContext.getStore() ?? {};
  const metaJson = canonicalJson({ actor: change.actor, requestId, traceparent });
  const { personalData, stateVersion } = options;
  const key = personalData && (from?.key ?? newStreamKey(personalData.masterKeys));
  let state = from?.state;
  let prevHash: Buffer = from?.lastHash ?? chainStart;
  let version = from?.version ?? 0;
  const events: EventRow[] = [];
  for (const event of change.events) {
    version += 1;
    state = options.evolve(state, event, occurredAt);
    const type: Event['type'] = event.type;
    const { schemaVersion, fields } = options.eventTypes[type];
    const head = { eventId: newId(), streamId, version, type, schemaVersion, occurredAt };
    const place = placeOfEvent(head.eventId);
    const data = key ? encryptMembers(event.data, { fields, key: key.bytes, place }) : event.data;
    const dataJson = Buffer.from(canonicalJson(data));
    const hash = chainHash(prevHash, head, dataJson, metaJson);
    events.push({ ...head, dataJson, metaJson, prevHash, hash });
    prevHash = hash;
  }
  if (state === undefined || events.length === 0) throw new RangeError('an append needs at least one event');
  const row: AppendRow = {
    streamId,
    version,
    stateJson: Buffer.from(storedState(state, { streamId, stateVersion, version, personalData, key })),
    view: options.view.row(state, columnHash(options.hashKeys)),
    events,
    ...(key?.wrapped === undefined ? {} : { wrappedKey: key.wrapped.key, masterKey: key.wrapped.masterKey }),
    isGuarded: change.isGuarded ?? false,
    ...(idempotencyRecord === undefined
      ? {}
      : {
          idempotencyRecord: claimRecord(idempotencyRecord, options.hashKeys),
          idempotencyExpiresAt: new Date(begunAtMs(idempotencyRecord, nowMs) + dayMs).toISOString(),
        }),
  };
  return { row, state };
};
