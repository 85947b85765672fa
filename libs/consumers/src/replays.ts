import type { PublishedEvent } from '@xs2a/events/published-event';
import { type EventTypes, NewerEvent } from '@xs2a/events/event-types';
import type { Logger } from '@xs2a/observability/logger';
import { pause } from '@xs2a/postgres/leader-lock';
import type { Pool } from 'pg';
import { classify, isTransientFailure } from './errors.js';
import { presentEvent } from './present-event.js';

export interface ReplayOptions {
  readonly durable: string;
  /** A pool whose search path contains the `dead_letter` table. */
  readonly pool: Pool;
  /**
   * The effect of an event. It must be idempotent, because an event can be redelivered. It is retried while it
   * fails with a transient error (database down, CallFailed dependencyDown). An event that fails for another
   * reason is delivered five times and then stored in `dead_letter`, from where an operator can replay it.
   */
  readonly handle: (event: PublishedEvent) => Promise<void>;
  /**
   * The registry of the stream's event types, used to pass older versions to `handle` in the current shape. If
   * absent, all types have version 1.
   */
  readonly eventTypes?: EventTypes | undefined;
  readonly logger: Logger;
}

const everyMs = 1000;
const maxReplays = 5;

/**
 * Handles the dead letters whose replay an operator has requested (dead-letters.ts), until stopped. Several
 * instances may run concurrently; if one ends, another resumes its work after ten seconds.
 */
export const replayDeadLetters = async (options: ReplayOptions, stopping: AbortSignal): Promise<void> => {
  while (!stopping.aborted) {
    // Only a database failure can end up here, because replayNext logs a failed effect. Retry after a second.
    const replayed = await replayNext(options).catch(() => false);
    if (!replayed) await pause(everyMs, stopping);
  }
};

/** Returns false if no replay is requested or a dependency is down. */
const replayNext = async ({ pool, durable, handle, eventTypes, logger }: ReplayOptions): Promise<boolean> => {
  // Counted before the attempt, so that the count survives a crash.
  const { rows } = await pool.query<{ pos: number; body: string; tries: number }>({
    name: 'replay-claim',
    text: `UPDATE dead_letter SET replay = 'under-way', replay_since = now(), replay_tries = replay_tries + 1
      WHERE consumer = $1 AND pos = (
        SELECT pos FROM dead_letter WHERE consumer = $1 AND (replay = 'requested'
          OR replay = 'under-way' AND coalesce(replay_since, '-infinity') < now() - interval '10 seconds')
        ORDER BY coalesce(replay_since, '-infinity'), pos LIMIT 1 FOR UPDATE SKIP LOCKED)
      RETURNING pos, body, replay_tries AS tries`,
    values: [durable],
  });
  const [letter] = rows;
  if (letter === undefined) return false;
  const { pos, body, tries } = letter;
  try {
    if (tries > maxReplays) throw new ProcessEnded();
    await handle(presentEvent(JSON.parse(body) as PublishedEvent, eventTypes));
  } catch (error) {
    // A letter written by a newer release stays requested until an instance of that release replays it.
    const again = isTransientFailure(error) || error instanceof NewerEvent;
    await pool.query({
      name: 'replay-failed',
      text: `UPDATE dead_letter SET replay = $3, reason = coalesce($4, reason), replay_tries = $5
        WHERE consumer = $1 AND pos = $2 AND replay = 'under-way'`,
      values: again
        ? [durable, pos, 'requested', null, tries - 1]
        : [durable, pos, 'failed', classify(error), tries],
    });
    if (!again) logger.warn({ error, consumer: durable, pos }, 'replaying a dead letter failed');
    return !again;
  }
  await pool.query({
    name: 'replay-remove',
    text: `DELETE FROM dead_letter WHERE consumer = $1 AND pos = $2 AND replay = 'under-way'`,
    values: [durable, pos],
  });
  logger.info({ consumer: durable, pos }, 'replayed a dead letter');
  return true;
};

class ProcessEnded extends Error {
  override readonly name = 'the process ended during each replay';
}
