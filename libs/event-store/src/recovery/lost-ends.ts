import type { PublishedEvent } from '@xs2a/events/published-event';
import type { Logger } from '@xs2a/observability/logger';
import type { Session } from '@xs2a/postgres/session-lock';
import type { Pool } from 'pg';
import { type LostEvent, recordLost, release, waitingAppends } from './lost-events.js';
import type { RelayStream } from '../publishing/jetstream-copy.js';
import type { Resource } from '../resource.js';

/** The published events that the database lost: how many there are, and which streams they block. */
interface Losses {
  readonly events: number;
  readonly held: ReadonlySet<string>;
}

/**
 * Records the events that the stream has after a sequence but the database does not. `behind` is the sequence of
 * the newest event that both have, or undefined if the stream is empty. Works page by page, so that it finishes
 * however many events there are. `stop` aborts it between two pages, and it then throws.
 */
export const recordLosses = async (
  { holds }: Resource,
  {
    session,
    stream,
    behind,
    stop,
  }: {
    readonly session: Session;
    readonly stream: RelayStream;
    readonly behind: number | undefined;
    readonly stop: AbortSignal;
  },
): Promise<Losses> => {
  const held = new Set<string>();
  let events = 0;
  if (behind === undefined) return { events, held };
  for await (const copies of stream.eventsBehind(behind)) {
    stop.throwIfAborted();
    const lost = await recordLost(
      session,
      copies.map((copy) => toLostEvent(copy, holds)),
    );
    events += lost.length;
    for (const event of lost) if (event.holds) held.add(event.stream_id);
  }
  return { events, held };
};

/** The part of an event store that appends lost events of the relay's resource again. */
export interface EndsAgain {
  readonly resource: Resource;
  endAgain(
    lost: readonly LostEvent[],
    mayTake: (types: readonly string[], isDirectlyBehind: boolean) => boolean,
  ): Promise<boolean>;
}
interface Parts {
  readonly pool: Pool;
  readonly store: EndsAgain;
  readonly logger: Logger;
}

/**
 * Appends again the lost events that ended a payment, a consent or a part of one (ADR 35). Events that cannot be
 * appended now wait for the next leader or an operator. Never rejects.
 */
export const repeatLostEnds = async (parts: Parts): Promise<void> => {
  const { pool, store, logger } = parts;
  try {
    for (const lost of await waitingAppends(pool)) await endOneAgain(parts, lost);
  } catch (error) {
    logger.error({ error, resource: store.resource.name }, notYet);
  }
};

const notYet = 're-appending final events that the database had lost failed; will retry';

/** A failure to end one stream, for any reason, does not affect the others. */
const endOneAgain = async ({ pool, store, logger }: Parts, lost: readonly LostEvent[]): Promise<void> => {
  const { name: resource, statusesAfter, endsPart } = store.resource;
  const [first] = lost;
  if (first === undefined) return;
  const { stream_id: streamId, type } = first;
  const mayTake = (types: readonly string[], isDirectlyBehind: boolean): boolean =>
    statusesAfter(types).at(-1) !== undefined && (isDirectlyBehind || !endsPart(type));
  try {
    if (!(await store.endAgain(lost, mayTake))) return;
    // A payment or consent that has ended as a whole has nothing else to wait for.
    const eventIds = endsPart(type) ? lost.map((event) => event.event_id) : undefined;
    await release(pool, { streamId, eventIds, by: resource, reason: `${type} again` });
    logger.warn({ resource, streamId, type }, 're-appended a final event that the database had lost');
  } catch (error) {
    logger.error({ error, resource, streamId, type }, notYet);
  }
};

const toLostEvent = (copy: PublishedEvent, holds: (type: string) => boolean): LostEvent => {
  const type = copy.type.split('.').at(-1) ?? '';
  const { id, subject, sequence, pos, time, schemaversion, actor, data } = copy;
  return {
    event_id: id,
    stream_id: subject,
    version: sequence,
    pos,
    type,
    schema_version: schemaversion,
    data,
    actor,
    occurred_at: time,
    holds: holds(type),
  };
};
