import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { prepareDatabases } from '@xs2a/local-servers/databases';
import { type PostgresServer, startPostgres } from '@xs2a/local-servers/postgres-server';
import { runMigrations } from '@xs2a/migrations/run-migrations';
import { createPool } from '@xs2a/postgres/pool';
import { newId } from '@xs2a/runtime/ids';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Pool } from 'pg';
import { migrations, schema } from './migrations/index.js';
import { closeLate } from './instant/late-instants.js';
import { readUnfinished } from './unfinished-transactions.js';

let folder: string;
let postgres: PostgresServer;
/** With the privileges of the worker's role. */
let pool: Pool;
let owner: Pool;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'xs2a-unfinished-'));
  postgres = await startPostgres({ dataDir: join(folder, 'pg'), durable: false });
  await prepareDatabases(postgres.url());
  await runMigrations({ url: postgres.url('xs2a_owner'), schema, migrations });
  owner = createPool({ url: postgres.url('xs2a_owner'), name: 'owner', max: 1 });
  pool = createPool({ url: postgres.url('xs2a_settlement'), name: 'worker', max: 1 });
}, 60_000);
afterAll(async () => {
  await pool.end();
  await owner.end();
  await postgres.stop();
  rmSync(folder, { recursive: true, force: true });
});

describe('what the console reads of settlement (docs/how-to/operate-the-console.md)', () => {
  it('is what started and has not finished, the failing first, each with its reason', async () => {
    const [single, bulk, started] = [newId(), newId(), newId()];
    await owner.query(
      `INSERT INTO settlement.unfinished (payment_id, attempts, retry_at, last_failure, begun_at, part_of_payment, part_number)
       VALUES ($1, 0, NULL, NULL, now() - interval '1 hour', NULL, NULL),
         ($2, 2, now() + interval '1 hour', 'core-bank does not answer', now(), NULL, NULL),
         (gen_random_uuid(), 1, now() + interval '1 hour', 'another', now() + interval '1 second', $3, 7)`,
      [started, single, bulk],
    );
    const read = await readUnfinished(pool, { limit: 10 });
    expect(read).toMatchObject({ started: 3, failing: 2, deadLetters: 0 });
    expect(
      read.transactions.map(({ paymentId, number, failures, reason }) => [
        paymentId,
        number,
        failures,
        reason,
      ]),
    ).toEqual([
      [single, null, 2, 'core-bank does not answer'],
      [bulk, 7, 1, 'another'],
      [started, null, 0, null],
    ]);
    expect((await readUnfinished(pool, { limit: 1 })).transactions).toHaveLength(1);
    const ofBulk = await readUnfinished(pool, { limit: 10, paymentId: bulk });
    expect(ofBulk.transactions.map(({ number }) => number)).toEqual([7]);
  });

  it('counts the instant payments that were confirmed after their rejection, until each is closed', async () => {
    const [single, bulk, unknown] = [newId(), newId(), newId()];
    await owner.query(
      `INSERT INTO settlement.instant_follow_up (payment_id, confirmed_at, part_of_payment, part_number) VALUES
         ($1, NULL, NULL, NULL), ($2, now(), NULL, NULL), (gen_random_uuid(), now() - interval '8 days', $3, 1),
         (gen_random_uuid(), now(), $3, 2)`,
      [unknown, single, bulk],
    );
    const open = async () => (await readUnfinished(pool, { limit: 0 })).confirmedLate;
    expect(await open()).toBe(3);
    const close = async (paymentId: string, number: number | null) => closeLate(pool, { paymentId, number });
    // Of two operators, one closes it.
    const race = await Promise.all([close(single, null), close(single, null)]);
    expect(race.map(({ closed }) => closed).sort()).toEqual([false, true]);
    expect(await close(bulk, null)).toEqual({ closed: false });
    expect(await close(unknown, null)).toEqual({ closed: false });
    expect(await open()).toBe(2);
    expect(await close(bulk, 2)).toEqual({ closed: true });
    expect(await open()).toBe(1);
  });
});
