import { readFileSync } from 'node:fs';
import { Client } from 'pg';
import { databaseName, rolePassword } from './postgres-server.js';

/** The owner of all schemas, for migrations, and one role per service that has tables. */
export const databaseRoles = [
  'xs2a_owner',
  'xs2a_payments',
  'xs2a_consents',
  'xs2a_accounts',
  'xs2a_auth',
  'xs2a_settlement',
  'xs2a_notifications',
  'xs2a_console',
] as const;
export type DatabaseRole = (typeof databaseRoles)[number];

const rolesSql = (): string =>
  readFileSync(new URL('../../../deploy/postgres/roles.sql', import.meta.url), 'utf8');

const connected = async <Answer>(url: string, work: (client: Client) => Promise<Answer>): Promise<Answer> => {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
};

/**
 * Creates the database `xs2a`, its roles and its schemas (deploy/postgres/roles.sql) and sets the roles'
 * passwords. Can be run again. `superuserUrl` may name any database of the server. The passwords default to those
 * that `PostgresServer.url(role)` uses.
 */
export const prepareDatabases = async (
  superuserUrl: string,
  options: { readonly passwords?: Partial<Record<DatabaseRole, string>> } = {},
): Promise<void> => {
  await connected(superuserUrl, async (client) => {
    const { rowCount } = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [databaseName]);
    if (rowCount === 0) await client.query(`CREATE DATABASE ${client.escapeIdentifier(databaseName)}`);
  });
  const url = new URL(superuserUrl);
  const superuserPassword = decodeURIComponent(url.password);
  url.pathname = `/${databaseName}`;
  await connected(url.href, async (client) => {
    await client.query(rolesSql());
    for (const role of databaseRoles) {
      const password = options.passwords?.[role] ?? rolePassword(superuserPassword, role);
      await client.query(
        `ALTER ROLE ${client.escapeIdentifier(role)} PASSWORD ${client.escapeLiteral(password)}`,
      );
    }
  });
};
