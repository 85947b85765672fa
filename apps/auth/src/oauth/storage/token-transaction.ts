import { Inject, Injectable } from '@nestjs/common';
import { POOL } from '@xs2a/runtime/tokens';
import { AsyncLocalStorage } from 'node:async_hooks';
import { failpoint } from '@xs2a/runtime/failpoint';
import { isUnanswered } from '@xs2a/postgres/errors';
import type { Pool, PoolClient, QueryConfig, QueryResult, QueryResultRow } from 'pg';

/**
 * One request to the token endpoint. Everything that it reads and writes is in one transaction, which begins with
 * the first statement.
 */
class TokenTransaction {
  /** Grants whose code or refresh token was used twice. They are revoked whether or not the transaction commits. */
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
    // Avoids waiting a second time for a server that does not reply. Closing the connection rolls the
    // transaction back.
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

/** Runs the statements of the token endpoint in its transaction; those of other endpoints run separately. */
@Injectable()
export class TokenTransactions {
  private readonly current = new AsyncLocalStorage<TokenTransaction>();

  constructor(@Inject(POOL) private readonly pool: Pool) {}

  async query<Row extends QueryResultRow>(query: QueryConfig): Promise<QueryResult<Row>> {
    const transaction = this.current.getStore();
    return transaction === undefined ? this.pool.query<Row>(query) : transaction.query<Row>(query);
  }

  /** Runs the statement in the transaction if one has begun. Otherwise runs it separately, without beginning one. */
  async queryBeside<Row extends QueryResultRow>(query: QueryConfig): Promise<QueryResult<Row>> {
    const transaction = this.current.getStore();
    return transaction?.hasBegun === true ? transaction.query<Row>(query) : this.pool.query<Row>(query);
  }

  /**
   * Runs `work`, which returns whether tokens were issued. If so, all changes are committed; otherwise none are,
   * so that a refused request consumes neither code nor refresh token. Grants recorded by {@link noteReuse} are
   * passed to `revoke` afterwards, outside the transaction, so that their revocation survives a rollback.
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
          // If the ROLLBACK could not be sent, the connection has been closed, which also rolls back.
          if (isKept) throw error;
        });
      }
    });
    failpoint('auth.after-token-commit');
    for (const grantId of transaction.reusedGrants) await revoke(grantId);
  }

  /**
   * Notes the reuse, so that the grant is revoked when the transaction ends. Returns false if there is no
   * transaction, in which case the caller must revoke the grant immediately.
   */
  noteReuse(grantId: string): boolean {
    const transaction = this.current.getStore();
    transaction?.reusedGrants.add(grantId);
    return transaction !== undefined;
  }
}
