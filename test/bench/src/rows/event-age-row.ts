import { jetstreamManager } from '@nats-io/jetstream';
import { connectStreams } from '@xs2a/nats/connection';
import { createLogger } from '@xs2a/observability/logger';
import { eventStreams } from '@xs2a/contracts/published-event';
import type { Sandbox } from '@xs2a/sandbox/sandbox';
import { BenchWorld } from '../world/bench-world.js';
import { cpuNote, type FigureOptions, type FigureRow, type Found } from '../figure.js';
import { connections } from '../hops/hops.js';
import { inParallel } from '../world/direct-calls.js';
import { summarise } from '../load/latency.js';
import { measure } from '../load/measure.js';
import { postPayments } from './payment-rows.js';
import { withClient } from '../world/with-client.js';

const paymentsPerSecond = 500;
const maxSampled = 3000;

/**
 * The commit's own time is kept by PostgreSQL only when told to before it starts; it is taken just before the commit
 * is flushed to disk, so the ages below contain that flush.
 */
const keepCommitTimes = async ({ sandbox }: BenchWorld): Promise<void> => {
  await withClient(sandbox.databaseUrl('postgres'), async (client) =>
    client.query('ALTER SYSTEM SET track_commit_timestamp = on'),
  );
  await sandbox.postgres.restart();
};

/** Commit times in Unix milliseconds, by position in the log, of the events after a position. */
const commitsAfter = async (sandbox: Sandbox, pos: number): Promise<readonly (readonly [number, number])[]> =>
  withClient(sandbox.databaseUrl('postgres'), async (client) => {
    const { rows } = await client.query<{ pos: string; committed: number }>(
      `SELECT l.pos, (extract(epoch FROM pg_xact_commit_timestamp(e.xmin)) * 1000)::float8 AS committed
        FROM payments.log l JOIN payments.events e USING (stream_id, version) WHERE l.pos > $1 ORDER BY random() LIMIT $2`,
      [pos, maxSampled],
    );
    return rows.map((row) => [Number(row.pos), row.committed]);
  });

const readHead = async (sandbox: Sandbox): Promise<number> =>
  withClient(sandbox.databaseUrl('postgres'), async (client) => {
    const { rows } = await client.query<{ pos: string }>(
      'SELECT coalesce(max(pos), 0) AS pos FROM payments.log',
    );
    return Number(rows[0]?.pos ?? 0);
  });

/**
 * Milliseconds from each commit to the moment at which JetStream stored the event, by its own message time: it
 * acknowledges what it has stored.
 */
const agesAfter = async (sandbox: Sandbox, pos: number): Promise<readonly number[]> => {
  const commits = await commitsAfter(sandbox, pos);
  const nats = await connectStreams(sandbox.natsUrl(), 'bench', createLogger('bench', 'silent'));
  try {
    const streams = await jetstreamManager(nats);
    return await inParallel(commits, 32, async ([seq, committed]) => {
      const message = await streams.streams.getMessage(eventStreams.payments, { seq });
      if (message === null) throw new Error(`the stream has nothing at ${seq}`);
      return Date.parse(message.timestamp) - committed;
    });
  } finally {
    await nats.drain();
  }
};

const eventAge = async (options: FigureOptions): Promise<Found> => {
  const { seconds, warmUpSeconds } = options;
  const world = await BenchWorld.start(options);
  try {
    await keepCommitTimes(world);
    const prepared = await postPayments(world);
    const plan = { ...world.entrance, once: false, ...prepared };
    // At full speed: some 10,000 requests after the start V8 compiles all at once what the gateway runs, for half a second.
    await measure({ ...plan, connections, seconds: warmUpSeconds, warmUpSeconds: 1 }, world.parts);
    const pos = await readHead(world.sandbox);
    const paced = { ...plan, connections: connections * 2, pace: paymentsPerSecond };
    const result = await measure({ ...paced, seconds, warmUpSeconds: 1 }, world.parts);
    const ages = await agesAfter(world.sandbox, pos);
    const { p50, p99 } = summarise(ages, seconds);
    const { perSecond, unexpected, firstUnexpected, cpu } = result;
    return {
      value: p99,
      perSecond,
      p50,
      p99,
      notes: [
        `${ages.length} events looked at; ${Math.round(perSecond)} payments/s of ${paymentsPerSecond} that were asked for`,
        cpuNote(cpu, 'a payment'),
      ],
      ...(unexpected > 0 || ages.length === 0
        ? { problem: `${unexpected} unexpected answers: ${firstUnexpected ?? 'none came'}` }
        : {}),
    };
  } finally {
    await world.stop();
  }
};

export const eventAgeRow: FigureRow = {
  name: 'event-age',
  title: 'event age, commit to JetStream, 500 payments/s',
  targets: { sandbox: { atMost: 50, unit: 'ms' }, production: { atMost: 100, unit: 'ms' } },
  measure: eventAge,
};
