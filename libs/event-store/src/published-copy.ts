import { jetstream, jetstreamManager, type StreamState } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import {
  type EventResource,
  eventStreams,
  type PublishedEvent,
  subjectOfEvent,
} from '@xs2a/contracts/published-event';
import type { Pool } from 'pg';
import { canonicalJson } from './hash-chain.js';
import type { Finding } from './verify-stream.js';

/** A message of the stream. */
export interface Copy {
  readonly seq: number;
  readonly subject: string;
  readonly event: PublishedEvent;
}
interface Original {
  readonly pos: number;
  readonly event_id: string;
  readonly stream_id: string;
  readonly version: number;
  readonly type: string;
  readonly schema_version: number;
  readonly data: unknown;
  readonly meta: { readonly actor: string };
  readonly occurred_at: Date;
}

const pageSize = 500;

/**
 * Holds the copy in JetStream against events and log, position by position. The copy is another system with other
 * rights: what was changed in the database together with all hashes and anchors shows here. Answers how many it compared.
 */
export const copyFindings = async (
  pool: Pool,
  { nats, resource }: { readonly nats: NatsConnection; readonly resource: EventResource },
  report: (finding: Finding) => void,
): Promise<number> => {
  let compared = 0;
  let page: Copy[] = [];
  const compare = async (): Promise<void> => {
    const originals = await originalsAt(pool, page);
    for (const copy of page) {
      const finding = difference(resource, copy, originals.get(copy.seq));
      if (finding !== undefined) report(finding);
    }
    compared += page.length;
    page = [];
  };
  for await (const copy of publishedEvents(nats, resource)) {
    page.push(copy);
    if (page.length === pageSize) await compare();
  }
  await compare();
  return compared;
};

/** How many events lack between the first and the last that a stream holds; what it forgot before them does not. */
export const gapsIn = ({ messages, first_seq: first, last_seq: last }: StreamState): number =>
  messages === 0 ? 0 : last - first + 1 - messages;

/** Everything that the stream holds now, in its order. */
export async function* publishedEvents(nats: NatsConnection, resource: EventResource): AsyncGenerator<Copy> {
  const name = eventStreams[resource];
  const { state } = await (await jetstreamManager(nats)).streams.info(name);
  if (state.messages === 0) return;
  const consumer = await jetstream(nats).consumers.get(name);
  const messages = await consumer.consume({ max_messages: pageSize });
  try {
    for await (const message of messages) {
      yield { seq: message.seq, subject: message.subject, event: message.json<PublishedEvent>() };
      if (message.seq >= state.last_seq || message.info.pending === 0) return;
    }
  } finally {
    messages.stop();
  }
}

const originalsAt = async (pool: Pool, page: readonly Copy[]): Promise<Map<number, Original>> => {
  const { rows } = await pool.query<Original>({
    name: 'copy-originals',
    text: `SELECT l.pos, e.event_id, e.stream_id, e.version, e.type, e.schema_version, e.data, e.meta, e.occurred_at
      FROM log l JOIN events e USING (id) WHERE l.pos = ANY($1::bigint[])`,
    values: [page.map(({ seq }) => seq)],
  });
  return new Map(rows.map((row) => [row.pos, row]));
};

/** What was published before there were partitions has the id of its stream in place of one, for good. */
const isSubjectOf = (resource: EventResource, { type, stream_id: id }: Original, subject: string): boolean =>
  subject === subjectOfEvent(resource, type, id) || subject === `xs2a.${resource}.${type}.${id}`;

const difference = (
  resource: EventResource,
  { seq, subject, event }: Copy,
  original: Original | undefined,
): Finding | undefined => {
  const where = { streamId: event.subject, version: event.sequence, pos: seq };
  if (original === undefined) {
    return { ...where, kind: 'deleted', text: 'The event was published; the database has it no more.' };
  }
  if (original.event_id !== event.id) {
    return { ...where, kind: 'swapped', text: 'Another event was published at this position.' };
  }
  const said = [
    true,
    original.stream_id,
    original.version,
    original.schema_version,
    original.occurred_at.toISOString(),
    original.meta.actor,
    original.pos,
    canonicalJson(original.data),
  ];
  const copied = [
    isSubjectOf(resource, original, subject),
    event.subject,
    event.sequence,
    event.schemaversion,
    event.time,
    event.actor,
    event.pos,
    canonicalJson(event.data),
  ];
  return said.every((part, index) => part === copied[index])
    ? undefined
    : { ...where, kind: 'changed', text: 'The published event says something else.' };
};
