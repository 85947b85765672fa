import { partTls } from '@xs2a/postgres/tls';
import { Client } from 'pg';
import type { MigrationSet } from './run-migrations.js';

/** Whether migrations ran in the schema, but not the first of these: its tables are those of a build that this one cannot upgrade. */
export const precedesBaseline = async ({ url, schema, migrations }: MigrationSet): Promise<boolean> => {
  const { url: connectionString, ssl } = partTls(url);
  const client = new Client({ connectionString, ssl });
  await client.connect();
  try {
    const found = await client.query<{ name: string | null }>(`SELECT to_regclass($1) AS name`, [
      `${schema}.migration`,
    ]);
    if (found.rows[0]?.name === null) return false;
    const { rows } = await client.query<{ name: string }>(`SELECT name FROM "${schema}".migration`);
    return rows.length > 0 && !rows.some(({ name }) => name === migrations[0]?.name);
  } finally {
    await client.end();
  }
};
