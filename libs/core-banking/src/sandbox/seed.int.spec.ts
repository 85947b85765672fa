import { describe, expect, it } from '@jest/globals';
import { freshBank } from '../testing/fresh-bank.js';

const entriesTakeTwoSeconds = `
  SET search_path = accounts;
  CREATE FUNCTION wait() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM pg_sleep(2); RETURN NULL; END';
  CREATE TRIGGER slow BEFORE INSERT ON entry FOR EACH STATEMENT EXECUTE FUNCTION wait();`;

describe('the first start of a sandbox bank', () => {
  it('fills the bank even if PostgreSQL needs longer than the transaction timeout of the service', async () => {
    const fresh = await freshBank('sandbox', { sql: entriesTakeTwoSeconds, transactionMs: 1500 });
    try {
      const { rows } = await fresh.pool.query('SELECT count(*)::int AS entries FROM entry');
      expect(rows[0].entries).toBeGreaterThan(100);
    } finally {
      await fresh.close();
    }
  }, 60_000);
});
