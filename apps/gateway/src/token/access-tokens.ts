import { type AccessTokenClaims, accessTokenAudience } from '@xs2a/contracts/auth.contract';
import { callFailed, dependencyDown } from '@xs2a/messaging/call-failed';
import type { Clock } from '@xs2a/runtime/clock';
import { decodeProtectedHeader, errors, jwtVerify } from 'jose';
import { hash } from 'node:crypto';
import type { KeySet } from './key-set.js';

/** What a token of ours says, once its signature has been checked. */
export interface AccessToken {
  readonly clientId: string;
  readonly subject: string;
  readonly grant: 'application' | 'user';
  readonly scopes: readonly string[];
  readonly grantId?: string;
  readonly consentId?: string;
  readonly fresh: boolean;
  /** Epoch seconds. */
  readonly issuedAt: number;
  /** Epoch milliseconds. */
  readonly expiresAt: number;
}

const mostCached = 10_000;
const longestToken = 4096;

/** Checks access tokens (RFC 9068, ES256); those whose signature was right before are remembered by their hash. */
export class AccessTokens {
  private readonly verified = new Map<string, AccessToken>();

  constructor(
    private readonly options: {
      readonly keys: KeySet;
      readonly clock: Clock;
      /** The public origin, which is the issuer. */
      readonly issuer: string;
    },
  ) {}

  /** The token, at once when it was seen before. Rejects or throws CallFailed: unknown, expired, or keys cannot be had. */
  check(token: string): AccessToken | Promise<AccessToken> {
    if (token.length > longestToken) throw callFailed('tokenUnknown');
    const key = hash('sha256', token, 'base64');
    const known = this.verified.get(key);
    if (known === undefined) return this.verify(token, key);
    if (known.expiresAt <= this.options.clock.nowMs()) {
      this.verified.delete(key);
      throw callFailed('tokenExpired');
    }
    return known;
  }

  private async verify(token: string, cacheKey: string): Promise<AccessToken> {
    const { keys, clock, issuer } = this.options;
    const keyId = keyIdOf(token);
    const key = keyId === undefined ? undefined : await keys.find(keyId);
    if (key === undefined)
      throw keyId !== undefined && !keys.isLoaded ? dependencyDown() : callFailed('tokenUnknown');
    try {
      const { payload } = await jwtVerify<AccessTokenClaims>(token, key, {
        algorithms: ['ES256'],
        issuer,
        audience: accessTokenAudience,
        typ: 'at+jwt',
        requiredClaims: ['exp', 'iat', 'client_id', 'sub', 'grant_kind'],
        currentDate: new Date(clock.nowMs()),
      });
      const known = accessTokenOf(payload);
      this.remember(cacheKey, known);
      return known;
    } catch (error) {
      throw callFailed(error instanceof errors.JWTExpired ? 'tokenExpired' : 'tokenUnknown');
    }
  }

  private remember(cacheKey: string, token: AccessToken): void {
    const oldest = this.verified.size >= mostCached ? this.verified.keys().next().value : undefined;
    if (oldest !== undefined) this.verified.delete(oldest);
    this.verified.set(cacheKey, token);
  }
}

const keyIdOf = (token: string): string | undefined => {
  try {
    return decodeProtectedHeader(token).kid;
  } catch {
    return undefined;
  }
};

const accessTokenOf = (claims: AccessTokenClaims): AccessToken => ({
  clientId: claims.client_id,
  subject: claims.sub,
  grant: claims.grant_kind,
  scopes: (claims.scope ?? '').split(' ').map((scope) => (/^AIS(?:P$|:)/.test(scope) ? 'PSP_AI' : scope)),
  ...(claims.grant_id === undefined ? {} : { grantId: claims.grant_id }),
  ...(claims.consent_id === undefined ? {} : { consentId: claims.consent_id }),
  fresh: claims.fresh === true,
  issuedAt: claims.iat,
  expiresAt: claims.exp * 1000,
});

const bearer = /^Bearer +([A-Za-z0-9._~+/-]+=*) *$/i;

/** The token of an Authorization header. Throws CallFailed when there is none, or it is not a Bearer token. */
export const bearerTokenOf = (authorization: string | undefined): string => {
  const [scheme = ''] = (authorization ?? '').split(' ', 1);
  if (scheme.toLowerCase() !== 'bearer') throw callFailed('tokenMissing');
  const token = bearer.exec(authorization ?? '')?.[1];
  if (token === undefined) throw callFailed('tokenUnknown');
  return token;
};
