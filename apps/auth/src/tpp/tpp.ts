import type { NewTpp, TppRecord, TppView } from '@xs2a/contracts/auth.contract';
import type { AuthMethod } from './auth-methods.js';
import type { TppEntity } from './tpp.entity.js';

/** A TPP as registered with the bank. */
export interface Tpp extends TppRecord {
  readonly authMethod: AuthMethod;
  /** The SHA-256 hash of the secret in hex; absent for a TPP that authenticates without a secret. */
  readonly secretHash?: string;
  readonly jwks?: NewTpp['jwks'];
}

export const toTpp = (row: TppEntity): Tpp => ({
  clientId: row.clientId,
  name: row.name,
  status: row.status,
  roles: row.roles,
  redirectUris: row.redirectUris,
  organizationIdentifier: row.organizationIdentifier ?? undefined,
  tokensFrom: row.tokensFrom === null ? undefined : row.tokensFrom.getTime() / 1000,
  version: row.version,
  authMethod: row.authMethod,
  secretHash: row.secretHash ?? undefined,
  jwks: (row.jwks ?? undefined) as NewTpp['jwks'],
});

/** The row of a newly registered TPP. */
export const newRow = (tpp: Tpp, registeredAt: Date): TppEntity => ({
  clientId: tpp.clientId,
  name: tpp.name,
  secretHash: tpp.secretHash ?? null,
  roles: [...tpp.roles],
  redirectUris: [...tpp.redirectUris],
  jwks: tpp.jwks === undefined ? null : { keys: [...tpp.jwks.keys] },
  authMethod: tpp.authMethod,
  status: tpp.status,
  organizationIdentifier: tpp.organizationIdentifier ?? null,
  tokensFrom: null,
  version: 1,
  registeredAt,
});

/** The TPP's record as published to gateways. */
export const toRecord = (tpp: Tpp): TppRecord => ({
  clientId: tpp.clientId,
  name: tpp.name,
  status: tpp.status,
  roles: tpp.roles,
  redirectUris: tpp.redirectUris,
  organizationIdentifier: tpp.organizationIdentifier,
  tokensFrom: tpp.tokensFrom,
  version: tpp.version,
});

/** The TPP as shown to the bank's operator: without its secret and the hash of the secret. */
export const toView = (row: TppEntity): TppView => ({
  ...toRecord(toTpp(row)),
  authMethod: row.authMethod,
  registeredAt: row.registeredAt.toISOString(),
  keys: row.jwks?.keys.length ?? 0,
});
