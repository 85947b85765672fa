import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { discardDeadLetter, removeOldLetters } from '@xs2a/consumers/dead-letters';
import { prepareDatabases } from '@xs2a/local-servers/databases';
import { type PostgresServer, startPostgres } from '@xs2a/local-servers/postgres-server';
import { runMigrations } from '@xs2a/migrations/run-migrations';
import { until } from '@xs2a/nats/testing/until';
import { createLogger } from '@xs2a/observability/logger';
import { createPool } from '@xs2a/postgres/pool';
import { Clock } from '@xs2a/runtime/clock';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Pool } from 'pg';
import { migrations, schema } from './migrations/index.js';
import { OldLetters } from './old-letters.js';

const folder = mkdtempSync(join(tmpdir(), 'xs2a-old-letters-'));
let postgres: PostgresServer;
let owner: Pool;
let pool: Pool;
beforeAll(async () => {
  postgres = await startPostgres({ dataDir: join(folder, 'pg'), durable: false });
  await prepareDatabases(postgres.url());
  await runMigrations({ url: postgres.url('xs2a_owner'), schema, migrations });
  owner = createPool({ url: postgres.url('xs2a_owner'), name: 'owner', max: 1 });
  pool = createPool({ url: postgres.url('xs2a_settlement'), name: 'test' });
}, 60_000);
afterAll(async () => {
  await Promise.all([owner.end(), pool.end()]);
  await postgres.stop();
  rmSync(folder, { recursive: true });
});
beforeEach(async () => void (await owner.query('TRUNCATE settlement.dead_letter')));

/** Adds dead letters that were stored this many days ago, at consecutive positions starting with `first`. */
const add = async (
  daysAgo: number,
  { first = 1, count = 1, replay = null }: { first?: number; count?: number; replay?: string | null } = {},
): Promise<void> => {
  await owner.query(
    `INSERT INTO settlement.dead_letter (consumer, pos, subject, body, reason, buried_at, replay)
     SELECT 'settlement', n, 's', '{}', 'Error', now() - make_interval(days => $1), $4
     FROM generate_series($2::int, $2 + $3 - 1) n`,
    [daysAgo, first, count, replay],
  );
};
const left = async (): Promise<number[]> =>
  (await owner.query<{ pos: number }>('SELECT pos FROM settlement.dead_letter ORDER BY pos')).rows.map(
    ({ pos }) => pos,
  );

describe('dead letters that were never replayed (docs/how-to/retention.md)', () => {
  it('are removed after 90 days, even after a failed replay, unless a replay has been requested or is running', async () => {
    await add(91);
    await add(89, { first: 2 });
    await add(91, { first: 3, replay: 'requested' });
    await add(91, { first: 4, replay: 'under-way' });
    await add(91, { first: 5, replay: 'failed' });
    expect(await removeOldLetters(pool, { days: 90, limit: 1000 })).toBe(2);
    expect(await left()).toEqual([2, 3, 4]);
  });

  it('are kept for the period that the bank configures', async () => {
    await add(91);
    expect(await removeOldLetters(pool, { days: 92, limit: 1000 })).toBe(0);
    expect(await removeOldLetters(pool, { days: 90, limit: 1000 })).toBe(1);
  });

  it('are removed oldest first and up to the given number, even by two instances at once', async () => {
    await add(100, { first: 11, count: 10 });
    await add(200, { count: 10 });
    const removed = await Promise.all([1, 2].map(async () => removeOldLetters(pool, { days: 90, limit: 4 })));
    expect(Math.max(...removed)).toBeLessThanOrEqual(4);
    expect((await left()).slice(-10)).toEqual([11, 12, 13, 14, 15, 16, 17, 18, 19, 20]);
    expect(await left()).toHaveLength(20 - removed.reduce((sum, one) => sum + one, 0));
  });

  it('can be discarded by an operator without waiting for the removal', async () => {
    await add(91);
    const [removed, discarded] = await Promise.all([
      removeOldLetters(pool, { days: 90, limit: 1000 }),
      discardDeadLetter(pool, { consumer: 'settlement', pos: 1 }),
    ]);
    expect([removed, Number(discarded)].sort()).toEqual([0, 1]);
  });

  it('are all removed automatically by the service', async () => {
    await add(91, { count: 2500 });
    await add(89, { first: 9999 });
    const service = new OldLetters(
      pool,
      new Clock(false),
      { DEAD_LETTER_DAYS: 90 },
      createLogger('old-letters-test', 'silent'),
    );
    service.onApplicationBootstrap();
    await until(async () => expect(await left()).toEqual([9999]));
    await service.onApplicationShutdown();
  });
});
