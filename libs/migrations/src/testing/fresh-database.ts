import { prepareDatabases } from '@xs2a/local-servers/databases';
import { startPostgres } from '@xs2a/local-servers/postgres-server';
import { createPool } from '@xs2a/postgres/pool';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Pool } from 'pg';

export interface FreshDatabase {
  readonly ownerUrl: string;
  readonly owner: Pool;
  /** The URL of the service's role. */
  readonly url: string;
  /** A pool with the rights of the service. */
  readonly pool: Pool;
  close(): Promise<void>;
}

/** A database with the schema of a service and no tables. */
export const freshDatabase = async (schema: string): Promise<FreshDatabase> => {
  const folder = mkdtempSync(join(tmpdir(), `xs2a-${schema}-`));
  const postgres = await startPostgres({ dataDir: join(folder, 'pg'), durable: false });
  await prepareDatabases(postgres.url());
  const ownerUrl = postgres.url('xs2a_owner');
  const ownInSchema = new URL(ownerUrl);
  ownInSchema.searchParams.set('options', `-c search_path=${schema}`);
  const owner = createPool({ url: ownInSchema.href, name: 'test' });
  const url = postgres.url(`xs2a_${schema}`);
  const pool = createPool({ url, name: 'test' });
  return {
    ownerUrl,
    owner,
    url,
    pool,
    close: async () => {
      await Promise.all([owner.end(), pool.end()]);
      await postgres.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
};
