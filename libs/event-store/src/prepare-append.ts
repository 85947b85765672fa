import type { EventResource } from '@xs2a/contracts/published-event';
import { callContext } from '@xs2a/messaging/call-context';
import type { EventTypes } from '@xs2a/domain/event-types';
import type { Logger } from '@xs2a/observability/logger';
import type { Clock } from '@xs2a/runtime/clock';
import { newId } from '@xs2a/runtime/ids';
import type { Pool } from 'pg';
import type { AppendRow, AttemptClaim, EventRow } from './append-statement.js';
import { dayMs } from './appender.js';
import { canonicalJson, chainHash, chainStart } from './hash-chain.js';
import type { InlineView } from './inline-view.js';
import type { EventMeta } from './stored-event.js';

export interface DomainEvent {
  readonly type: string;
  readonly data: unknown;
}

export interface EventStoreOptions<Event extends DomainEvent, State> {
  /** Its search path leads to the schema of {@link eventStoreTables} and of the view. */
  readonly pool: Pool;
  readonly resource: EventResource;
  /** Folds an event into the state; `at` is when it happened (ISO instant). */
  readonly evolve: (state: State | undefined, event: Event, at: string) => State;
  readonly view: InlineView<State>;
  readonly clock: Pick<Clock, 'nowMs'>;
  readonly logger: Logger;
  /** The registry of event types: what version is written, and how older ones are read. Absent: all are version 1. */
  readonly eventTypes?: EventTypes<Event['type']>;
  /** Version of each event type's data where it is not the registry's. */
  readonly schemaVersions?: Readonly<Partial<Record<Event['type'], number>>>;
}

/** A stream as it stood when it was read: what the next append builds on. */
export interface Loaded<State> {
  readonly state: State;
  readonly version: number;
  readonly lastHash: Buffer;
}

export interface StreamChange<Event extends DomainEvent, State> {
  /** UUID. */
  readonly streamId: string;
  /** Absent: a new stream. */
  readonly from?: Loaded<State>;
  /** At least one. */
  readonly events: readonly Event[];
  /** Who did it: a TPP's client id, a PSU's id, or a service. */
  readonly actor: string;
  readonly attempt?: AttemptClaim;
}

/**
 * Folds the events, chains their hashes and fills the view's row: everything that is done before the database is asked.
 * `next`: how the stream stands once it is appended.
 */
export const prepareAppend = <Event extends DomainEvent, State>(
  change: StreamChange<Event, State>,
  options: EventStoreOptions<Event, State>,
): { readonly row: AppendRow; readonly next: Loaded<State> } => {
  const { streamId, from, attempt } = change;
  const nowMs = options.clock.nowMs();
  const occurredAt = isoInstant(nowMs);
  const metaJson = metaJsonOf(change.actor);
  let state = from?.state;
  let prevHash: Buffer = from?.lastHash ?? chainStart;
  let version = from?.version ?? 0;
  const events: EventRow[] = [];
  for (const event of change.events) {
    version += 1;
    state = options.evolve(state, event, occurredAt);
    const type: Event['type'] = event.type;
    const schemaVersion = options.schemaVersions?.[type] ?? options.eventTypes?.[type].schemaVersion ?? 1;
    const head = { eventId: newId(), streamId, version, type, schemaVersion, occurredAt };
    const dataJson = Buffer.from(canonicalJson(event.data));
    const hash = chainHash(prevHash, head, dataJson, metaJson);
    events.push({ ...head, dataJson, metaJson, prevHash, hash });
    prevHash = hash;
  }
  if (state === undefined || events.length === 0) throw new RangeError('an append has at least one event');
  const row: AppendRow = {
    streamId,
    version,
    stateJson: Buffer.from(JSON.stringify(state)),
    view: options.view.row(state),
    events,
    ...(attempt === undefined ? {} : { attempt, attemptExpiresAt: new Date(nowMs + dayMs).toISOString() }),
  };
  return { row, next: { state, version, lastHash: prevHash } };
};

/** Keeps what it answered last: the appends of a batch ask the same. */
const lastAnswer = <Question extends readonly unknown[], Answer>(
  answer: (...question: Question) => Answer,
): ((...question: Question) => Answer) => {
  let kept: { readonly question: Question; readonly answer: Answer } | undefined;
  return (...question) => {
    if (kept?.question.every((part, index) => part === question[index]) === true) return kept.answer;
    kept = { question, answer: answer(...question) };
    return kept.answer;
  };
};

const isoInstant = lastAnswer((ms: number): string => new Date(ms).toISOString());

const metaText = lastAnswer(
  (actor: string, requestId: string | undefined, traceparent: string | undefined): string => {
    const meta: EventMeta = {
      actor,
      ...(requestId === undefined ? {} : { requestId }),
      ...(traceparent === undefined ? {} : { traceparent }),
    };
    return canonicalJson(meta);
  },
);
const metaJsonOf = (actor: string): string => {
  const context = callContext.getStore();
  return metaText(actor, context?.requestId, context?.traceparent);
};
