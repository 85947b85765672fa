import type { PoolClient } from 'pg';

const pageRows = 10_000;

/** The values of a row's primary key, as text. */
type Key = readonly string[];

export interface ComparedPage {
  /** The number of rows that are in only one of the tables. A row with different values counts twice. */
  readonly differing: number;
  /** The last key of the page, or undefined for the last page. */
  readonly end: Key | undefined;
}

/**
 * Compares up to 10,000 rows after a key in each of two tables with the same structure. The limit keeps the
 * transaction short, because it blocks changes to both tables. The table names must be quoted.
 */
export const comparePage = async (
  client: PoolClient,
  [one, other]: readonly [string, string],
  after: Key | undefined,
): Promise<ComparedPage> => {
  const { rows: columns } = await client.query<{ name: string; type: string }>(
    `SELECT quote_ident(a.attname) AS name, format_type(a.atttypid, a.atttypmod) AS type
     FROM pg_index i JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = ANY(i.indkey)
     WHERE i.indrelid = $1::regclass AND i.indisprimary ORDER BY array_position(i.indkey::int2[], a.attnum)`,
    [one],
  );
  const key = columns.map(({ name }) => name).join(', ');
  const compared = (operator: string, from: number): string =>
    `(${key}) ${operator} (${columns.map(({ type }, index) => `$${from + index}::${type}`).join(', ')})`;
  const behind = after === undefined ? 'true' : compared('>', 1);
  const last = (table: string): string =>
    `(SELECT ${key} FROM ${table} WHERE ${behind} ORDER BY ${key} OFFSET ${pageRows - 1} LIMIT 1)`;
  const { rows: ends } = await client.query<{ key: string[] }>(
    `SELECT ARRAY[${columns.map(({ name }) => `${name}::text`).join(', ')}] AS key
     FROM (${last(one)} UNION ALL ${last(other)}) AS ends ORDER BY ${key} LIMIT 1`,
    [...(after ?? [])],
  );
  const end = ends[0]?.key;
  const inPage = end === undefined ? behind : `${behind} AND ${compared('<=', (after ?? []).length + 1)}`;
  const selectRows = (table: string): string => `SELECT * FROM ${table} WHERE ${inPage}`;
  const { rows } = await client.query<{ rows: number }>(
    `SELECT count(*) AS rows FROM ((${selectRows(one)} EXCEPT ALL ${selectRows(other)})
       UNION ALL (${selectRows(other)} EXCEPT ALL ${selectRows(one)})) AS differing`,
    [...(after ?? []), ...(end ?? [])],
  );
  return { differing: rows[0]?.rows ?? 0, end };
};
