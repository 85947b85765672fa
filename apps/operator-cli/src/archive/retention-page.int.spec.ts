import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { prepareDatabases } from '@xs2a/local-servers/databases';
import { type PostgresServer, startPostgres } from '@xs2a/local-servers/postgres-server';
import { runMigrations } from '@xs2a/migrations/run-migrations';
import { createPool } from '@xs2a/postgres/pool';
import { root } from '@xs2a/runtime/release';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { tables } from '../migrate/tables.js';

const folder = mkdtempSync(join(tmpdir(), 'xs2a-retention-'));
const schemas = tables.map(({ schema }) => schema);
let postgres: PostgresServer;
/**
 * All tables of all services, each listed once: partitions are omitted, and projections appear under the name of
 * their view.
 */
let there: string[];

beforeAll(async () => {
  postgres = await startPostgres({ dataDir: join(folder, 'pg'), durable: false });
  await prepareDatabases(postgres.url());
  const url = postgres.url('xs2a_owner');
  for (const { schema, migrations } of tables) await runMigrations({ url, schema, migrations });
  const owner = createPool({ url, name: 'test', max: 1 });
  const { rows } = await owner.query<{ name: string }>(
    `SELECT DISTINCT nspname || '.' || regexp_replace(relname, '_[0-9]+$', '') AS name
     FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
     WHERE nspname = ANY($1) AND relkind IN ('r', 'p') AND NOT relispartition ORDER BY 1`,
    [schemas],
  );
  await owner.end();
  there = rows.map(({ name }) => name);
}, 120_000);
afterAll(async () => {
  await postgres.stop();
  rmSync(folder, { recursive: true });
});

describe('the page docs/how-to/retention.md', () => {
  it('lists exactly the tables that the migrations create', () => {
    const page = readFileSync(join(root, 'docs/how-to/retention.md'), 'utf8');
    const named = [...page.matchAll(/`([a-z]+\.[a-z_]+)`/g)]
      .map(([, name = '']) => name)
      .filter((name) => schemas.some((schema) => name.startsWith(`${schema}.`)));
    expect(there.length).toBeGreaterThan(50);
    expect([...new Set(named)].sort()).toEqual(there);
  });
});
