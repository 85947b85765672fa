import type { TppRecord } from '@xs2a/contracts/auth.contract';
import type { Pool, PoolClient } from 'pg';
import type { Tpp, TppRow } from './tpp.js';

type Connection = Pick<Pool | PoolClient, 'query'>;

const columns = `client_id AS "clientId", name, secret_hash AS "secretHash", roles, redirect_uris AS "redirectUris",
  jwks, auth_method AS "authMethod", status, organization_identifier AS "organizationIdentifier",
  tokens_from AS "tokensFrom", version, registered_at AS "registeredAt"`;

const findSql = `SELECT ${columns} FROM tpp WHERE client_id = $1`;
const lockSql = 'SELECT FROM tpp WHERE client_id = $1 FOR UPDATE';
const listSql = `SELECT ${columns} FROM tpp WHERE $1::text[] IS NULL OR client_id = ANY ($1)
  ORDER BY registered_at, client_id`;
const insertSql = `INSERT INTO tpp (client_id, name, secret_hash, roles, redirect_uris, jwks, auth_method, status,
    organization_identifier, registered_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
  ON CONFLICT (client_id) DO NOTHING`;
const statusSql = `UPDATE tpp SET status = $2, tokens_from = coalesce($3, tokens_from), version = version + 1
  WHERE client_id = $1 RETURNING ${columns}`;
const redirectUriSql = `UPDATE tpp SET redirect_uris = array_append(redirect_uris, $2), version = version + 1
  WHERE client_id = $1 AND $2 <> ALL (redirect_uris) AND cardinality(redirect_uris) < $3 RETURNING ${columns}`;
const secretSql = `UPDATE tpp SET secret_hash = $2 WHERE client_id = $1 AND secret_hash = coalesce($3, secret_hash)`;

/** Returns undefined if no such TPP is registered. */
export const findRow = async (connection: Connection, clientId: string): Promise<TppRow | undefined> => {
  const statement = { name: 'tpp-find', text: findSql, values: [clientId] };
  return (await connection.query<TppRow>(statement)).rows[0];
};

/** Returns the TPPs with these client ids, or all TPPs, oldest first. */
export const listRows = async (connection: Connection, clientIds?: readonly string[]): Promise<TppRow[]> => {
  const statement = { name: 'tpp-list', text: listSql, values: [clientIds ?? null] };
  return (await connection.query<TppRow>(statement)).rows;
};

/** Inserts the TPP unless its client id exists. Returns true if it was inserted. */
export const insertRow = async (connection: Connection, tpp: Tpp, registeredAt: Date): Promise<boolean> => {
  const values = [
    tpp.clientId,
    tpp.name,
    tpp.secretHash,
    tpp.roles,
    tpp.redirectUris,
    tpp.jwks,
    tpp.authMethod,
    tpp.status,
    tpp.organizationIdentifier,
    registeredAt,
  ];
  const { rowCount } = await connection.query({ name: 'tpp-insert', text: insertSql, values });
  return rowCount === 1;
};

/**
 * Adds a redirect URI. Returns undefined, and changes nothing, if the TPP has it or has the maximum number of URIs, or if no such
 * TPP is registered.
 */
export const insertRedirectUri = async (
  connection: Connection,
  { clientId, redirectUri, max }: { clientId: string; redirectUri: string; max: number },
): Promise<TppRow | undefined> => {
  const statement = { name: 'tpp-redirect-uri', text: redirectUriSql, values: [clientId, redirectUri, max] };
  return (await connection.query<TppRow>(statement)).rows[0];
};

/**
 * Replaces the hash of a client secret. Returns false, and changes nothing, if the TPP is not registered or has no
 * secret, or if `present` is given and differs from the stored hash.
 */
export const updateSecret = async (
  connection: Connection,
  clientId: string,
  secretHash: string,
  present?: string,
): Promise<boolean> => {
  const values = [clientId, secretHash, present];
  const { rowCount } = await connection.query({ name: 'tpp-secret', text: secretSql, values });
  return rowCount === 1;
};

/** Locks the row, if it exists, until the transaction ends. */
export const lockRow = async (client: PoolClient, clientId: string): Promise<void> => {
  await client.query({ name: 'tpp-lock', text: lockSql, values: [clientId] });
};

/**
 * Sets the status of a TPP whose row the caller has locked. If `tokensFrom` is given, access tokens that were issued before it
 * are refused from then on. Returns undefined if no such TPP is registered.
 */
export const updateStatus = async (
  client: PoolClient,
  { clientId, status, tokensFrom }: { clientId: string; status: TppRecord['status']; tokensFrom?: Date },
): Promise<TppRow | undefined> => {
  const statement = { name: 'tpp-status', text: statusSql, values: [clientId, status, tokensFrom] };
  return (await client.query<TppRow>(statement)).rows[0];
};
