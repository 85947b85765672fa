import { setTimeout as wait } from 'node:timers/promises';
import type { Pool, PoolClient } from 'pg';
import { quotedName } from '../streams/quoted-name.js';

/** PostgreSQL's code for a table that was left out, since another session has it locked. */
const lockNotAvailable = '55P03';
/** Transactions of services last five seconds at most. */
const maxWaitMs = 10_000;
const pauseMs = 100;

/**
 * SQL of what may still see rows as they were before the transaction $1: sessions of this database, replication slots, prepared
 * transactions. VACUUM removes nothing that one of them may see. The age of a transaction id counts back from now.
 */
const olderThan = `WITH ours AS (SELECT age($1::xid) AS age)
  SELECT 'session ' || pid || coalesce(' of ' || nullif(application_name, ''), '') AS name
    FROM pg_stat_activity, ours
    WHERE pid <> pg_backend_pid() AND coalesce(datname, current_database()) = current_database()
      AND backend_type <> 'autovacuum worker' AND greatest(age(backend_xid), age(backend_xmin)) > ours.age
  UNION ALL SELECT 'replication slot ' || slot_name FROM pg_replication_slots, ours WHERE age(xmin) > ours.age
  UNION ALL SELECT 'prepared transaction ' || gid FROM pg_prepared_xacts, ours
    WHERE database = current_database() AND age(transaction) > ours.age
  ORDER BY 1`;

/** What may still see the keys that were removed, once it has had some seconds to end. */
const listOlder = async (client: PoolClient): Promise<readonly string[]> => {
  const { rows: own } = await client.query<{ id: string }>('SELECT pg_current_xact_id()::xid::text AS id');
  for (let waited = 0; ; waited += pauseMs) {
    const { rows } = await client.query<{ name: string }>(olderThan, [own[0]?.id]);
    if (rows.length === 0 || waited >= maxWaitMs) return rows.map(({ name }) => name);
    await wait(pauseMs);
  }
};

/**
 * Has PostgreSQL overwrite the keys of a schema that were removed, which stay in the table's file until it is cleaned up. It reads the
 * pages that changed, at autovacuum's pace, and holds up nobody; indexes are left to autovacuum. Answers what kept it from that, in
 * words: sessions whose transaction is older, or a lock on the table; nothing when the keys are overwritten. `pool`: with the rights of
 * the schema's owner, and time for a large table.
 */
export const overwriteRemovedKeys = async (pool: Pool, schema: string): Promise<readonly string[]> => {
  const client = await pool.connect();
  const locked: string[] = [];
  const hear = ({ code }: { readonly code?: string }): void => {
    if (code === lockNotAvailable) locked.push('a session that has the table locked');
  };
  client.on('notice', hear);
  try {
    const older = await listOlder(client);
    await client.query("SET vacuum_cost_delay = '2ms'");
    const options = 'SKIP_LOCKED, INDEX_CLEANUP OFF, TRUNCATE OFF';
    await client.query(`VACUUM (${options}) ${quotedName(schema)}.stream_key`);
    return [...older, ...locked];
  } finally {
    client.off('notice', hear);
    // The setting ends with the connection.
    client.release(true);
  }
};
