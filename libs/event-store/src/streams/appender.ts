import type { Logger } from '@xs2a/observability/logger';
import { isUniqueViolation } from '@xs2a/postgres/errors';
import { inTransaction } from '@xs2a/postgres/transaction';
import { StatementQueue } from '@xs2a/postgres/statement-queue';
import type { Pool, PoolClient } from 'pg';
import type { AppendRow, AppendStatement, AttemptClaim, NotAppended } from './append-statement.js';

/** The outcome of one append. */
export type Appended =
  | 'appended'
  /** Somebody else appended to the stream first: load, decide again. */
  | 'conflict'
  /** The same attempt was answered before: answer that again. */
  | { readonly replay: unknown }
  /** The idempotency key was used with another body. */
  | 'attempt-reused'
  /** The first attempt with this key did not end in time (1.7 s). */
  | 'under-way';

const maxBatch = 128;

const sqlState = (error: unknown): string => {
  const code: unknown = typeof error === 'object' && error !== null ? Reflect.get(error, 'code') : undefined;
  return typeof code === 'string' ? code : '';
};

/** Errors that concern some rows of a batch (bad data, a taken version, a lock), so that the others can do without them. */
const concernsSomeRows = (error: unknown): boolean => /^(21|22|23|40)|^55P03$/.test(sqlState(error));

/**
 * Combines appends that arrive together. A batch names each stream and each idempotency key once; a second append to the
 * same stream waits for the first. A batch in which one row fails is repeated row by row, so that it does not fail the others.
 */
export class Appender {
  private readonly queue: StatementQueue<AppendRow, Appended>;

  constructor(
    private readonly pool: Pool,
    private readonly statement: AppendStatement,
    private readonly logger: Logger,
    onAppended: () => void,
  ) {
    this.queue = new StatementQueue({
      maxBatch,
      keysOf: ({ streamId, attempt }) =>
        attempt === undefined
          ? [streamId]
          : [streamId, JSON.stringify([attempt.tppId, attempt.path, attempt.key])],
      run: async (rows) => {
        const outcomes = await this.run(rows);
        if (outcomes.includes('appended')) onAppended();
        return outcomes;
      },
    });
  }

  async append(row: AppendRow): Promise<Appended> {
    return this.queue.add(row);
  }

  private async run(rows: readonly AppendRow[]): Promise<(Appended | Error)[]> {
    try {
      return await this.once(rows, this.pool);
    } catch (error) {
      if (!concernsSomeRows(error)) throw error;
      this.logger.debug({ error, rows: rows.length }, 'a batch of appends is repeated one by one');
    }
    const outcomes: (Appended | Error)[] = [];
    for (const row of rows) outcomes.push(await this.alone(row));
    return outcomes;
  }

  /** The kept answer of an attempt, or undefined when there is none that still counts at `now`. */
  async findAttempt(
    claim: Omit<AttemptClaim, 'answer'>,
    now: string,
    session: Pool | PoolClient = this.pool,
  ): Promise<{ readonly replay: unknown } | 'attempt-reused' | undefined> {
    const { rows } = await session.query<{ hash: string; answer: unknown }>({
      name: 'find-attempt',
      text: 'SELECT hash, answer FROM attempt WHERE tpp_id = $1 AND path = $2 AND key = $3 AND expires_at > $4',
      values: [claim.tppId, claim.path, claim.key, now],
    });
    const kept = rows[0];
    if (kept === undefined) return undefined;
    return kept.hash === claim.hash ? { replay: kept.answer } : 'attempt-reused';
  }

  private async once(rows: readonly AppendRow[], session: Pool | PoolClient): Promise<Appended[]> {
    const { rows: refused } = await session.query<NotAppended>(this.statement.query(rows));
    const keyTaken = new Map(refused.map(({ stream_id, key_taken }) => [stream_id, key_taken]));
    const outcomes: Appended[] = [];
    for (const row of rows) {
      const taken = keyTaken.get(row.streamId);
      outcomes.push(taken === undefined ? 'appended' : await this.whyNot(row, taken, session));
    }
    return outcomes;
  }

  /** The answer of an earlier attempt comes first: it may be the one that moved the stream on. */
  private async whyNot(
    { attempt, attemptExpiresAt = '' }: AppendRow,
    keyTaken: boolean,
    session: Pool | PoolClient,
  ): Promise<Appended> {
    if (attempt === undefined) return 'conflict';
    const dayBefore = new Date(Date.parse(attemptExpiresAt) - dayMs).toISOString();
    const earlier = await this.findAttempt(attempt, dayBefore, session);
    return earlier ?? (keyTaken ? 'under-way' : 'conflict');
  }

  private async alone(row: AppendRow): Promise<Appended | Error> {
    for (let tries = 1; ; tries += 1) {
      try {
        const [outcome] = await inTransaction(this.pool, async (client) => {
          // It waited with its batch already: what is locked still is not worth another long wait.
          await client.query("SET LOCAL lock_timeout = '200ms'");
          return this.once([row], client);
        });
        return outcome ?? new Error('an append got no outcome');
      } catch (error) {
        if (isUniqueViolation(error)) return 'conflict';
        if (sqlState(error) === '55P03' && row.attempt !== undefined) return 'under-way';
        if (sqlState(error).startsWith('40') && tries < 3) continue;
        return error instanceof Error ? error : new Error('an append failed', { cause: error });
      }
    }
  }
}

/** Lifetime of an idempotency key (contract 2), in milliseconds. */
export const dayMs = 24 * 60 * 60 * 1000;
