import { Inject, Injectable } from '@nestjs/common';
import { POOL } from '@xs2a/runtime/tokens';
import { AsyncLocalStorage } from 'node:async_hooks';
import { failpoint } from '@xs2a/runtime/failpoint';
import { isUnanswered } from '@xs2a/postgres/errors';
import type { Pool, PoolClient, QueryConfig, QueryResult, QueryResultRow } from 'pg';

/** One request to the token endpoint: all it reads and writes is one transaction, begun at its first statement. */
class TokenTransaction {
  /** Grants of which a code or refresh token was used twice; they die whatever becomes of the transaction. */
  readonly reusedGrants = new Set<string>();
  private session: Promise<PoolClient> | undefined;
  private isUnanswered = false;

  constructor(private readonly pool: Pool) {}

  get hasBegun(): boolean {
    return this.session !== undefined;
  }

  async query<Row extends QueryResultRow>(query: QueryConfig): Promise<QueryResult<Row>> {
    this.session ??= this.begin();
    const client = await this.session;
    try {
      return await client.query<Row>(query);
    } catch (error) {
      this.isUnanswered ||= isUnanswered(error);
      throw error;
    }
  }

  async end(statement: 'COMMIT' | 'ROLLBACK'): Promise<void> {
    if (this.session === undefined) return;
    const client = await this.session;
    // Nobody waits a second time for a server that does not answer; the end of the connection rolls back.
    if (this.isUnanswered) return client.release(true);
    try {
      await client.query(statement);
      client.release();
    } catch (error) {
      client.release(true);
      throw error;
    }
  }

  private async begin(): Promise<PoolClient> {
    const client = await this.pool.connect();
    try {
      await client.query('BEGIN');
    } catch (error) {
      client.release(true);
      throw error;
    }
    return client;
  }
}

/** Statements of the token endpoint run inside its transaction; those of other endpoints run by themselves. */
@Injectable()
export class TokenTransactions {
  private readonly current = new AsyncLocalStorage<TokenTransaction>();

  constructor(@Inject(POOL) private readonly pool: Pool) {}

  async query<Row extends QueryResultRow>(query: QueryConfig): Promise<QueryResult<Row>> {
    const transaction = this.current.getStore();
    return transaction === undefined ? this.pool.query<Row>(query) : transaction.query<Row>(query);
  }

  /** Inside a transaction that has begun; otherwise the statement runs by itself and begins none. */
  async queryBeside<Row extends QueryResultRow>(query: QueryConfig): Promise<QueryResult<Row>> {
    const transaction = this.current.getStore();
    return transaction?.hasBegun === true ? transaction.query<Row>(query) : this.pool.query<Row>(query);
  }

  /**
   * Runs `work`, which answers whether tokens were issued: then everything is kept, otherwise nothing is, so that a
   * refused request uses up neither code nor refresh token. Grants noted by {@link noteReuse} are handed to `revoke`
   * afterwards, outside the transaction, so that their end survives its rollback.
   */
  async run(work: () => Promise<boolean>, revoke: (grantId: string) => Promise<void>): Promise<void> {
    const transaction = new TokenTransaction(this.pool);
    await this.current.run(transaction, async () => {
      let issued = false;
      try {
        issued = await work();
      } finally {
        const isKept = issued && transaction.reusedGrants.size === 0;
        await transaction.end(isKept ? 'COMMIT' : 'ROLLBACK').catch((error: unknown) => {
          // A rollback that could not be sent has happened: the connection is gone.
          if (isKept) throw error;
        });
      }
    });
    failpoint('auth.after-token-commit');
    for (const grantId of transaction.reusedGrants) await revoke(grantId);
  }

  /** Notes the reuse for after the transaction; false: there is none, the caller revokes now. */
  noteReuse(grantId: string): boolean {
    const transaction = this.current.getStore();
    transaction?.reusedGrants.add(grantId);
    return transaction !== undefined;
  }
}
