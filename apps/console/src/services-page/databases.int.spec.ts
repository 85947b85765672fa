import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type FreshDatabase, freshDatabase } from '@xs2a/migrations/testing/fresh-database';
import { measureDatabase } from '@xs2a/runtime/database/measure-database';

let database: FreshDatabase;

beforeAll(async () => {
  database = await freshDatabase('console');
  await database.owner.query(`
    CREATE TABLE migration (name text PRIMARY KEY);
    GRANT SELECT ON migration TO xs2a_console;
    INSERT INTO migration VALUES ('First1'), ('Second2'), ('OfANewerRelease9');
    CREATE TABLE filled AS SELECT n, repeat('x', 1000) AS text FROM generate_series(1, 1000) AS n`);
}, 60_000);
afterAll(async () => database.close());

it('measures the schema with the rights of the service, and compares the migrations with those that are needed', async () => {
  const report = await measureDatabase(database.pool, ['First1', 'Second2', 'Third3']);
  expect(report.migrations).toEqual({ applied: 3, needed: 3, missing: ['Third3'] });
  expect(report.schemaBytes).toBeGreaterThan(1_000_000);
  expect(report.databaseBytes).toBeGreaterThan(report.schemaBytes);
});

it('counts only the tables of the service', async () => {
  const { schemaBytes: before } = await measureDatabase(database.pool, []);
  await database.owner.query(
    "CREATE TABLE consents.elsewhere AS SELECT repeat('x', 1000) AS text FROM generate_series(1, 1000)",
  );
  expect((await measureDatabase(database.pool, [])).schemaBytes).toBe(before);
});
