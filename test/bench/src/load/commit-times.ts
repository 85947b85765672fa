import { jetstreamManager } from '@nats-io/jetstream';
import { eventStreams } from '@xs2a/contracts/event-streams';
import type { PublishedEvent } from '@xs2a/events/published-event';
import { lastPublished } from '@xs2a/event-store/publishing/jetstream-copy';
import { connectStreams } from '@xs2a/nats/connection';
import { createLogger } from '@xs2a/observability/logger';
import type { BenchWorld } from '../world/bench-world.js';
import { inParallel } from '../world/in-parallel.js';
import { waitUntil } from '../world/wait-until.js';

const maxSampled = 3000;

/**
 * Makes PostgreSQL keep commit times, for which `track_commit_timestamp` must be set before it starts. The time is
 * taken just before the commit is flushed to disk, so the event ages include that flush.
 */
export const keepCommitTimes = async ({ sandbox, database }: BenchWorld): Promise<void> => {
  await database.query('ALTER SYSTEM SET track_commit_timestamp = on');
  await sandbox.postgres.restart();
};

/** SQL for the commit times, in Unix milliseconds, of the events after a log position. */
const commitsAfter = `SELECT l.pos::int, (extract(epoch FROM pg_xact_commit_timestamp(e.xmin)) * 1000)::float8 AS committed
  FROM payments.log l JOIN payments.events e USING (stream_id, version) WHERE l.pos > $1 ORDER BY random() LIMIT $2`;

export const readHead = async (world: BenchWorld): Promise<number> =>
  world.count('SELECT coalesce(max(pos), 0) AS count FROM payments.log');

/**
 * Returns the milliseconds from each commit until JetStream stored the event, according to the timestamp of the
 * JetStream message. JetStream acknowledges a message after storing it.
 */
export const agesAfter = async (world: BenchWorld, after: number): Promise<readonly number[]> => {
  const commits = await world.query<{ pos: number; committed: number }>(commitsAfter, [after, maxSampled]);
  const nats = await connectStreams(world.sandbox.natsUrl(), 'bench', createLogger('bench', 'silent'));
  try {
    const { streams } = await jetstreamManager(nats);
    const newest = Math.max(...commits.map(({ pos }) => pos));
    await waitUntil(async () => (await lastPublished(nats, 'payments')) >= newest, 25);
    const { state } = await streams.info(eventStreams.payments);
    const last = await streams.getMessage(eventStreams.payments, { seq: state.last_seq });
    // In a stream filled from the middle of the log, sequence numbers differ from log positions.
    const behind = (last?.json<PublishedEvent>().pos ?? 0) - state.last_seq;
    return await inParallel(commits, 32, async ({ pos, committed }) => {
      const message = await streams.getMessage(eventStreams.payments, { seq: pos - behind });
      if (message?.json<PublishedEvent>().pos !== pos)
        throw new Error(`the stream does not have the event at position ${pos}`);
      return Date.parse(message.timestamp) - committed;
    });
  } finally {
    await nats.drain();
  }
};
