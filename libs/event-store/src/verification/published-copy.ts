import { jetstream, jetstreamManager, type StreamState } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { type PublishedEvent, subjectOfEvent, streamName } from '@xs2a/events/published-event';
import type { Pool } from 'pg';
import { isArchivedPosition } from '../months/archived-log.js';
import { canonicalJson } from '../streams/hash-chain.js';
import { publishedForm } from '../publishing/published-form.js';
import { eventColumns, type PositionedEvent } from '../publishing/relay-log.js';
import { RelayStream } from '../publishing/jetstream-copy.js';
import { onceAnswered } from '../publishing/once-answered.js';
import type { Finding } from './verify-stream.js';

/** A message in the stream. */
export interface Copy {
  readonly subject: string;
  readonly event: PublishedEvent;
}
/** The counters of {@link copyFindings}. */
export interface Compared {
  readonly copies: number;
  /** The number of events that are in the log but missing from the stream between its first event and its last. */
  readonly missing: number;
  /** The log position of the last event in the compared stream; 0 if the stream is empty. */
  readonly comparedUpTo: number;
}
const pageSize = 500;
/**
 * Limits for one request for messages, in milliseconds. A reader whose consumer was lost with its node notices
 * this after two missed heartbeats, and retries at most 5 s later. By default, both values are 30 s, and a check
 * during an election took minutes.
 */
const readBounds = { expires: 5000, idle_heartbeat: 1000 };

/** Checking the account first would require the cluster's metadata leader, which a reader does not need. */
const asReader = { checkAPI: false } as const;

/** Returns the state of a stream as reported by its leader. */
export const readStreamState = async (nats: NatsConnection, name: string): Promise<StreamState> =>
  onceAnswered(
    `the state of ${name}`,
    async () => (await (await jetstreamManager(nats, asReader)).streams.info(name)).state,
  );

/**
 * Compares the JetStream copy with the events and the log, position by position. The copy is in another system
 * with separate access rights, so it reveals a change to the database even if all hashes and anchors were changed
 * accordingly. Archived events, and events that the database lost when it went back to an earlier state
 * ({@link logGaps}), are not findings.
 */
export const copyFindings = async (
  pool: Pool,
  { nats, resource }: { readonly nats: NatsConnection; readonly resource: string },
  report: (finding: Finding) => void,
): Promise<Compared> => {
  let [copies, missing, last] = [0, 0, 0];
  let page: Copy[] = [];
  const compare = async (): Promise<void> => {
    const originals = await originalsAt(pool, page);
    const begin = last || (page[0]?.event.pos ?? 1) - 1;
    for (const copy of page) {
      const original = originals.get(copy.event.pos);
      const finding =
        original?.is_elsewhere === true ? undefined : difference(resource, copy, original, last);
      if (finding !== undefined) report(finding);
      last = copy.event.pos;
    }
    copies += page.length;
    const positions = page.map(({ event }) => event.pos);
    page = [];
    if ((await countMissing(pool, begin, positions)) === 0) return;
    // A full stream drops its oldest messages as new ones arrive, including messages that have not been read
    // yet.
    const first = await firstPosition(nats, resource);
    missing += await countMissing(pool, Math.max(begin, first - 1), positions);
  };
  for await (const copy of publishedEvents(nats, resource)) {
    page.push(copy);
    if (page.length === pageSize) await compare();
  }
  if (page.length > 0) await compare();
  return { copies, missing, comparedUpTo: last };
};

/** Counts the positions of the log after `after` and below the last of `positions` that are not among them. */
const countMissing = async (pool: Pool, after: number, positions: readonly number[]): Promise<number> => {
  const { rows } = await pool.query<{ missing: number }>({
    name: 'copy-missing',
    text: `SELECT count(*) AS missing FROM log WHERE pos > $1 AND pos < $2 AND (${isArchivedPosition('pos')}) IS NOT TRUE
        AND pos NOT IN (SELECT unnest($3::bigint[]))`,
    values: [after, positions.at(-1), positions],
  });
  return rows[0]?.missing ?? 0;
};

/** Returns the position of the first event in the stream, or infinity if there is none. */
const firstPosition = async (nats: NatsConnection, resource: string): Promise<number> =>
  onceAnswered(`the first event of ${streamName(resource)}`, async () => {
    const first = await (await RelayStream.open(nats, resource)).eventFrom(0);
    return first?.pos ?? Infinity;
  });

/** Counts the messages missing after the first one; a stream may drop its oldest messages. */
export const missingMessages = ({ messages, first_seq: first, last_seq: last }: StreamState): number =>
  messages === 0 ? 0 : last - first + 1 - messages;

/** Yields the events of the stream in stream order: all of them, or those at the positions `from` to `to`. */
export async function* publishedEvents(
  nats: NatsConnection,
  resource: string,
  { from, to = Infinity }: { readonly from?: number; readonly to?: number } = {},
): AsyncGenerator<Copy> {
  const name = streamName(resource);
  const start =
    from === undefined
      ? undefined
      : await onceAnswered(`the event at position ${from} of ${name}`, async () =>
          (await RelayStream.open(nats, resource)).eventFrom(from),
        );
  const state = await readStreamState(nats, name);
  if (state.messages === 0 || (from !== undefined && start === undefined)) return;
  const consumer = await onceAnswered(`a consumer of ${name}`, async () =>
    jetstream(nats, asReader).consumers.get(name, { opt_start_seq: start?.sequence }),
  );
  const messages = await consumer.consume({ max_messages: pageSize, ...readBounds });
  try {
    for await (const message of messages) {
      const event = message.json<PublishedEvent>();
      if (event.pos > to) return;
      yield { subject: message.subject, event };
      if (message.seq >= state.last_seq || message.info.pending === 0) return;
    }
  } finally {
    messages.stop();
  }
}

/** The event at a position. `is_elsewhere`: it was archived, or lost from the end of the log. */
type Original = PositionedEvent & { readonly is_elsewhere: boolean };

/** Returns the database's events at the positions of some copies, read in one snapshot. */
const originalsAt = async (pool: Pool, page: readonly Copy[]): Promise<Map<number, Original>> => {
  const { rows } = await pool.query<Original>({
    name: 'copy-originals',
    text: `SELECT p.pos, ${eventColumns}, e.event_id IS NULL AND ((${isArchivedPosition('p.pos')}) IS TRUE
          OR EXISTS (SELECT FROM log_gap g WHERE p.pos > g.after AND p.pos <= g.up_to)) AS is_elsewhere
      FROM unnest($1::bigint[]) AS p (pos)
      LEFT JOIN (log l JOIN events e USING (stream_id, version)) ON l.pos = p.pos`,
    values: [page.map(({ event }) => event.pos)],
  });
  const known = rows.filter((row) => row.is_elsewhere || row.event_id !== null);
  return new Map(known.map((row) => [row.pos, row]));
};

const difference = (
  resource: string,
  { subject, event }: Copy,
  original: PositionedEvent | undefined,
  before: number,
): Finding | undefined => {
  const where = { streamId: event.subject, version: event.sequence, pos: event.pos };
  if (original === undefined) {
    return { ...where, kind: 'deleted', text: 'The event was published, but is no longer in the database.' };
  }
  if (event.pos <= before) {
    return { ...where, kind: 'swapped', text: `The event was published after position ${before}.` };
  }
  const { event_id: id, type, stream_id: streamId } = original;
  if (id !== event.id) {
    return { ...where, kind: 'swapped', text: 'Another event was published at this position.' };
  }
  return subject === subjectOfEvent(resource, type, streamId) &&
    canonicalJson(event) === canonicalJson(publishedForm(resource, original))
    ? undefined
    : { ...where, kind: 'changed', text: 'The published event has different content.' };
};
