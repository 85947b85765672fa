import { Inject, Injectable } from '@nestjs/common';
import { type AccessTokenClaims, accessTokenAudience } from '@xs2a/contracts/auth.contract';
import { CallFailed, callFailed, dependencyDown } from '@xs2a/domain/failure/failed';
import { fail } from '@xs2a/domain/failure/failures';
import { Clock } from '@xs2a/runtime/clock';
import { CONFIG } from '@xs2a/runtime/tokens';
import { decodeProtectedHeader, errors, jwtVerify } from 'jose';
import { LRUCache } from 'lru-cache';
import { hash } from 'node:crypto';
import type { GatewayConfig } from '../../config.js';
import { KeySet } from './key-set.js';

/** The claims of an access token with a verified signature. */
export interface AccessToken {
  readonly clientId: string;
  readonly grant: 'application' | 'user';
  readonly scopes: readonly string[];
  /**
   * The id under which the token can be revoked: the PSU's grant. A token that an application obtained for itself
   * is its own grant.
   */
  readonly grantId: string;
  readonly consentId?: string;
  /** The thumbprint of the key to which the token is bound (RFC 9449). */
  readonly boundTo?: string;
  /** The thumbprint of the certificate to which the token is bound (RFC 8705). */
  readonly boundToCertificate?: string;
  readonly fresh: boolean;
  /** When the token was issued, in epoch seconds. */
  readonly issuedAt: number;
  /** When the token expires, in epoch milliseconds. */
  readonly expiresAt: number;
}

/** Thrown for an expired token of this bank. The token names the TPP for the record of the call, and authenticates nobody. */
export class TokenExpired extends CallFailed {
  constructor(readonly token: AccessToken) {
    super([fail('tokenExpired')]);
  }
}

interface Verified {
  readonly token: AccessToken;
  readonly keyId: string;
}

const maxCached = 10_000;
const maxTokenLength = 4096;

/** Verifies access tokens (RFC 9068, ES256) and caches verified ones by their hash. */
@Injectable()
export class AccessTokens {
  private readonly verified = new LRUCache<string, Verified>({ max: maxCached });

  constructor(
    private readonly keys: KeySet,
    private readonly clock: Clock,
    /** The public origin, which is the expected issuer of tokens. */
    @Inject(CONFIG) private readonly config: Pick<GatewayConfig, 'BASE_URL'>,
  ) {}

  /**
   * Verifies the signature and the claims. Rejects with CallFailed: tokenUnknown, tokenExpired ({@link TokenExpired}), or dependencyDown
   * if no keys are loaded.
   */
  async check(token: string): Promise<AccessToken> {
    if (token.length > maxTokenLength) throw callFailed('tokenUnknown');
    const key = hash('sha256', token, 'base64');
    const known = this.verified.get(key);
    // Withdrawing a key invalidates all tokens that were signed with it.
    if (known === undefined || !this.keys.has(known.keyId)) return this.verify(token, key);
    if (known.token.expiresAt <= this.clock.nowMs()) {
      this.verified.delete(key);
      throw new TokenExpired(known.token);
    }
    return known.token;
  }

  private async verify(token: string, cacheKey: string): Promise<AccessToken> {
    const { keys, clock } = this;
    const { BASE_URL: issuer } = this.config;
    const keyId = readKeyId(token);
    if (keyId === undefined) throw callFailed('tokenUnknown');
    const key = await keys.find(keyId);
    if (key === undefined) {
      this.verified.delete(cacheKey);
      throw keys.isCurrent ? callFailed('tokenUnknown') : dependencyDown('auth');
    }
    try {
      const { payload } = await jwtVerify<AccessTokenClaims>(token, key, {
        algorithms: ['ES256'],
        issuer,
        audience: accessTokenAudience,
        typ: 'at+jwt',
        requiredClaims: ['exp', 'iat', 'jti', 'client_id', 'sub', 'grant_kind'],
        currentDate: new Date(clock.nowMs()),
      });
      const known = toAccessToken(payload);
      this.verified.set(cacheKey, { token: known, keyId });
      return known;
    } catch (error) {
      // Thrown after the signature and all other claims were verified.
      if (error instanceof errors.JWTExpired)
        throw new TokenExpired(toAccessToken(error.payload as unknown as AccessTokenClaims));
      throw callFailed('tokenUnknown');
    }
  }
}

const readKeyId = (token: string): string | undefined => {
  try {
    return decodeProtectedHeader(token).kid;
  } catch {
    return undefined;
  }
};

const toAccessToken = (claims: AccessTokenClaims): AccessToken => ({
  clientId: claims.client_id,
  grant: claims.grant_kind,
  scopes: (claims.scope ?? '').split(' ').map((scope) => (/^AIS(?:P$|:)/.test(scope) ? 'PSP_AI' : scope)),
  grantId: claims.grant_id ?? claims.jti,
  consentId: claims.consent_id,
  boundTo: claims.cnf?.jkt,
  boundToCertificate: claims.cnf?.['x5t#S256'],
  fresh: claims.fresh === true,
  issuedAt: claims.iat,
  expiresAt: claims.exp * 1000,
});
