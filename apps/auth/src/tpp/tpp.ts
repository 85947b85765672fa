import type { NewTpp, TppRecord, TppRole, TppView } from '@xs2a/contracts/auth.contract';
import type { AuthMethod } from './auth-methods.js';

/** A TPP as the bank knows it. */
export interface Tpp extends TppRecord {
  readonly authMethod: AuthMethod;
  /** SHA-256 of the secret, hex; absent when it proves itself without one. */
  readonly secretHash?: string;
  readonly jwks?: NewTpp['jwks'];
}

export interface TppRow {
  readonly client_id: string;
  readonly name: string;
  readonly secret_hash: string | null;
  readonly roles: TppRole[];
  readonly redirect_uris: string[];
  readonly jwks: NewTpp['jwks'] | null;
  readonly auth_method: AuthMethod;
  readonly status: TppRecord['status'];
  readonly organization_identifier: string | null;
  readonly tokens_from: Date | null;
  readonly version: number;
  readonly registered_at: Date;
}

export const tppOf = (row: TppRow): Tpp => ({
  clientId: row.client_id,
  name: row.name,
  status: row.status,
  roles: row.roles,
  redirectUris: row.redirect_uris,
  organizationIdentifier: row.organization_identifier ?? undefined,
  tokensFrom: row.tokens_from === null ? undefined : row.tokens_from.getTime() / 1000,
  version: row.version,
  authMethod: row.auth_method,
  secretHash: row.secret_hash ?? undefined,
  jwks: row.jwks ?? undefined,
});

/** The record of the TPP that gateways have. */
export const recordOf = (tpp: Tpp): TppRecord => ({
  clientId: tpp.clientId,
  name: tpp.name,
  status: tpp.status,
  roles: tpp.roles,
  redirectUris: tpp.redirectUris,
  organizationIdentifier: tpp.organizationIdentifier,
  tokensFrom: tpp.tokensFrom,
  version: tpp.version,
});

/** The TPP as the bank's operator sees it: without its secret and the secret's hash. */
export const viewOf = (row: TppRow): TppView => ({
  ...recordOf(tppOf(row)),
  authMethod: row.auth_method,
  registeredAt: row.registered_at.toISOString(),
  keys: row.jwks?.keys.length ?? 0,
});
