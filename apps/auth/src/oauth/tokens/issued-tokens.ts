import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, POOL } from '@xs2a/runtime/tokens';
import type { AuthConfig } from '../../config.js';
import { SIGNING_KEYS } from '../../tokens.js';
import {
  type AccessTokenClaims,
  accessTokenAudience,
  type Introspection,
} from '@xs2a/contracts/auth.contract';
import { Clock } from '@xs2a/runtime/clock';
import { createLocalJWKSet, jwtVerify } from 'jose';
import type { Pool } from 'pg';
import { TppRegistry } from '../../tpp/tpp-registry.js';
import { GrantRevocations } from '../grants/grant-revocations.js';
import { publicKeys, type SigningKeys } from './signing-keys.js';

/**
 * The id under which a token is revoked: the id of its grant. A token that an application obtained for itself
 * counts as its own grant.
 */
const getGrantId = (claims: AccessTokenClaims): string => claims.grant_id ?? claims.jti;

/**
 * Access tokens issued by this server: they are signed rather than stored, so their content is read from the token
 * itself.
 */
@Injectable()
export class IssuedTokens {
  private readonly keySet: ReturnType<typeof createLocalJWKSet>;

  constructor(
    @Inject(POOL) private readonly pool: Pool,
    private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Pick<AuthConfig, 'BASE_URL'>,
    @Inject(SIGNING_KEYS) keys: SigningKeys,
    private readonly registry: TppRegistry,
    private readonly revocations: GrantRevocations,
  ) {
    this.keySet = createLocalJWKSet({ keys: publicKeys(keys) });
  }

  /**
   * Returns the claims of a valid token: signed by this server, not expired, not revoked, and issued to a TPP that
   * is not blocked (RFC 7662 §2.2). Adds the PSU who gave the grant, because the token itself does not name the
   * PSU.
   */
  async introspect(token: string): Promise<Introspection> {
    const claims = await this.read(token);
    if (claims === undefined) return { active: false };
    const tpp = await this.registry.find(claims.client_id);
    const { rows } = await this.pool.query<{ revoked: boolean; psu_id: string | null }>({
      name: 'grant-introspect',
      text: `SELECT EXISTS (SELECT 1 FROM revocation WHERE grant_id = $1) AS revoked,
                    (SELECT psu_id FROM grant_binding WHERE grant_id = $1) AS psu_id`,
      values: [getGrantId(claims)],
    });
    const [grant] = rows;
    const isTppAllowed = tpp?.status === 'active' && claims.iat >= (tpp.tokensFrom ?? 0);
    if (!isTppAllowed || grant?.revoked !== false) return { active: false };
    return { active: true, ...claims, username: grant.psu_id ?? undefined };
  }

  /**
   * Revokes this client's token and the PSU's grant behind it (RFC 7009 §2.1). Leaves tokens of other clients
   * unchanged.
   */
  async revoke(token: string, clientId: string): Promise<void> {
    const claims = await this.read(token);
    if (claims?.client_id === clientId) await this.revocations.revoke(getGrantId(claims));
  }

  private async read(token: string): Promise<AccessTokenClaims | undefined> {
    const options = {
      algorithms: ['ES256'],
      issuer: this.config.BASE_URL,
      audience: accessTokenAudience,
      typ: 'at+jwt',
      currentDate: new Date(this.clock.nowMs()),
    };
    return jwtVerify<AccessTokenClaims>(token, this.keySet, options).then(
      ({ payload }) => payload,
      () => undefined,
    );
  }
}
