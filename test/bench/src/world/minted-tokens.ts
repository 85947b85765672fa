import { accessTokenAudience, type AccessTokenClaims } from '@xs2a/contracts/auth.contract';
import { makeLayout } from '@xs2a/sandbox/layout';
import type { Sandbox } from '@xs2a/sandbox/sandbox';
import { importJWK, type JWK, SignJWT } from 'jose';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Pool } from 'pg';
import type { Customer } from './customers.js';
import { realTime } from './real-time.js';

type Claims = Partial<AccessTokenClaims>;

/** A lifetime longer than the number of days by which a row moves the sandbox clock. */
const lifetimeSeconds = 30 * 24 * 60 * 60;

/** The TPP for which tokens are issued. */
export interface TokenHolder {
  readonly clientId: string;
  /** What tokens can be bound to. If absent, they are not bound. */
  readonly bindings?: Bindings | undefined;
}

/** The key (RFC 9449) and the client certificate (RFC 8705) of a TPP, each as a thumbprint. */
export interface Bindings {
  readonly key: string;
  readonly certificate: string;
}

/** What a token is bound to, if its TPP has {@link Bindings}. */
export type Binding = keyof Bindings;

/**
 * Issues access tokens in the form used by the authorization server, signed with the sandbox's own key, because it
 * would take too long for thousands of PSUs to go through the bank's pages.
 */
export class MintedTokens {
  constructor(
    private readonly sandbox: Sandbox,
    private readonly database: Pool,
    private readonly holder: TokenHolder,
  ) {}

  /** Issues the given number of different application tokens. */
  async application(count: number, binding: Binding = 'key'): Promise<readonly string[]> {
    const { clientId } = this.holder;
    const claims = { sub: clientId, scope: 'PSP_AI PSP_PI', grant_kind: 'application' } as const;
    return this.sign(
      Array.from({ length: count }, () => claims),
      binding,
    );
  }

  /** Issues one token per consent. */
  async ofConsents(consentIds: readonly string[]): Promise<readonly string[]> {
    return this.sign(
      consentIds.map((consentId) => ({
        ...ofUser('PSP_AI'),
        grant_id: randomUUID(),
        consent_id: consentId,
      })),
    );
  }

  /** Issues one token per customer, for customers who have granted funds confirmation. */
  async ofFunds(customers: readonly Customer[]): Promise<readonly string[]> {
    const grants = customers.map(() => randomUUID());
    await this.database.query(
      `INSERT INTO auth.grant_binding (grant_id, client_id, psu_id, scope, consent_id, expires_at)
        SELECT grant_id, $3, psu_id, 'PSP_IC', NULL, now() + interval '1 day'
        FROM unnest($1::text[], $2::text[]) AS made (grant_id, psu_id)`,
      [grants, customers.map(({ psuId }) => psuId), this.holder.clientId],
    );
    await this.database.query('ANALYZE auth.grant_binding');
    return this.sign(grants.map((grantId) => ({ ...ofUser('PSP_IC'), grant_id: grantId })));
  }

  private async sign(claims: readonly Claims[], binding: Binding = 'key'): Promise<readonly string[]> {
    const { sandbox, holder } = this;
    const { keys } = JSON.parse(readFileSync(makeLayout(sandbox.dataDir).keys, 'utf8')) as { keys: JWK[] };
    const [key] = keys;
    if (key === undefined) throw new Error('the sandbox has no signing key');
    const signingKey = await importJWK(key, 'ES256');
    const now = Math.floor(realTime.nowMs() / 1000);
    const common = {
      iss: sandbox.baseUrl,
      aud: accessTokenAudience,
      iat: now,
      exp: now + lifetimeSeconds,
      client_id: holder.clientId,
      ...confirmationOf(binding, holder.bindings),
    };
    return Promise.all(
      claims.map(async (own) =>
        new SignJWT({ ...common, jti: randomUUID(), ...own })
          .setProtectedHeader({ alg: 'ES256', typ: 'at+jwt', kid: key.kid ?? '' })
          .sign(signingKey),
      ),
    );
  }
}

/** `sub` differs for each grant here, as it does for each PSU in the authorization server. */
const ofUser = (scope: string): Claims => ({ sub: randomUUID(), scope, grant_kind: 'user', fresh: true });

/** The claim `cnf` of a token. */
const confirmationOf = (binding: Binding, bindings: Bindings | undefined): Claims => {
  if (bindings === undefined) return {};
  return { cnf: binding === 'key' ? { jkt: bindings.key } : { 'x5t#S256': bindings.certificate } };
};
