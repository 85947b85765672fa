import { Inject, Injectable } from '@nestjs/common';
import { POOL } from '@xs2a/runtime/tokens';
import { AsyncLocalStorage } from 'node:async_hooks';
import { failpoint } from '@xs2a/runtime/failpoint';
import { isUnanswered } from '@xs2a/postgres/errors';
import type { Pool, PoolClient, QueryConfig, QueryResult, QueryResultRow } from 'pg';

/**
 * One request to the token endpoint: everything it reads and writes is in one transaction, which begins with the
 * first statement.
 */
class TokenTransaction {
  /** Grants whose code or refresh token was used twice; they are revoked whether or not the transaction commits. */
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
    // Do not wait a second time for a server that does not reply; closing the connection rolls back.
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

/** Statements of the token endpoint run in its transaction; those of other endpoints run separately. */
@Injectable()
export class TokenTransactions {
  private readonly current = new AsyncLocalStorage<TokenTransaction>();

  constructor(@Inject(POOL) private readonly pool: Pool) {}

  async query<Row extends QueryResultRow>(query: QueryConfig): Promise<QueryResult<Row>> {
    const transaction = this.current.getStore();
    return transaction === undefined ? this.pool.query<Row>(query) : transaction.query<Row>(query);
  }

  /** Runs the statement in the transaction if that has begun; otherwise runs it separately and begins none. */
  async queryBeside<Row extends QueryResultRow>(query: QueryConfig): Promise<QueryResult<Row>> {
    const transaction = this.current.getStore();
    return transaction?.hasBegun === true ? transaction.query<Row>(query) : this.pool.query<Row>(query);
  }

  /**
   * Runs `work`, which returns whether tokens were issued: if so, all changes are committed, otherwise none, so
   * that a refused request consumes neither code nor refresh token. Grants recorded by {@link noteReuse} are
   * passed to `revoke` afterwards, outside the transaction, so that their revocation survives its rollback.
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
          // If the rollback could not be sent, the connection is closed, which rolls back as well.
          if (isKept) throw error;
        });
      }
    });
    failpoint('auth.after-token-commit');
    for (const grantId of transaction.reusedGrants) await revoke(grantId);
  }

  /**
   * Records the reuse until the transaction has ended; false: there is no transaction, and the caller must revoke
   * now.
   */
  noteReuse(grantId: string): boolean {
    const transaction = this.current.getStore();
    transaction?.reusedGrants.add(grantId);
    return transaction !== undefined;
  }
}
