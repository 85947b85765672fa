import { type ConsumerInfo, jetstreamManager } from '@nats-io/jetstream';
import { eventConsumers } from '@xs2a/contracts/event-consumers';
import { eventStreams } from '@xs2a/contracts/event-streams';
import type { Connections } from '../connections.js';
import { defineCommand } from '../command-line/define-command.js';
import { table } from '../command-line/output.js';
import { consumingSchemas } from '../dead-letters/schemas.js';

/**
 * The progress of a durable consumer, as reported by JetStream. If JetStream does not know the consumer, all
 * numbers are null and `reading` is false.
 */
export interface ConsumerStatus {
  readonly consumer: string;
  readonly stream: string | null;
  /** The number of events that have not been delivered or not been acknowledged yet. */
  readonly lag: number | null;
  /** The number of events that were delivered more than once and have not been acknowledged yet. */
  readonly redelivered: number | null;
  /** The stream sequence up to which every event has been acknowledged or stored as a dead letter. */
  readonly ackFloor: number | null;
  /** True if an instance is currently requesting events. */
  readonly reading: boolean;
  readonly deadLetters: number;
}

export const consumerStatuses = async (connections: Connections): Promise<ConsumerStatus[]> => {
  const letters = await countDeadLetters(connections);
  const known = await durables(connections);
  const expected = Object.values(eventConsumers).map(({ durable }) => durable);
  const names = [...new Set([...expected, ...letters.keys(), ...known.keys()])].sort();
  return names.map((consumer): ConsumerStatus => {
    const info = known.get(consumer);
    return {
      consumer,
      stream: info?.stream_name ?? null,
      lag: info === undefined ? null : info.num_pending + info.num_ack_pending,
      redelivered: info?.num_redelivered ?? null,
      ackFloor: info?.ack_floor.stream_seq ?? null,
      reading: (info?.num_waiting ?? 0) > 0,
      deadLetters: letters.get(consumer) ?? 0,
    };
  });
};

const countDeadLetters = async (connections: Connections): Promise<Map<string, number>> => {
  const counts = new Map<string, number>();
  for (const schema of await consumingSchemas(connections)) {
    const { rows } = await connections
      .pool(schema)
      .query<{ consumer: string; letters: number }>(
        'SELECT consumer, count(*) AS letters FROM dead_letter GROUP BY consumer',
      );
    for (const { consumer, letters } of rows) counts.set(consumer, letters);
  }
  return counts;
};

/** Lists only durable consumers, which outlive their process, and not the temporary consumers of tools. */
const durables = async (connections: Connections): Promise<Map<string, ConsumerInfo>> => {
  const { consumers, streams } = await jetstreamManager(await connections.nats());
  const existing = new Set<string>();
  for await (const name of streams.names()) existing.add(name);
  const found: ConsumerInfo[] = [];
  for (const stream of Object.values(eventStreams))
    if (existing.has(stream)) for await (const info of consumers.list(stream)) found.push(info);
  return new Map(
    found.flatMap((info) =>
      info.config.durable_name === undefined ? [] : [[info.config.durable_name, info]],
    ),
  );
};

export const consumers = defineCommand({
  name: 'consumers',
  help: 'how far each consumer has read: lag, redelivered, ack floor',
  run: async ({ connections }) => consumerStatuses(connections),
  text: (statuses) =>
    table(statuses, {
      consumer: ({ consumer }) => consumer,
      stream: ({ stream }) => stream ?? '–',
      reads: ({ reading }) => (reading ? 'yes' : 'NO'),
      lag: ({ lag }) => lag ?? '–',
      redelivered: ({ redelivered }) => redelivered ?? '–',
      'ack floor': ({ ackFloor }) => ackFloor ?? '–',
      'dead letters': ({ deadLetters }) => deadLetters,
    }),
});
