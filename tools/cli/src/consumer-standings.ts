import { type ConsumerInfo, jetstreamManager } from '@nats-io/jetstream';
import { eventStreams } from '@xs2a/contracts/published-event';
import type { Connections } from './connections.js';
import { columns } from './output.js';
import { consumingSchemas } from './schemas.js';

/** How far a consumer is: what its own database says, and what JetStream says (null where it does not know it). */
export interface ConsumerStanding {
  readonly consumer: string;
  readonly stream: string | null;
  /** Everything of its subjects up to here is done. */
  readonly cursor: number | null;
  /** Events that were not delivered yet, or not acknowledged. */
  readonly lag: number | null;
  readonly redelivered: number | null;
  readonly ackFloor: number | null;
  /** Does an instance ask for events now? */
  readonly reading: boolean;
  /** The event that it fails on now, and how often it did. */
  readonly failingAt: number | null;
  readonly tries: number;
  readonly deadLetters: number;
}

interface Kept {
  readonly consumer: string;
  readonly pos: number;
  readonly trying_pos: number | null;
  readonly tries: number;
  readonly letters: number;
}

export const consumerStandings = async (connections: Connections): Promise<ConsumerStanding[]> => {
  const kept = await cursors(connections);
  const known = await durables(connections);
  const names = [...new Set([...kept.keys(), ...known.keys()])].sort();
  return names.map((consumer): ConsumerStanding => {
    const mine = kept.get(consumer);
    const info = known.get(consumer);
    return {
      consumer,
      stream: info?.stream_name ?? null,
      cursor: mine?.pos ?? null,
      lag: info === undefined ? null : info.num_pending + info.num_ack_pending,
      redelivered: info?.num_redelivered ?? null,
      ackFloor: info?.ack_floor.stream_seq ?? null,
      reading: (info?.num_waiting ?? 0) > 0,
      failingAt: mine?.trying_pos ?? null,
      tries: mine?.tries ?? 0,
      deadLetters: mine?.letters ?? 0,
    };
  });
};

const cursors = async (connections: Connections): Promise<Map<string, Kept>> => {
  const all: Kept[] = [];
  for (const schema of await consumingSchemas(connections)) {
    const { rows } = await connections.pool(schema).query<Kept>(
      `SELECT consumer, pos, trying_pos, tries,
         (SELECT count(*) FROM dead_letter d WHERE d.consumer = c.consumer) AS letters
       FROM consumer_cursor c ORDER BY consumer`,
    );
    all.push(...rows);
  }
  return new Map(all.map((row) => [row.consumer, row]));
};

/** Consumers that outlive their process; what tools read with comes and goes. */
const durables = async (connections: Connections): Promise<Map<string, ConsumerInfo>> => {
  const { consumers, streams } = await jetstreamManager(await connections.nats());
  const existing = new Set<string>();
  for await (const name of streams.names()) existing.add(name);
  const found: ConsumerInfo[] = [];
  for (const stream of Object.values(eventStreams)) {
    if (existing.has(stream)) for await (const info of consumers.list(stream)) found.push(info);
  }
  return new Map(
    found.flatMap((info) =>
      info.config.durable_name === undefined ? [] : [[info.config.durable_name, info]],
    ),
  );
};

export const consumersText = (standings: readonly ConsumerStanding[]): string =>
  columns(
    ['consumer', 'stream', 'reads', 'cursor', 'lag', 'redelivered', 'ack floor', 'dead letters', 'fails on'],
    standings.map((one) => [
      one.consumer,
      one.stream ?? '–',
      one.reading ? 'yes' : 'NO',
      one.cursor ?? '–',
      one.lag ?? '–',
      one.redelivered ?? '–',
      one.ackFloor ?? '–',
      one.deadLetters,
      one.failingAt === null ? '' : `position ${one.failingAt}, ${one.tries} tries`,
    ]),
  );
