import { keyRanges } from '@xs2a/postgres/key-ranges';
import type { Pool } from 'pg';
import type { Schema } from './schemas.js';

export interface Schemas {
  of(schema: Schema): Pool;
}

/** A table, by name with schema, and its key column of type uuid. */
export interface Paged {
  readonly table: `${string}.${string}`;
  readonly key?: string;
}
export const payments: Paged = { table: 'payments.payment_view' };
export const paymentEvents: Paged = { table: 'payments.events' };
export const baskets: Paged = { table: 'payments.basket_view' };

const maxFound = 50;

/** SQL condition that is true for keys greater than `$1` and at most `$2`, the bounds of the page. */
export const inPage = (key: string): string => `${key} > $1::uuid AND ${key} <= $2::uuid`;

/**
 * Runs a statement once per page of a table, so that no single statement takes long, however many payments there
 * are. The statement must return one row per violation in its page, with the description in the column
 * `violation`. Returns the first 50 violations.
 */
export const findViolations = async (schemas: Schemas, paged: Paged, text: string): Promise<string[]> => {
  const pool = schemas.of('payments');
  const found: string[] = [];
  for await (const page of keyRanges(pool, paged)) {
    const { rows } = await pool.query<{ violation: string }>(`${text} LIMIT ${maxFound}`, [...page]);
    found.push(...rows.map(({ violation }) => violation));
    if (found.length >= maxFound) break;
  }
  return found.slice(0, maxFound);
};

/** Counts the rows of a table page by page; `where` restricts which rows count. */
export const countRows = async (
  schemas: Schemas,
  { table, key = 'stream_id' }: Paged,
  where = 'true',
): Promise<number> => {
  const pool = schemas.of('payments');
  let count = 0;
  for await (const page of keyRanges(pool, { table, key, rows: 20_000 })) {
    const { rows } = await pool.query<{ count: number }>(
      `SELECT count(*) FROM ${table} WHERE ${inPage(key)} AND ${where}`,
      [...page],
    );
    count += rows[0]?.count ?? 0;
  }
  return count;
};
