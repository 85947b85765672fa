import { accessTokenAudience } from '@xs2a/contracts/auth.contract';
import type { Profile } from '@xs2a/domain/profile/profile';
import { Clock } from '@xs2a/runtime/clock';
import { type Configuration, errors, type KoaContextWithOIDC } from 'oidc-provider';
import type { ConsentAuthority } from '../grants/consent-authority.js';
import type { GrantBinding, GrantBindings } from '../grants/grant-bindings.js';
import type { ProfileRules } from '../profile-rules.js';
import type { SubjectFor } from '../grants/pairwise-subject.js';
import { applicationScope, resourceServer, whyApplicationScopeRefused } from '../grants/scopes.js';
import { mutualTls, rolesNow, type ShownCertificate } from '../shown-certificate.js';

export interface TokenParts {
  readonly clock: Clock;
  readonly profile: Profile;
  readonly bindings: Pick<GrantBindings, 'find'>;
  readonly consents: Pick<ConsentAuthority, 'readEnd'>;
  readonly subjectFor: SubjectFor;
  readonly rules: ProfileRules;
  /** Undefined if no client certificate could be validated. */
  readonly shown: ShownCertificate | undefined;
}

/** The grant to which a token request refers. */
interface Granted {
  readonly binding: GrantBinding;
  /** When the consent ends, in epoch milliseconds; undefined for a PSP_IC grant, which has no end. */
  readonly endsAtMs: number;
}
const grantsByToken = new WeakMap<object, Granted>();

/** The oidc-provider settings that define who gets which tokens, with which claims and lifetimes (contract 4). */
export const tokenRules = (parts: TokenParts): Configuration => ({
  features: {
    devInteractions: { enabled: false },
    clientCredentials: { enabled: true },
    // For another client's token, the response is the same as for an unknown token (RFC 7009 §2.2).
    revocation: {
      enabled: true,
      allowedPolicy: (_ctx, client, token) => token.clientId === client.clientId,
    },
    introspection: { enabled: false },
    userinfo: { enabled: false },
    rpInitiatedLogout: { enabled: false },
    dPoP: { enabled: true },
    mTLS: mutualTls(parts.shown),
    pushedAuthorizationRequests: {
      enabled: true,
      requirePushedAuthorizationRequests: parts.rules.requiresPushedRequests,
    },
    resourceIndicators: {
      enabled: true,
      defaultResource: () => resourceServer,
      useGrantedResource: () => true,
      getResourceServerInfo: (ctx, resource) => {
        if (resource !== resourceServer) throw new errors.InvalidTarget();
        narrowApplicationScope(ctx, parts.shown);
        return {
          scope: 'PSP_AI PSP_PI PSP_IC',
          audience: accessTokenAudience,
          accessTokenFormat: 'jwt',
          jwt: { sign: { alg: 'ES256' } },
        };
      },
    },
  },
  formats: {
    customizers: {
      jwt: (_ctx, token, jwt) => {
        // TPPs can read their tokens, so the PSU's sign-in name must not be in them.
        if ('accountId' in token && jwt.payload !== undefined)
          jwt.payload.sub = parts.subjectFor(String(token.clientId), String(token.accountId));
      },
    },
  },
  rotateRefreshToken: parts.rules.rotatesRefreshTokens,
  expiresWithSession: () => false,
  issueRefreshToken: (_ctx, client) => client.grantTypeAllowed('refresh_token'),
  findAccount: async (ctx, accountId, token) => {
    const grantId = token !== undefined && 'grantId' in token ? token.grantId : undefined;
    if (typeof grantId === 'string' && !(await isStillGranted(parts, ctx, grantId, accountId)))
      return undefined;
    return { accountId, claims: () => ({ sub: accountId }) };
  },
  extraTokenClaims: (ctx, token) => {
    if (token.kind !== 'AccessToken') return { grant_kind: 'application' };
    const roles = rolesNow(ctx, parts.shown);
    if (!(token.scope ?? '').split(' ').every((scope) => roles.includes(scope)))
      throw scopeRefused('your certificate does not include the role for this scope');
    const { binding } = theGrant(ctx);
    return {
      grant_kind: 'user',
      grant_id: binding.grantId,
      consent_id: binding.consentId,
      fresh: 'gty' in token && token.gty === 'authorization_code',
    };
  },
});

/**
 * The lifetime of a refresh token in seconds. A new token family gets the profile's lifetime, but never beyond the
 * end of its consent; a rotated token keeps the remaining time.
 */
export const refreshSeconds = (ctx: KoaContextWithOIDC, { clock, profile }: TokenParts): number => {
  const rotated = ctx.oidc.entities.RotatedRefreshToken;
  if (rotated !== undefined) return Math.max(1, rotated.remainingTTL);
  const left = Math.floor((theGrant(ctx).endsAtMs - clock.nowMs()) / 1000);
  return Math.max(1, Math.min(profile.refreshTokenSeconds, left));
};

/** Rejects a scope without echoing it in the error. */
export const scopeRefused = (description: string): errors.InvalidScope =>
  Object.assign(new errors.InvalidScope(description, ''), { scope: undefined });

/**
 * An application token may have only the scopes permitted by both the TPP's roles and its certificate; a request
 * for more is rejected.
 */
const narrowApplicationScope = (ctx: KoaContextWithOIDC, shown: ShownCertificate | undefined): void => {
  const { params } = ctx.oidc;
  if (params?.['grant_type'] !== 'client_credentials') return;
  const requested = params['scope'];
  const sent = typeof requested === 'string' ? requested : undefined;
  const scope = applicationScope(sent, rolesNow(ctx, shown));
  if (scope === undefined) throw scopeRefused(whyApplicationScopeRefused(sent));
  params['scope'] = scope;
};

/** Checked at each token exchange and refresh: the grant must belong to the PSU, and its consent must be valid. */
const isStillGranted = async (
  { bindings, consents }: TokenParts,
  ctx: KoaContextWithOIDC,
  grantId: string,
  psuId: string,
): Promise<boolean> => {
  const binding = await bindings.find(grantId);
  if (binding === undefined || binding.psuId !== psuId || binding.clientId !== ctx.oidc.client?.clientId)
    return false;
  const { consentId } = binding;
  const endsAtMs = consentId === undefined ? Infinity : await consents.readEnd({ ...binding, consentId });
  if (endsAtMs === undefined) return false;
  grantsByToken.set(ctx, { binding, endsAtMs });
  return true;
};

const theGrant = (ctx: KoaContextWithOIDC): Granted => {
  const granted = grantsByToken.get(ctx);
  if (granted === undefined) throw new errors.InvalidGrant('the grant is gone');
  return granted;
};
