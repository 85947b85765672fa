import { jetstreamManager } from '@nats-io/jetstream';
import { eventStreams, type PublishedEvent } from '@xs2a/contracts/published-event';
import { lastPublished } from '@xs2a/event-store/publishing/jetstream-copy';
import { connectStreams } from '@xs2a/nats/connection';
import { createLogger } from '@xs2a/observability/logger';
import type { Sandbox } from '@xs2a/sandbox/sandbox';
import type { BenchWorld } from '../world/bench-world.js';
import { inParallel } from '../world/direct-calls.js';
import { waitUntil } from '../world/wait-until.js';
import { withClient } from '../world/with-client.js';

const maxSampled = 3000;

/**
 * PostgreSQL keeps commit times only if `track_commit_timestamp` is set before it starts;
 * the time is taken just before the commit is flushed to disk, so the ages below include that flush.
 */
export const keepCommitTimes = async ({ sandbox }: BenchWorld): Promise<void> => {
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

export const readHead = async (sandbox: Sandbox): Promise<number> =>
  withClient(sandbox.databaseUrl('postgres'), async (client) => {
    const { rows } = await client.query<{ pos: string }>(
      'SELECT coalesce(max(pos), 0) AS pos FROM payments.log',
    );
    return Number(rows[0]?.pos ?? 0);
  });

/**
 * Milliseconds from each commit to the time at which JetStream stored the event, by its own message time: it
 * acknowledges a message after storing it.
 */
export const agesAfter = async (sandbox: Sandbox, pos: number): Promise<readonly number[]> => {
  const commits = await commitsAfter(sandbox, pos);
  const nats = await connectStreams(sandbox.natsUrl(), 'bench', createLogger('bench', 'silent'));
  try {
    const { streams } = await jetstreamManager(nats);
    const newest = Math.max(...commits.map(([eventPos]) => eventPos));
    await waitUntil(async () => (await lastPublished(nats, 'payments')) >= newest, 25);
    const { state } = await streams.info(eventStreams.payments);
    const last = await streams.getMessage(eventStreams.payments, { seq: state.last_seq });
    // In a stream that was filled from the middle of the log, sequences differ from positions.
    const behind = (last?.json<PublishedEvent>().pos ?? 0) - state.last_seq;
    return await inParallel(commits, 32, async ([eventPos, committed]) => {
      const message = await streams.getMessage(eventStreams.payments, { seq: eventPos - behind });
      if (message?.json<PublishedEvent>().pos !== eventPos)
        throw new Error(`the stream does not have the event at position ${eventPos}`);
      return Date.parse(message.timestamp) - committed;
    });
  } finally {
    await nats.drain();
  }
};
