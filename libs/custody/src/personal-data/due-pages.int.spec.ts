import { custodyTables } from '../custody.tables.js';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Pool } from 'pg';
import { type SampleDatabase, startSampleDatabase } from '@xs2a/event-store/testing/sample-stream';
import { dueToErase, pastRetentionSql, recordRequest } from './erasures.js';

const today = '2031-01-01';
const lowestId = '00000000-0000-0000-0000-000000000000';

let database: SampleDatabase;
let owner: Pool;

beforeAll(async () => {
  database = await startSampleDatabase({ more: custodyTables('payments') });
  owner = database.superuserPool('payments');
  // 200 retention dates, in an order that differs from the id order. Half of them have passed.
  await owner.query(
    `INSERT INTO stream_key (stream_id, wrapped, master_key, retained_until)
     SELECT gen_random_uuid(), '', 'test', '2031-01-01'::date - 100 + n % 200 FROM generate_series(1, 20000) AS n`,
  );
  await owner.query('ANALYZE stream_key');
});
afterAll(async () => database.stop());

const read = async (limit: number): Promise<readonly (readonly string[])[]> => {
  const pages: (readonly string[])[] = [];
  for await (const page of dueToErase(owner, { today, limit })) pages.push(page);
  return pages;
};
const planOf = async (values: readonly unknown[]): Promise<string> => {
  const { rows } = await owner.query<Record<string, string>>(
    `EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF, BUFFERS OFF) ${pastRetentionSql}`,
    [...values],
  );
  return rows.map((row) => row['QUERY PLAN']).join('\n');
};

describe('streams that are due for erasure', () => {
  it('are read in pages, each stream once, even if its erasure was requested and its retention has also ended', async () => {
    const pages = await read(1000);
    expect(pages.map(({ length }) => length)).toEqual(Array.from({ length: 10 }, () => 1000));
    const streamIds = pages.flat();
    expect(new Set(streamIds).size).toBe(10_000);
    const [at, asked, reason] = [new Date(), ['1'], 'test'];
    const request = { at, operator: 'tester', act: 'erase', asked, streams: 2, reason };
    const erasure = await recordRequest(owner, request);
    const [both] = streamIds;
    const {
      rows: [kept],
    } = await owner.query<{ stream_id: string }>(
      "SELECT stream_id FROM stream_key WHERE retained_until > '2031-02-01' LIMIT 1",
    );
    const named = [both, kept?.stream_id];
    await owner.query('UPDATE stream_key SET erasure = $1 WHERE stream_id = ANY($2::uuid[])', [
      erasure,
      named,
    ]);
    const now = await read(1000);
    expect(now[0]).toEqual(named.toSorted());
    expect(now.flat().toSorted()).toEqual([...streamIds, kept?.stream_id].toSorted());
  });

  it('are read in index order, without sorting or skipping rows, however many have already been read', async () => {
    const days = ['-infinity', '2030-11-15', '2030-12-31'];
    for (const day of days) {
      const plan = await planOf([day, lowestId, today, 100]);
      expect(plan).toMatch(/Index Scan using stream_key_retained.*rows=100/);
      expect(plan).not.toMatch(/Sort|Rows Removed|Seq Scan/);
    }
  });
});
