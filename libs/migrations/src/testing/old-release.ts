import { prepareDatabases } from '@xs2a/local-servers/databases';
import { startPostgres } from '@xs2a/local-servers/postgres-server';
import { createPool } from '@xs2a/postgres/pool';
import { newId } from '@xs2a/runtime/ids';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Pool } from 'pg';

export interface OldRelease {
  readonly ownerUrl: string;
  readonly owner: Pool;
  /** A pool with the rights of the service. */
  readonly pool: Pool;
  /** Stores events as a release before hashes and versions did: each a type and its data. */
  storeEvents(
    streamId: string,
    events: readonly (readonly [type: string, data: object])[],
    at: string,
  ): Promise<void>;
  close(): Promise<void>;
}

/** A database without tables yet, where a test migrates to an earlier release, stores, and migrates on. */
export const oldRelease = async (schema: string): Promise<OldRelease> => {
  const folder = mkdtempSync(join(tmpdir(), `xs2a-${schema}-`));
  const postgres = await startPostgres({ dataDir: join(folder, 'pg'), durable: false });
  await prepareDatabases(postgres.url());
  const ownerUrl = postgres.url('xs2a_owner');
  const ownInSchema = new URL(ownerUrl);
  ownInSchema.searchParams.set('options', `-c search_path=${schema}`);
  const owner = createPool({ url: ownInSchema.href, name: 'test' });
  const pool = createPool({ url: postgres.url(`xs2a_${schema}`), name: 'test' });
  return {
    ownerUrl,
    owner,
    pool,
    storeEvents: async (streamId, events, at) => {
      for (const [index, [type, data]] of events.entries())
        await owner.query(
          `INSERT INTO ${schema}.events
             (event_id, stream_id, version, type, schema_version, data, meta, occurred_at, prev_hash, hash)
           VALUES ($1, $2, $3, $4, 1, $5, '{}', $6, '', '')`,
          [newId(), streamId, index + 1, type, JSON.stringify(data), at],
        );
    },
    close: async () => {
      await Promise.all([owner.end(), pool.end()]);
      await postgres.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
};
