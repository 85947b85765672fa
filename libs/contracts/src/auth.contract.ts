import { type IdempotencyKey, call, whenKeyed } from './call.js';

/** The security profile of the authorization server and the gateway; `fapi2` is the FAPI 2.0 Security Profile Final (contract 4). */
export const authProfiles = ['oauth2', 'fapi2'] as const;
export type AuthProfile = (typeof authProfiles)[number];

/** PSD2 roles of a TPP, as named in scopes (spec 5). */
export const tppRoles = ['PSP_AI', 'PSP_PI', 'PSP_IC'] as const;
export type TppRole = (typeof tppRoles)[number];

/**
 * A TPP's record in the key-value bucket {@link tppBucket}, stored under its client id. Every gateway watches the
 * bucket.
 */
export interface TppRecord {
  readonly clientId: string;
  readonly name: string;
  readonly status: 'active' | 'blocked';
  readonly roles: readonly TppRole[];
  readonly redirectUris: readonly string[];
  /**
   * For example `PSDBG-BNB-12345`. Required in the TPP's certificates (ETSI TS 119 495). Absent if the TPP was
   * registered without one.
   */
  readonly organizationIdentifier?: string;
  /**
   * Access tokens issued before this time (epoch seconds) are invalid, whatever the TPP's status. If absent, there
   * is no limit.
   */
  readonly tokensFrom?: number;
  /** A change counter. Of two versions of a record, the one with the higher number is newer. */
  readonly version: number;
}
/** A TPP as shown to the bank's operator. */
export interface TppView extends TppRecord {
  readonly authMethod: string;
  /** ISO 8601. */
  readonly registeredAt: string;
  /** The number of registered public keys. */
  readonly keys: number;
}
export const tppBucket = 'TPPS';
/**
 * The key `grant.<id>` has the value `{ expiresAt }` (epoch seconds) and makes every token of that grant invalid.
 * The id is the token's `grant_id`; an application token has none and is identified by its `jti`.
 */
export const revocationBucket = 'REVOCATIONS';
/** The DPoP proofs (RFC 9449 §11.1) that any gateway has seen. Each proof is a key without a value. */
export const dpopProofBucket = 'DPOP_PROOFS';
/**
 * A proof is valid from 60 s before to 60 s after its time. It is stored for as long as it can be valid on any
 * clock, plus 30 s. At 128 bytes each, there is room for 14,000 proofs per second; above 7,000, each TPP is
 * limited to its share.
 */
export const dpopProofStore = { keepMs: 150_000, maxBytes: 256 * 1024 * 1024 } as const;

/** Claims of an access token (RFC 9068) in addition to iss, aud, exp, iat, jti. */
export interface AccessTokenClaims {
  readonly iss: string;
  readonly aud: string;
  readonly exp: number;
  readonly iat: number;
  readonly jti: string;
  readonly client_id: string;
  /** A pseudonym of the PSU that is specific to this client (contract 4), or the client id for an application token. */
  readonly sub: string;
  /** Space-separated. */
  readonly scope: string;
  readonly grant_kind: 'application' | 'user';
  readonly grant_id?: string;
  readonly consent_id?: string;
  /** True if the token was issued for an authorization code; false if it was issued for a refresh token. */
  readonly fresh?: boolean;
  /**
   * The thumbprint of the key (RFC 9449 §6.1) or certificate (RFC 8705 §3.1) that anyone presenting the token must
   * possess.
   */
  readonly cnf?: { readonly jkt?: string; readonly 'x5t#S256'?: string };
}
export const accessTokenAudience = 'xs2a';
/** Algorithms accepted for DPoP proofs at the token endpoint and the API. */
export const proofAlgorithms = ['ES256', 'PS256'] as const;

export type Introspection =
  | { readonly active: false }
  | ({
      readonly active: true;
      /** The PSU-ID of a user token. */
      readonly username?: string;
    } & AccessTokenClaims);
/**
 * RFC 7662, for the gateway only. Returns the token's state in the database, regardless of the revocations known
 * to the gateway.
 */
export const introspectToken = call<{ readonly token: string }, Introspection>(
  'svc.auth.introspect-token',
  'idempotent',
);

/** Liveness check, called by a gateway that has been waiting for a page or a token for some time. */
export const authPresent = call<Record<string, never>, Record<string, never>>(
  'svc.auth.present',
  'idempotent',
  500,
);

/** A registration requested by a sandbox user or by the bank's operator. */
export interface NewTpp {
  readonly name: string;
  readonly redirectUris: readonly string[];
  readonly roles: readonly TppRole[];
  readonly jwks?: { readonly keys: readonly Record<string, unknown>[] };
  readonly tokenEndpointAuthMethod?: string;
  readonly organizationIdentifier?: string;
}
/**
 * The service validates the body as a {@link NewTpp}. The caller has no token yet and is identified only by the
 * idempotency key.
 */
export const registerTpp = call<
  { readonly idempotencyKey: IdempotencyKey; readonly body: unknown },
  { readonly clientId: string; readonly clientSecret?: string }
>('svc.auth.sandbox.register-tpp', whenKeyed, 5000);
/**
 * Fails as {@link registerTpp} would in the stages before the body (contract 3). Called instead of it if the gateway
 * could not read the body.
 */
export const checkTppBeforeBody = call<{ readonly idempotencyKey: IdempotencyKey }, Record<string, never>>(
  'svc.auth.sandbox.check-tpp-before-body',
  'idempotent',
);
/**
 * Blocks or unblocks a TPP. Fails with resourceUnknown for an unknown TPP; in a sandbox that many TPPs share, fails
 * with registrationShared for a TPP of the fixtures.
 */
export const setTppStatus = call<
  {
    readonly clientId: string;
    readonly status: 'active' | 'blocked';
    /** True if many TPPs share the sandbox, so that no caller may block a TPP of the fixtures. */
    readonly isSandboxShared?: boolean;
  },
  Record<string, never>
>('svc.auth.sandbox.set-tpp-status', 'idempotent');

/**
 * For the bank's operator, outside the sandbox too. Besides the operator's NATS user, only the console may make some of these
 * calls, for its staff.
 */
export const addTpp = call<
  { readonly body: unknown },
  { readonly clientId: string; readonly clientSecret?: string }
>('svc.auth.operator.add-tpp', 'not-idempotent', 5000);
export const listTpps = call<Record<string, never>, { readonly tpps: readonly TppView[] }>(
  'svc.auth.operator.list-tpps',
  'idempotent',
  5000,
);
/** The grants of PSUs to a TPP that have neither expired nor been revoked, by role. */
export interface GrantCounts {
  readonly PSP_AI: number;
  readonly PSP_IC: number;
}
/** Counts the grants of a TPP; zero for a client id that no TPP has. */
export const countGrants = call<{ readonly clientId: string }, { readonly grants: GrantCounts }>(
  'svc.auth.operator.count-grants',
  'idempotent',
  5000,
);
export const changeTppStatus = call<
  { readonly clientId: string; readonly status: 'active' | 'blocked' },
  TppView
>('svc.auth.operator.change-tpp-status', 'idempotent', 5000);

/**
 * Gives a TPP a new client secret, which only this answer contains; the old one ends at once. Fails with resourceUnknown, and
 * with fieldMalformed for a TPP that authenticates without a secret.
 */
export const rotateSecret = call<{ readonly clientId: string }, { readonly clientSecret: string }>(
  'svc.auth.operator.rotate-secret',
  'not-idempotent',
  5000,
);

/** A lock of SCA (contract 12) that an operator lifted. Times are ISO instants. */
export interface LiftedLock {
  readonly at: string;
  readonly operator: string;
  readonly reason: string;
  /** When the lock would have ended. */
  readonly lockedUntil: string;
}
/** A PSU's failures in a row over all sessions, and locks of SCA. */
export interface PsuSca {
  readonly failures: number;
  /** When the latest ten failures were, newest first; absent in an answer of an earlier release. */
  readonly failedAt?: readonly string[];
  /** Present while SCA is locked. */
  readonly lockedUntil?: string;
  /** The latest 20, newest first. */
  readonly lifted: readonly LiftedLock[];
}
/** Returns no PSU if nobody has signed in, or tried to, with this PSU-ID. */
export const readPsuSca = call<{ readonly psuId: string }, { readonly psu?: PsuSca }>(
  'svc.auth.operator.read-psu-sca',
  'idempotent',
  5000,
);
/** Lifts the lock of a PSU's SCA. Changes nothing, and returns no lock, if SCA is not locked. */
export const liftScaLock = call<
  { readonly psuId: string; readonly operator: string; readonly reason: string },
  { readonly lifted?: LiftedLock }
>('svc.auth.operator.lift-sca-lock', 'not-idempotent', 5000);
