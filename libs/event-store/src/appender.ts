import type { Logger } from '@xs2a/observability/logger';
import { isUniqueViolation } from '@xs2a/postgres/errors';
import { inTransaction } from '@xs2a/postgres/transaction';
import type { Pool, PoolClient } from 'pg';
import type { Appended } from './append-queue.js';
import type { AppendRow, AppendStatement, AttemptClaim } from './append-statement.js';

const sqlState = (error: unknown): string => {
  const code: unknown = typeof error === 'object' && error !== null ? Reflect.get(error, 'code') : undefined;
  return typeof code === 'string' ? code : '';
};

/** Errors that concern some rows of a batch (bad data, a taken version, a lock), so that the others can do without them. */
const concernsSomeRows = (error: unknown): boolean => /^(21|22|23|40)|^55P03$/.test(sqlState(error));

/** Runs batches of appends. A batch in which one row fails is repeated row by row, so that it does not fail the others. */
export class Appender {
  constructor(
    private readonly pool: Pool,
    private readonly statement: AppendStatement,
    private readonly logger: Logger,
  ) {}

  async append(rows: readonly AppendRow[]): Promise<(Appended | Error)[]> {
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
    const { rows: refused } = await session.query<{ stream_id: string }>(this.statement.query(rows));
    const taken = new Set(refused.map((row) => row.stream_id));
    const outcomes: Appended[] = [];
    for (const row of rows) {
      outcomes.push(taken.has(row.streamId) ? await this.earlierAttempt(row, session) : 'appended');
    }
    return outcomes;
  }

  private async earlierAttempt(
    { attempt, attemptExpiresAt }: AppendRow,
    session: Pool | PoolClient,
  ): Promise<Appended> {
    if (attempt === undefined || attemptExpiresAt === undefined)
      throw new Error('an append without a key was not carried out');
    const dayBefore = new Date(Date.parse(attemptExpiresAt) - dayMs).toISOString();
    return (await this.findAttempt(attempt, dayBefore, session)) ?? 'under-way';
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

/** How long an idempotency key counts (contract 2), in milliseconds. */
export const dayMs = 24 * 60 * 60 * 1000;
