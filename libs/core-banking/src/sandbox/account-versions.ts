import { StatementQueue } from '@xs2a/postgres/statement-queue';
import type { Pool } from 'pg';

/**
 * SQL: the version of a row of `ledger_account`, by PostgreSQL's own count: the transaction that wrote it last. Whatever
 * adds an entry to an account or removes one moves the account's counters in the same transaction, so what was read of the
 * entries beside a version is still so while the version is the same. A server that was restored from a backup, or a standby
 * that took over, counts on from before: so the start of the server belongs to it.
 */
export const versionSql = `concat(xmin, ' ', pg_postmaster_start_time())`;

const maxBatch = 500;

/** Asks for the versions of accounts; those asked for at the same time share a statement. */
export class AccountVersions {
  private readonly queue: StatementQueue<string, string | undefined>;

  constructor(pool: Pool) {
    this.queue = new StatementQueue({
      maxBatch,
      keysOf: () => [],
      run: async (accountIds) => {
        const { rows } = await pool.query<{ id: string; version: string }>({
          name: 'account-versions',
          text: `SELECT id, ${versionSql} AS version FROM ledger_account WHERE id = ANY($1::uuid[])`,
          values: [[...new Set(accountIds)]],
        });
        const versions = new Map(rows.map(({ id, version }) => [id, version]));
        return accountIds.map((id) => versions.get(id));
      },
    });
  }

  /** As it stands after this call was made; undefined for an id in another spelling than PostgreSQL's, and for none of ours. */
  async of(accountId: string): Promise<string | undefined> {
    return this.queue.add(accountId);
  }
}
