import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { prepareDatabases } from '@xs2a/local-servers/databases';
import { type PostgresServer, startPostgres } from '@xs2a/local-servers/postgres-server';
import { runMigrations } from '@xs2a/migrations/run-migrations';
import { createPool } from '@xs2a/postgres/pool';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Pool } from 'pg';
import { migrations, schema } from './migrations/index.js';
import { NotificationTable } from './notification-table.js';

const folder = mkdtempSync(join(tmpdir(), 'xs2a-old-notifications-'));
let postgres: PostgresServer;
let pool: Pool;
beforeAll(async () => {
  postgres = await startPostgres({ dataDir: join(folder, 'pg'), durable: false });
  await prepareDatabases(postgres.url());
  await runMigrations({ url: postgres.url('xs2a_owner'), schema, migrations });
  pool = createPool({ url: postgres.url('xs2a_notifications'), name: 'test' });
}, 60_000);
afterAll(async () => {
  await pool.end();
  await postgres.stop();
  rmSync(folder, { recursive: true });
});
beforeEach(async () => void (await pool.query('DELETE FROM notification')));

/** Adds notifications that ended this many days ago; a waiting one has not ended. */
const add = async (state: 'waiting' | 'delivered' | 'dead', daysAgo: number, count = 1): Promise<void> => {
  await pool.query(
    `INSERT INTO notification (notification_id, resource_id, pos, part, tpp_id, uri, body, state, created_at, ended_at)
     SELECT gen_random_uuid(), gen_random_uuid(), n, 0, 'tpp', 'https://tpp.example', '{}', $1, now() - make_interval(days => $2),
       CASE WHEN $1 <> 'waiting' THEN now() - make_interval(days => $2) END FROM generate_series(1, $3) n`,
    [state, daysAgo, count],
  );
};
const remove = async (delivered = 7, dead = 90): Promise<number> =>
  new NotificationTable(pool, { keepsTries: false }).removeOld({
    NOTIFICATIONS_DELIVERED_DAYS: delivered,
    NOTIFICATIONS_DEAD_DAYS: dead,
  });
const left = async (): Promise<string[]> => {
  const { rows } = await pool.query<{ text: string }>(
    `SELECT state || ' ' || extract(day FROM now() - created_at) AS text FROM notification ORDER BY created_at`,
  );
  return rows.map(({ text }) => text);
};

describe('ended notifications (docs/how-to/retention.md)', () => {
  it('are kept for a week if delivered and for 90 days if undelivered; waiting ones are not removed', async () => {
    for (const [state, daysAgo] of [
      ['waiting', 400],
      ['dead', 91],
      ['dead', 89],
      ['delivered', 8],
      ['delivered', 6],
    ] as const)
      await add(state, daysAgo);
    expect(await remove()).toBe(2);
    expect(await left()).toEqual(['waiting 400', 'dead 89', 'delivered 6']);
  });

  it('are kept for the period that the bank configures', async () => {
    for (const state of ['delivered', 'dead'] as const) await add(state, 10);
    expect(await remove(11, 11)).toBe(0);
    expect(await remove(9, 11)).toBe(1);
    expect(await left()).toEqual(['dead 10']);
    expect(await remove(9, 9)).toBe(1);
  });

  it('are removed in batches of at most 5,000 of each kind, even by two instances at once', async () => {
    await add('delivered', 8, 12_000);
    expect(await remove()).toBe(5000);
    let removed = 5000;
    while (removed < 12_000) {
      const [one, other] = await Promise.all([remove(), remove()]);
      expect(Math.max(one, other)).toBeLessThanOrEqual(5000);
      removed += one + other;
    }
    expect([removed, await left()]).toEqual([12_000, []]);
  });
});
