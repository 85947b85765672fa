import type { PublishedEvent } from '@xs2a/contracts/published-event';
import { type EventTypes, NewerEvent } from '@xs2a/domain/event-types';
import type { Logger } from '@xs2a/observability/logger';
import { pause } from '@xs2a/postgres/leader-lock';
import type { Pool } from 'pg';
import { classify, isTransientFailure } from './errors.js';
import { presentEvent } from './present-event.js';

export interface ReplayOptions {
  readonly durable: string;
  /** Its search path leads to the table `dead_letter`. */
  readonly pool: Pool;
  /**
   * The effect of an event. It is repeated when the event comes again, so a repetition has to do nothing. Transient
   * errors (database away, CallFailed dependencyDown) are waited out; an event that fails otherwise is delivered five
   * times, then put aside in `dead_letter`, from where an operator may have it handled again.
   */
  readonly handle: (event: PublishedEvent) => Promise<void>;
  /** The registry of the stream's event types: older versions come to `handle` in the shape of today. Absent: all are version 1. */
  readonly eventTypes?: EventTypes | undefined;
  readonly logger: Logger;
}

const everyMs = 1000;
const maxReplays = 5;

/**
 * Handles the dead letters again that an operator asks for (dead-letters.ts), until it is stopped. Several instances may
 * do so at the same time; what one that ended had under way another takes up after ten seconds.
 */
export const replayDeadLetters = async (options: ReplayOptions, stopping: AbortSignal): Promise<void> => {
  while (!stopping.aborted) {
    // Only the database can have failed, since replayNext logs an effect that fails: it is asked again a second later.
    const replayed = await replayNext(options).catch(() => false);
    if (!replayed) await pause(everyMs, stopping);
  }
};

/** False when nothing is asked for, or a dependency is down. */
const replayNext = async ({ pool, durable, handle, eventTypes, logger }: ReplayOptions): Promise<boolean> => {
  // Counted before it is tried: the count outlives a crash.
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
    // One of a newer release stays asked for: an instance of that release takes it.
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
