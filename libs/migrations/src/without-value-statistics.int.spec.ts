import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { prepareDatabases } from '@xs2a/local-servers/databases';
import { type PostgresServer, startPostgres } from '@xs2a/local-servers/postgres-server';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { withoutValueStatistics } from './without-value-statistics.js';

let folder: string;
let server: PostgresServer;
let owner: Client;
const personal = { schema: 'payments', table: 'person', columns: { psu_id: 0.1, address: null } } as const;
/** The columns of the table whose values are in the statistics. */
const known = async (): Promise<string[]> => {
  await owner.query('ANALYZE payments.person');
  const { rows } = await owner.query<{ attname: string }>(
    `SELECT attname FROM pg_stats WHERE tablename IN ('person', 'person_psu') AND strpos(pg_stats::text, 'maria') > 0 ORDER BY 1`,
  );
  return rows.map(({ attname }) => attname);
};
const plan = async (): Promise<string> => {
  const { rows } = await owner.query<{ 'QUERY PLAN': string }>(
    `EXPLAIN SELECT * FROM payments.person WHERE psu_id = 'maria 7' ORDER BY id DESC LIMIT 10`,
  );
  return rows.map((row) => row['QUERY PLAN']).join('\n');
};

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'xs2a-statistics-'));
  server = await startPostgres({ dataDir: join(folder, 'pg'), durable: false });
  await prepareDatabases(server.url());
  owner = new Client({ connectionString: server.url('xs2a_owner') });
  await owner.connect();
  await owner.query(`
    CREATE TABLE payments.person (id bigint PRIMARY KEY, psu_id text, address text, amount int);
    CREATE INDEX person_psu ON payments.person (psu_id, id DESC);
    INSERT INTO payments.person SELECT n, 'maria ' || n % 2000, 'maria at ' || n % 3, n FROM generate_series(1, 20000) n`);
}, 60_000);
afterAll(async () => {
  await owner?.end();
  await server?.stop();
  rmSync(folder, { recursive: true, force: true });
});

describe('columns of personal data (docs/how-to/erasure.md)', () => {
  it('have no values in the statistics, before or after ANALYZE, and are still looked up by index', async () => {
    expect(await known()).toEqual(['address', 'psu_id']);
    await withoutValueStatistics(owner, personal);
    await withoutValueStatistics(owner, personal);
    expect(await known()).toEqual([]);
    await owner.query(`UPDATE payments.person SET psu_id = psu_id, address = address`);
    expect(await known()).toEqual([]);
    const { rows } = await owner.query(
      `SELECT n_distinct::float8 AS distinct FROM pg_stats WHERE tablename = 'person' AND attname = 'psu_id'`,
    );
    expect(rows).toEqual([{ distinct: expect.closeTo(-0.1) }]);
    expect(await plan()).toMatch(/person_psu .*rows=10 /);
  }, 60_000);
});
