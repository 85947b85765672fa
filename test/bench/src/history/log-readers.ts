import { type EventResource, eventStreams } from '@xs2a/contracts/event-streams';
import { lastPublished } from '@xs2a/event-store/publishing/jetstream-copy';
import { connectStreams } from '@xs2a/nats/connection';
import { createLogger } from '@xs2a/observability/logger';
import type { BenchWorld } from '../world/bench-world.js';
import { waitUntil } from '../world/wait-until.js';

/** The last position of each log, and the position that all its PostgreSQL readers have reached. */
const positions = `SELECT 'payments' AS resource, (SELECT max(pos) FROM payments.log) AS head,
    least((SELECT min(pos) FROM payments.projection),
      (SELECT pos FROM notifications.checkpoint WHERE source = 'payments')) AS known
  UNION ALL SELECT 'consents', (SELECT max(pos) FROM consents.log),
    (SELECT pos FROM notifications.checkpoint WHERE source = 'consents')`;

/**
 * The time limit for reading ten million events from the first one on, projecting them, and checking them for
 * notifications.
 */
const maxMinutes = 60;

type Position = {
  readonly resource: EventResource;
  readonly head: string;
  readonly known: string;
};

/** Waits until all events have been published, projected, and read for notifications. */
export const waitForReaders = async (world: BenchWorld): Promise<void> => {
  const nats = await connectStreams(world.sandbox.natsUrl(), 'bench', createLogger('bench', 'silent'));
  const haveCaughtUp = async (): Promise<boolean> => {
    const rows = await world.query<Position>(positions);
    for (const { resource, head, known } of rows) {
      if (Number(known) < Number(head)) return false;
      if ((await lastPublished(nats, resource)) < Number(head)) return false;
    }
    return rows.length === Object.keys(eventStreams).length;
  };
  try {
    await waitUntil(haveCaughtUp, 250, maxMinutes);
  } finally {
    await nats.drain();
  }
};
