import { makeMonthsFor } from '@xs2a/migrations/event-months';
import type { Sandbox } from '@xs2a/sandbox/sandbox';
import { idAt } from '../streams/id-at.js';
import { Client } from 'pg';

/**
 * Creates the partitions for the months of these times (epoch milliseconds), as the migration job does for future
 * months.
 */
export const makePartitions = async (sandbox: Sandbox, moments: readonly number[]): Promise<void> => {
  const client = new Client({ connectionString: sandbox.databaseUrl('xs2a_owner') });
  const session = {
    query: async <Rows>(text: string, values?: unknown[]): Promise<Rows> =>
      (await client.query(text, values)).rows as Rows,
  };
  await client.connect();
  try {
    for (const schema of ['payments', 'consents']) {
      await client.query(`CREATE TABLE ${schema}.begun (stream_id uuid NOT NULL)`);
      await client.query(`INSERT INTO ${schema}.begun SELECT unnest($1::uuid[])`, [moments.map(idAt)]);
      const leftOut = await makeMonthsFor(session, schema, 'begun');
      await client.query(`DROP TABLE ${schema}.begun`);
      if (leftOut.length > 0) throw new Error(leftOut.join('; '));
    }
  } finally {
    await client.end();
  }
};
