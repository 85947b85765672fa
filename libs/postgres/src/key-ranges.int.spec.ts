import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type PostgresServer, startPostgres } from '@xs2a/local-servers/postgres-server';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Pool } from 'pg';
import { type KeyRange, keyRanges } from './key-ranges.js';
import { createPool } from './pool.js';

const folder = mkdtempSync(join(tmpdir(), 'xs2a-key-ranges-'));
let server: PostgresServer;
let pool: Pool;
beforeAll(async () => {
  server = await startPostgres({ dataDir: join(folder, 'pg'), durable: false });
  const url = new URL(server.url());
  url.pathname = '/postgres';
  pool = createPool({ url: url.href, name: 'test' });
  await pool.query(`CREATE TABLE large (stream_id uuid, version int, PRIMARY KEY (stream_id, version));
    INSERT INTO large SELECT gen_random_uuid(), 1 FROM generate_series(1, 950);
    INSERT INTO large SELECT '7fffffff-0000-4000-8000-000000000000', version FROM generate_series(1, 150) AS version`);
}, 60_000);
afterAll(async () => {
  await pool?.end();
  await server?.stop();
  rmSync(folder, { recursive: true, force: true });
});

const ranges = async (table: string): Promise<KeyRange[]> => {
  const all: KeyRange[] = [];
  for await (const range of keyRanges(pool, { table, rows: 100 })) all.push(range);
  return all;
};

describe('ranges of keys (architecture, Event store)', () => {
  it('together contain every row exactly once, and each contain about the requested number of rows', async () => {
    const counts: number[] = [];
    for (const range of await ranges('large')) {
      const { rows } = await pool.query<{ count: number }>(
        'SELECT count(*) FROM large WHERE stream_id > $1 AND stream_id <= $2',
        [...range],
      );
      counts.push(rows[0]?.count ?? 0);
    }
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(1100);
    // All events of a stream are in the same range, so one of the ranges may be larger.
    expect(Math.max(...counts)).toBeLessThanOrEqual(250);
    expect(counts.length).toBeGreaterThan(9);
  });

  it('cover every possible key, even if the table is empty', async () => {
    await pool.query('CREATE TABLE none (stream_id uuid PRIMARY KEY)');
    const all = await ranges('large');
    expect(all.slice(1).map(([after]) => after)).toEqual(all.slice(0, -1).map(([, upTo]) => upTo));
    expect(await ranges('none')).toEqual([[all[0]?.[0], all.at(-1)?.[1]]]);
  });
});
