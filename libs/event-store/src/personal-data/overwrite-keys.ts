import type { Pool } from 'pg';
import { quotedName } from '../streams/quoted-name.js';

/** PostgreSQL's code for a table that was left out, since another session has it locked. */
const lockNotAvailable = '55P03';

/**
 * Has PostgreSQL overwrite the keys of a schema that were removed, which stay in the table's file until it is cleaned up. It reads the
 * pages that changed, at autovacuum's pace, and holds up nobody; indexes are left to autovacuum. Answers false when another session
 * had the table locked. `pool`: with the rights of the schema's owner, and time for a large table.
 */
export const overwriteRemovedKeys = async (pool: Pool, schema: string): Promise<boolean> => {
  const client = await pool.connect();
  let isDone = true;
  const hear = ({ code }: { readonly code?: string }): void => {
    if (code === lockNotAvailable) isDone = false;
  };
  client.on('notice', hear);
  try {
    await client.query("SET vacuum_cost_delay = '2ms'");
    const options = 'SKIP_LOCKED, INDEX_CLEANUP OFF, TRUNCATE OFF';
    await client.query(`VACUUM (${options}) ${quotedName(schema)}.stream_key`);
    return isDone;
  } finally {
    client.off('notice', hear);
    // The setting ends with the connection.
    client.release(true);
  }
};
