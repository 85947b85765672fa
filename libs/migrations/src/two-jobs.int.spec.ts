import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { PoolClient } from 'pg';
import { runMigrations } from './run-migrations.js';
import { dueColumn, largeTable, schema } from './testing/large-table.js';
import { freshDatabase, type FreshDatabase } from './testing/fresh-database.js';

const rows = 4000;
const program = fileURLToPath(new URL('../dist/testing/migrate-large.js', import.meta.url));

interface Job {
  readonly process: ChildProcess;
  /** All that it wrote so far. */
  words(): string;
  /** The names of the migrations that it ran; rejects when it failed. */
  readonly ran: Promise<readonly string[]>;
}
const running = new Set<ChildProcess>();
const startJob = (url: string): Job => {
  const child = spawn(process.execPath, [program, url], { stdio: ['ignore', 'pipe', 'pipe'] });
  let [out, words] = ['', ''];
  child.stdout.on('data', (data) => (out += String(data)));
  child.stderr.on('data', (data) => (words += String(data)));
  const ran = once(child, 'exit').then(([code]) => {
    if (code !== 0) throw new Error(`the job ended with ${String(code)}: ${words}`);
    return JSON.parse(out) as readonly string[];
  });
  // The error is not lost: the test gets it from `ran`. Without this a test that fails before it waits for the job would end jest.
  ran.catch(() => undefined);
  running.add(child);
  return { process: child, words: () => words, ran };
};

let database: FreshDatabase;
/** Sessions in a transaction. */
const held = new Set<PoolClient>();
beforeAll(async () => {
  database = await freshDatabase(schema);
}, 120_000);
beforeEach(async () => {
  await database.owner.query(
    'DROP TABLE IF EXISTS payments.large, payments.migration, payments.migration_progress',
  );
  await runMigrations({ url: database.ownerUrl, schema, migrations: [...largeTable, dueColumn[0]] });
  await database.owner.query(
    `INSERT INTO payments.large SELECT id, 'signed' FROM generate_series(1, ${rows}) AS id`,
  );
}, 60_000);
afterEach(() => {
  for (const child of running) child.kill('SIGKILL');
  running.clear();
  for (const session of held) session.release(true);
  held.clear();
});
afterAll(async () => database.close());

const ask = async <Row extends object>(text: string): Promise<Row[]> =>
  (await database.owner.query<Row>(text)).rows;
const until = async (what: string, isSo: () => Promise<boolean>): Promise<void> => {
  for (const end = performance.now() + 45_000; !(await isSo()); await pause(20))
    if (performance.now() > end) throw new Error(`waited for ${what}`);
};
/** A session in a transaction, of which `text` is the first statement, until it is ended. */
const holding = async (text: string): Promise<PoolClient> => {
  const session = await database.owner.connect();
  await session.query('SET transaction_timeout = 0; SET statement_timeout = 0; BEGIN');
  held.add(session);
  await session.query(text);
  return session;
};
const ended = async (session: PoolClient): Promise<void> => {
  await session.query('COMMIT');
  held.delete(session);
  session.release();
};
const index = async (): Promise<boolean | undefined> =>
  (
    await ask<{ indisvalid: boolean }>(
      `SELECT indisvalid FROM pg_index WHERE indexrelid = to_regclass('payments.large_due')`,
    )
  )[0]?.indisvalid;
const all = ['Filled1700000000003', 'Index1700000000004'];

describe('two migration jobs (docs/how-to/write-a-migration.md)', () => {
  it('when run at once: one does all the work, and the other waits and finds nothing to do', async () => {
    const jobs = [startJob(database.ownerUrl), startJob(database.ownerUrl)];
    const ran = await Promise.all(jobs.map(async (job) => job.ran));
    expect(ran.toSorted((one, other) => other.length - one.length)).toEqual([all, []]);
    expect(await index()).toBe(true);
  }, 60_000);

  it('if the first is killed during a backfill, the second resumes where it stopped', async () => {
    // The page with this row cannot be filled.
    const holder = await holding(`SELECT FROM payments.large WHERE id = ${rows / 2} FOR UPDATE`);
    const killed = startJob(database.ownerUrl);
    const progress = async (): Promise<{ key: string; changed: number }[]> =>
      ask(`SELECT key, changed::int FROM payments.migration_progress WHERE key IS NOT NULL`);
    await until(
      'the first pages',
      async () =>
        (await ask(`SELECT FROM pg_tables WHERE tablename = 'migration_progress'`)).length > 0 &&
        (await progress()).length > 0,
    );
    killed.process.kill('SIGKILL');
    await expect(killed.ran).rejects.toThrow('the job ended');
    const [stood] = await progress();
    expect(Number(stood?.key)).toBe(stood?.changed);
    // A row behind which it has come: a second walk through the table would fill it again.
    await database.owner.query('UPDATE payments.large SET due = NULL WHERE id = 1');
    await ended(holder);
    expect(await startJob(database.ownerUrl).ran).toEqual(all);
    expect(await ask('SELECT id FROM payments.large WHERE due IS NULL')).toEqual([{ id: 1 }]);
    expect(await ask(`SELECT FROM pg_tables WHERE tablename = 'migration_progress'`)).toEqual([]);
  }, 60_000);

  it('if the first is killed while the server builds its index, the second waits for that build', async () => {
    const reader = await holding('SELECT FROM payments.large LIMIT 1');
    await reader.query('DECLARE rows CURSOR FOR SELECT FROM payments.large');
    const killed = startJob(database.ownerUrl);
    await until('the half-made index', async () => (await index()) === false);
    killed.process.kill('SIGKILL');
    const second = startJob(database.ownerUrl);
    await until('the second job', async () => second.words().includes('another job migrates payments'));
    expect(await index()).toBe(false);
    await ended(reader);
    expect(await second.ran).toEqual(['Index1700000000004']);
    expect(await index()).toBe(true);
  }, 60_000);

  it('if the index build of the first is interrupted, the second builds the index again', async () => {
    const reader = await holding('SELECT FROM payments.large LIMIT 1');
    await reader.query('DECLARE rows CURSOR FOR SELECT FROM payments.large');
    const cut = startJob(database.ownerUrl);
    await until('the half-made index', async () => (await index()) === false);
    await database.owner.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'CREATE INDEX CONCURRENTLY%'`,
    );
    await expect(cut.ran).rejects.toThrow('terminating connection');
    const [left] = await ask<{ oid: number }>(`SELECT 'payments.large_due'::regclass::oid AS oid`);
    await ended(reader);
    expect(await startJob(database.ownerUrl).ran).toEqual(['Index1700000000004']);
    expect(await index()).toBe(true);
    expect(await ask(`SELECT 'payments.large_due'::regclass::oid AS oid`)).not.toEqual([left]);
  }, 60_000);
});
