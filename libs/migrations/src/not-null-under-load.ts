// Forbids NULL in a column of a large table while services write to it.
import type { QueryRunner } from 'typeorm';
import { onceUnlocked } from './lock-waits.js';

interface Column {
  readonly schema: string;
  readonly table: string;
  readonly column: string;
}

/**
 * Makes a column NOT NULL. All rows are looked through once, by a check that nobody waits for; NOT NULL itself, which writers wait for,
 * then does not make PostgreSQL read the rows. Each step may be repeated. Only for a migration with `transaction = false`. Throws the
 * error of PostgreSQL (23514) when a row has no value: the backfill is to be run once more.
 */
export const notNullUnderLoad = async (
  session: Pick<QueryRunner, 'query'>,
  { schema, table, column }: Column,
): Promise<void> => {
  const at = `"${schema}"."${table}"`;
  const check = `${table}_${column}_present`.slice(0, 63);
  const [{ done, added }] = (await session.query(
    `SELECT attnotnull AS done,
       EXISTS (SELECT FROM pg_constraint WHERE conrelid = attrelid AND conname = $3) AS added
     FROM pg_attribute WHERE attrelid = to_regclass($1) AND attname = $2`,
    [at, column, check],
  )) as readonly [{ readonly done: boolean; readonly added: boolean }];
  const alter = async (action: string): Promise<void> =>
    onceUnlocked(async () => {
      await session.query(`ALTER TABLE ${at} ${action}`);
    });
  if (!done) {
    if (!added) await alter(`ADD CONSTRAINT "${check}" CHECK ("${column}" IS NOT NULL) NOT VALID`);
    try {
      await alter(`VALIDATE CONSTRAINT "${check}"`);
    } catch (error) {
      // A release that does not write the column yet could not insert any more.
      if (Reflect.get(Object(error), 'code') === '23514') await alter(`DROP CONSTRAINT "${check}"`);
      throw error;
    }
    await alter(`ALTER COLUMN "${column}" SET NOT NULL`);
  }
  await alter(`DROP CONSTRAINT IF EXISTS "${check}"`);
};
