import type { NewTpp, TppRecord, TppRole, TppView } from '@xs2a/contracts/auth.contract';
import type { AuthMethod } from './auth-methods.js';

/** A TPP as registered with the bank. */
export interface Tpp extends TppRecord {
  readonly authMethod: AuthMethod;
  /** The SHA-256 hash of the secret in hex; absent for a TPP that authenticates without a secret. */
  readonly secretHash?: string;
  readonly jwks?: NewTpp['jwks'];
}

/** True for a TPP that authenticates with a client secret. */
export const hasSecret = ({ secretHash }: Pick<Tpp, 'secretHash'>): boolean => secretHash !== undefined;

/** A row of the table `tpp`. */
export interface TppRow {
  readonly clientId: string;
  readonly name: string;
  /** The SHA-256 hash of the client secret in hex; null for a TPP that authenticates without a secret. */
  readonly secretHash: string | null;
  readonly roles: TppRole[];
  readonly redirectUris: string[];
  readonly jwks: NewTpp['jwks'] | null;
  readonly authMethod: AuthMethod;
  readonly status: TppRecord['status'];
  readonly organizationIdentifier: string | null;
  /** Access tokens issued before this time are refused; null until the TPP is blocked for the first time. */
  readonly tokensFrom: Date | null;
  /** Incremented with each change, so that gateways can tell which record is newer. */
  readonly version: number;
  readonly registeredAt: Date;
}

export const toTpp = (row: TppRow): Tpp => ({
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
export const toView = (row: TppRow): TppView => ({
  ...toRecord(toTpp(row)),
  authMethod: row.authMethod,
  registeredAt: row.registeredAt.toISOString(),
  keys: row.jwks?.keys.length ?? 0,
});
