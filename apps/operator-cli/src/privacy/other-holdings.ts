import type { Connections, Schema } from '../connections.js';

/**
 * The ids that identify a person's rows in tables without events: PSU-IDs, and the ids of payments, baskets and
 * consents.
 */
export interface Holder {
  readonly psuIds: readonly string[];
  readonly streamIds: readonly string[];
}

interface Holding {
  readonly schema: Schema;
  readonly table: string;
  readonly by: keyof Holder;
  /** `$1`: the ids as an array. */
  readonly sql: string;
}

const holdings: readonly Holding[] = [
  {
    schema: 'consents',
    table: 'consent_use',
    by: 'streamIds',
    sql: 'SELECT consent_id, last_used_at, recent FROM consent_use WHERE consent_id = ANY($1::uuid[])',
  },
  {
    schema: 'consents',
    table: 'access_window',
    by: 'streamIds',
    sql: `SELECT consent_id, endpoint, resource_id, one_off,
        ARRAY(SELECT to_timestamp(call / 1000000.0) FROM unnest(calls) AS call) AS calls
      FROM access_window WHERE consent_id = ANY($1::uuid[])`,
  },
  {
    schema: 'consents',
    table: 'psu_address',
    by: 'streamIds',
    sql: `SELECT consent_id, day::text AS day, address, tpp_id, calls FROM psu_address WHERE consent_id = ANY($1::uuid[])
      ORDER BY day`,
  },
  {
    schema: 'auth',
    table: 'grant_binding',
    by: 'psuIds',
    sql: `SELECT grant_id, client_id, psu_id, scope, consent_id, expires_at FROM grant_binding WHERE psu_id = ANY($1::text[])`,
  },
  {
    schema: 'auth',
    table: 'oidc_model',
    by: 'psuIds',
    sql: `SELECT model, grant_id, expires_at, consumed_at FROM oidc_model
      WHERE grant_id IN (SELECT grant_id FROM grant_binding WHERE psu_id = ANY($1::text[]))
        OR grant_id IS NULL AND EXISTS (SELECT FROM unnest($1::text[]) AS id WHERE strpos(payload::text, to_json(id)::text) > 0)`,
  },
  {
    schema: 'auth',
    table: 'page_session',
    by: 'psuIds',
    sql: `SELECT resource, expires_at, state->>'psuId' AS psu_id FROM page_session WHERE state->>'psuId' = ANY($1::text[])`,
  },
  {
    schema: 'auth',
    table: 'challenge',
    by: 'psuIds',
    sql: 'SELECT challenge_id, psu_id, failures, used_at, expires_at FROM challenge WHERE psu_id = ANY($1::text[])',
  },
  {
    schema: 'auth',
    table: 'psu_sca',
    by: 'psuIds',
    sql: `SELECT psu_id, failures, failed_at, locked_until, language, changed_at FROM psu_sca WHERE psu_id = ANY($1::text[])`,
  },
  {
    schema: 'auth',
    table: 'sca_unlock',
    by: 'psuIds',
    sql: 'SELECT psu_id, at, operator, reason, locked_until FROM sca_unlock WHERE psu_id = ANY($1::text[]) ORDER BY at',
  },
  {
    schema: 'notifications',
    table: 'notification',
    by: 'streamIds',
    sql: `SELECT resource_id, tpp_id, uri, body, state, last_failure, created_at, ended_at FROM notification
      WHERE resource_id = ANY($1::uuid[]) ORDER BY created_at`,
  },
  {
    schema: 'console',
    table: 'call',
    by: 'streamIds',
    sql: `SELECT at, request_id, tpp_id, operation, status, code, path, resource_id FROM call
      WHERE resource_id = ANY($1::uuid[]) ORDER BY at`,
  },
  {
    schema: 'settlement',
    table: 'unfinished',
    by: 'streamIds',
    sql: 'SELECT payment_id, begun_at, attempts, last_failure FROM unfinished WHERE payment_id = ANY($1::uuid[])',
  },
  {
    schema: 'settlement',
    table: 'dead_letter',
    by: 'streamIds',
    sql: `SELECT consumer, subject, body, reason, buried_at FROM dead_letter
      WHERE EXISTS (SELECT FROM unnest($1::text[]) AS id WHERE strpos(subject || body, id) > 0)`,
  },
];

/** The rows about a person in other tables, by `schema.table`; tables without such rows are omitted. */
export const readHoldings = async (
  connections: Connections,
  holder: Holder,
): Promise<Readonly<Record<string, readonly unknown[]>>> => {
  const found: [string, readonly unknown[]][] = [];
  for (const { schema, table, by, sql } of holdings) {
    const { rows } = await connections.pool(schema).query<Record<string, unknown>>(sql, [holder[by]]);
    if (rows.length > 0) found.push([`${schema}.${table}`, rows]);
  }
  return Object.fromEntries(found);
};
