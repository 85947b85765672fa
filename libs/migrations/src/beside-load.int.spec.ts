// Lane: long (tables of many rows are migrated under load).
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import type { Pool } from 'pg';
import type { QueryRunner } from 'typeorm';
import { backfill, indexBesideLoad } from './beside-load.js';
import { runMigrations } from './run-migrations.js';
import { oldRelease, type OldRelease } from './testing/old-release.js';

/** A million by hand (MIGRATION_ROWS=1000000), see docs/how-to/upgrade.md; fewer where other tests run beside. */
const rows = Number(process.env['MIGRATION_ROWS'] ?? 50_000);
const schema = 'payments';

class Table1700000000001 {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE payments.large (id bigint PRIMARY KEY, status text NOT NULL, touched int NOT NULL DEFAULT 0) WITH (fillfactor = 60);
      GRANT SELECT, INSERT, UPDATE ON payments.large TO xs2a_payments`);
  }
  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE payments.large');
  }
}
class Column1700000000002 {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE payments.large ADD COLUMN due int');
  }
  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE payments.large DROP COLUMN due');
  }
}
class Filled1700000000003 {
  readonly transaction = false;
  async up(runner: QueryRunner): Promise<void> {
    await backfill(runner, {
      table: 'payments.large',
      key: 'id',
      keyType: 'bigint',
      set: 'due = length(t.status)',
      where: 't.due IS NULL',
    });
    await indexBesideLoad(runner, { schema, name: 'large_due', on: 'payments.large (due, id)' });
  }
  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX payments.large_due');
  }
}

let old: OldRelease;
beforeAll(async () => {
  old = await oldRelease(schema);
  await runMigrations({ url: old.ownerUrl, schema, migrations: [Table1700000000001] });
  await old.owner.query('SET statement_timeout = 0; SET transaction_timeout = 0');
  for (let from = 0; from < rows; from += 50_000)
    await old.owner.query(
      `INSERT INTO payments.large SELECT id, 'signed' FROM generate_series(${from + 1}, ${from + 50_000}) AS id`,
    );
}, 120_000);
afterAll(async () => old.close());

let added = rows;
/** Writes to the table until it is told to stop; every wait for a lock of a second and more is a failure. */
const startLoad = (
  pool: Pool,
): (() => Promise<{ statements: number; failures: string[]; slowestMs: number }>) => {
  const over = new AbortController();
  const seen = { statements: 0, failures: [] as string[], slowestMs: 0 };
  const client = async (number: number): Promise<void> => {
    const session = await pool.connect();
    try {
      await session.query("SET lock_timeout = '1s'");
      for (let step = 1; !over.signal.aborted; step += 1) {
        const begun = performance.now();
        const id = 1 + ((step * 7919 + number * 104_729) % rows);
        const work =
          step % 4 === 0
            ? session.query('INSERT INTO large (id, status) VALUES ($1, $2)', [(added += 1), 'new'])
            : session.query('UPDATE large SET touched = touched + 1 WHERE id = $1', [id]);
        await work.catch((error: unknown) => seen.failures.push(String(error)));
        seen.statements += 1;
        seen.slowestMs = Math.max(seen.slowestMs, performance.now() - begun);
      }
    } finally {
      session.release();
    }
  };
  const running = Promise.all([0, 1, 2, 3].map(client));
  return async () => {
    over.abort();
    await running;
    return seen;
  };
};

describe('migrations beside load (docs/how-to/upgrade.md)', () => {
  it('a column, a backfill and an index on a large table: no writer waits a second for a lock', async () => {
    const stopLoad = startLoad(old.pool);
    const begun = performance.now();
    const ran = await runMigrations({
      url: old.ownerUrl,
      schema,
      migrations: [Table1700000000001, Column1700000000002, Filled1700000000003],
    });
    const seconds = (performance.now() - begun) / 1000;
    const { statements, failures, slowestMs } = await stopLoad();
    process.stderr.write(
      `counts: migration beside load: ${seconds.toFixed(1)} s, ${statements} statements meanwhile, slowest ${Math.round(slowestMs)} ms\n`,
    );
    expect(ran).toEqual(['Column1700000000002', 'Filled1700000000003']);
    expect(failures).toEqual([]);
    expect(statements).toBeGreaterThan(100);
    const { rows: left } = await old.owner.query(
      'SELECT count(*) AS unfilled FROM payments.large WHERE due IS NULL AND id <= $1',
      [rows],
    );
    expect(left).toEqual([{ unfilled: 0 }]);
    const { rows: index } = await old.owner.query(
      `SELECT indisvalid FROM pg_index WHERE indexrelid = 'payments.large_due'::regclass`,
    );
    expect(index).toEqual([{ indisvalid: true }]);
  }, 240_000);

  it('one that meets a reader that stays lets those behind it go first, and gets its lock when the reader is gone', async () => {
    const reader = await old.owner.connect();
    await reader.query('SET transaction_timeout = 0; SET statement_timeout = 0; BEGIN');
    await reader.query('SELECT FROM payments.large LIMIT 1');
    class Another1700000000004 {
      async up(runner: QueryRunner): Promise<void> {
        await runner.query('ALTER TABLE payments.large ADD COLUMN another int');
      }
      async down(runner: QueryRunner): Promise<void> {
        await runner.query('ALTER TABLE payments.large DROP COLUMN another');
      }
    }
    const all = [Table1700000000001, Column1700000000002, Filled1700000000003, Another1700000000004];
    const stopLoad = startLoad(old.pool);
    const migrated = runMigrations({ url: old.ownerUrl, schema, migrations: all });
    let waits = 0;
    // Two tries for the lock have to be seen before the reader goes.
    for (let waiting = false; waits < 2;) {
      const { rows: found } = await old.owner.query(
        `SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE 'ALTER TABLE%'`,
      );
      if (!waiting && found.length > 0) waits += 1;
      waiting = found.length > 0;
    }
    await reader.query('COMMIT');
    reader.release();
    expect(await migrated).toEqual(['Another1700000000004']);
    expect((await stopLoad()).failures).toEqual([]);
  }, 60_000);

  it('an index that an interrupted run left half made is made anew', async () => {
    const name = `large_${randomUUID().slice(0, 8)}`;
    const isValid = async (): Promise<unknown> => {
      const { rows: found } = await old.owner.query(
        `SELECT indisvalid FROM pg_index WHERE indexrelid = 'payments."${name}"'::regclass`,
      );
      return found[0]?.indisvalid;
    };
    const halfMade = `CREATE UNIQUE INDEX CONCURRENTLY "${name}" ON payments.large ((1)) WHERE id < 10`;
    await expect(old.owner.query(halfMade)).rejects.toThrow('could not create unique index');
    expect(await isValid()).toBe(false);
    await indexBesideLoad(
      {
        query: async (text: string, values?: unknown[]) => (await old.owner.query(text, values)).rows,
      } as QueryRunner,
      {
        schema,
        name,
        on: 'payments.large (touched) WHERE id < 10',
      },
    );
    expect(await isValid()).toBe(true);
  });
});
