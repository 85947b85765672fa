import type { PublishedEvent } from '@xs2a/contracts/published-event';
import type { Logger } from '@xs2a/observability/logger';
import { inTransaction } from '@xs2a/postgres/transaction';
import type { Pool, PoolClient } from 'pg';
import { kindOf, passes } from './consumer-errors.js';

export interface ReplayOptions {
  readonly pool: Pool;
  readonly durable: string;
  readonly handle: (client: PoolClient, events: readonly PublishedEvent[]) => Promise<void>;
  readonly logger: Logger;
}

/** Milliseconds between two looks for requests. */
export const replayEveryMs = 1000;
/** In one look, so that a heap of old events does not hold up the new ones. */
const mostAtOnce = 20;
const mostTries = 5;

/**
 * Handles dead letters again that an operator asked for (dead-letters.ts). Part of the consumer's one loop: it never runs
 * beside a batch, and only where the consumer's lock is held. A replay comes after events that were published later.
 */
export class Replays {
  private nextLook = 0;

  constructor(private readonly options: ReplayOptions) {}

  /**
   * Takes up what a lost process left behind; an event that ended the process five times is left alone. For the start of
   * a session.
   */
  async recover(): Promise<void> {
    const { pool, durable } = this.options;
    await pool.query({
      name: 'replay-recover',
      text: `UPDATE dead_letter SET
          replay = CASE WHEN replay_tries >= ${mostTries} THEN 'failed' ELSE 'requested' END,
          reason = CASE WHEN replay_tries >= ${mostTries} THEN 'the process ended during each replay' ELSE reason END
        WHERE consumer = $1 AND replay = 'under-way'`,
      values: [durable],
    });
    this.nextLook = 0;
  }

  /** Replays what is asked for; looks once a second, however often it is called. Throws errors that pass. */
  async work(): Promise<void> {
    if (performance.now() < this.nextLook) return;
    this.nextLook = performance.now() + replayEveryMs;
    for (let done = 0; done < mostAtOnce; done += 1) {
      const pos = await this.claim();
      if (pos === undefined) return;
      await this.replay(pos);
    }
  }

  /** Counts the try before it is made: the count outlives a crash. */
  private async claim(): Promise<number | undefined> {
    const { rows } = await this.options.pool.query<{ pos: number }>({
      name: 'replay-claim',
      text: `UPDATE dead_letter SET replay = 'under-way', replay_tries = replay_tries + 1
        WHERE consumer = $1 AND replay = 'requested' AND pos = (
          SELECT min(pos) FROM dead_letter WHERE consumer = $1 AND replay = 'requested')
        RETURNING pos`,
      values: [this.options.durable],
    });
    return rows[0]?.pos;
  }

  private async replay(pos: number): Promise<void> {
    const { pool, durable, handle, logger } = this.options;
    try {
      await inTransaction(pool, async (client) => {
        const { rows } = await client.query<{ body: string }>({
          name: 'replay-remove',
          text: `DELETE FROM dead_letter WHERE consumer = $1 AND pos = $2 AND replay = 'under-way' RETURNING body`,
          values: [durable, pos],
        });
        for (const { body } of rows) await handle(client, [JSON.parse(body) as PublishedEvent]);
      });
      logger.info({ consumer: durable, pos }, 'a dead letter was replayed');
    } catch (error) {
      if (passes(error)) {
        await this.put(pos, 'requested', undefined);
        throw error;
      }
      await this.put(pos, 'failed', kindOf(error));
      logger.warn({ error, consumer: durable, pos }, 'a dead letter failed again');
    }
  }

  private async put(pos: number, replay: 'requested' | 'failed', reason: string | undefined): Promise<void> {
    await this.options.pool.query({
      name: 'replay-put',
      text: `UPDATE dead_letter SET replay = $3, reason = coalesce($4, reason),
          replay_tries = CASE WHEN $3 = 'requested' THEN greatest(replay_tries - 1, 0) ELSE replay_tries END
        WHERE consumer = $1 AND pos = $2 AND replay = 'under-way'`,
      values: [this.options.durable, pos, replay, reason ?? null],
    });
  }
}
