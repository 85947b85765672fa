import { describe, expect, it } from '@jest/globals';
import { type FreshBank, freshBank } from '../testing/fresh-bank.js';

const entriesTakeTwoSeconds = `
  SET search_path = accounts;
  CREATE FUNCTION wait() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM pg_sleep(2); RETURN NULL; END';
  CREATE TRIGGER slow BEFORE INSERT ON entry FOR EACH STATEMENT EXECUTE FUNCTION wait();`;

const entriesWaitOnce = `
  SET search_path = accounts;
  CREATE SEQUENCE attempt;
  GRANT USAGE ON SEQUENCE attempt TO PUBLIC;
  CREATE FUNCTION wait() RETURNS trigger LANGUAGE plpgsql AS
    'BEGIN IF nextval(''accounts.attempt'') = 1 THEN PERFORM pg_sleep(3); END IF; RETURN NULL; END';
  CREATE TRIGGER slow BEFORE INSERT ON entry FOR EACH STATEMENT EXECUTE FUNCTION wait();`;

const countOf = async ({ pool }: FreshBank, table: string): Promise<number> =>
  (await pool.query<{ n: number }>(`SELECT count(*)::int AS n FROM ${table}`)).rows[0]?.n ?? 0;

describe('the first start of a sandbox bank', () => {
  it('fills the bank even if PostgreSQL needs longer than the transaction timeout of the service', async () => {
    const fresh = await freshBank('sandbox', { sql: entriesTakeTwoSeconds, transactionMs: 1500 });
    try {
      expect(await countOf(fresh, 'entry')).toBeGreaterThan(100);
    } finally {
      await fresh.close();
    }
  }, 60_000);

  it('fills the bank once, even if PostgreSQL does not answer the first attempt in time', async () => {
    const fresh = await freshBank('sandbox', { sql: entriesWaitOnce, answerWithinMs: 1500 });
    try {
      expect(await countOf(fresh, 'entry')).toBeGreaterThan(100);
      expect(await countOf(fresh, 'psu')).toBe(fresh.fixtures.psus.length);
    } finally {
      await fresh.close();
    }
  }, 60_000);
});
