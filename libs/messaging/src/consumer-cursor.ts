import { inTransaction } from '@xs2a/postgres/transaction';
import type { Pool, PoolClient } from 'pg';

/** Where a consumer stands: everything of its subjects up to `pos` is done. */
export interface Cursor {
  readonly pos: number;
  /** The event at `pos`; undefined before the first. */
  readonly eventId?: string;
}

/** Another instance moved the cursor: what this one was about to do is done, or being done, there. */
export class CursorMoved extends Error {
  override readonly name = 'CursorMoved';
}

/** An event that could not be handled. */
export interface DeadLetter {
  readonly pos: number;
  readonly subject: string;
  readonly body: string;
  /** The kind of the last error, without its data. */
  readonly reason: string;
}

/** The cursor of one consumer in PostgreSQL; it moves in the transaction of the effect, from where it was read. */
export class CursorTable {
  constructor(
    private readonly pool: Pool,
    private readonly consumer: string,
  ) {}

  async read(): Promise<Cursor> {
    const { rows } = await this.pool.query<{ pos: number; event_id: string | null }>({
      name: 'cursor-read',
      text: `INSERT INTO consumer_cursor AS c (consumer, pos) VALUES ($1, 0)
        ON CONFLICT (consumer) DO UPDATE SET pos = c.pos RETURNING pos, event_id`,
      values: [this.consumer],
    });
    const row = rows[0];
    return { pos: row?.pos ?? 0, ...(row?.event_id == null ? {} : { eventId: row.event_id }) };
  }

  /** How far the consumer has come, whichever instance does the work. */
  async position(): Promise<number> {
    const { rows } = await this.pool.query<{ pos: number }>({
      name: 'cursor-position',
      text: 'SELECT pos FROM consumer_cursor WHERE consumer = $1',
      values: [this.consumer],
    });
    return rows[0]?.pos ?? 0;
  }

  /** Runs the effect and moves the cursor, both or neither. Throws {@link CursorMoved} when `from` is no longer true. */
  async advance(from: Cursor, to: Cursor, effect: (client: PoolClient) => Promise<void>): Promise<void> {
    await inTransaction(this.pool, async (client) => {
      const { rowCount } = await client.query({
        name: 'cursor-advance',
        text: `UPDATE consumer_cursor SET pos = $2, event_id = $3, trying_pos = NULL, tries = 0
          WHERE consumer = $1 AND pos = $4`,
        values: [this.consumer, to.pos, to.eventId ?? null, from.pos],
      });
      if (rowCount !== 1) throw new CursorMoved();
      await effect(client);
    });
  }

  /** Counts the tries of one event before each; the count outlives a crash. */
  async countTry(pos: number): Promise<number> {
    const { rows } = await this.pool.query<{ tries: number }>({
      name: 'cursor-count-try',
      text: `UPDATE consumer_cursor
        SET tries = CASE WHEN trying_pos = $2 THEN tries + 1 ELSE 1 END, trying_pos = $2
        WHERE consumer = $1 RETURNING tries`,
      values: [this.consumer, pos],
    });
    return rows[0]?.tries ?? 1;
  }

  /** The last try failed for a reason that passes: it does not count. */
  async forgetTry(): Promise<void> {
    await this.pool.query({
      name: 'cursor-forget-try',
      text: 'UPDATE consumer_cursor SET tries = greatest(tries - 1, 0) WHERE consumer = $1',
      values: [this.consumer],
    });
  }

  /** Puts the event aside and goes on behind it. */
  async bury(from: Cursor, letter: DeadLetter): Promise<void> {
    await this.advance(from, { pos: letter.pos }, async (client) => {
      await client.query({
        name: 'cursor-bury',
        text: `INSERT INTO dead_letter (consumer, pos, subject, body, reason) VALUES ($1, $2, $3, $4, $5)
          ON CONFLICT (consumer, pos) DO NOTHING`,
        values: [this.consumer, letter.pos, letter.subject, letter.body, letter.reason],
      });
    });
  }
}
