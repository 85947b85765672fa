import { proofAlgorithms } from '@xs2a/contracts/auth.contract';
import type { Logger } from '@xs2a/observability/logger';
import { createHash } from 'node:crypto';
import type { EventEmitter } from 'node:events';
import {
  Provider,
  type Adapter,
  type Configuration,
  errors,
  interactionPolicy,
  type KoaContextWithOIDC,
} from 'oidc-provider';
import type { Pool } from 'pg';
import { isSecret, type TppRegistry } from '../tpp/tpp-registry.js';
import { ModelAdapter, type ModelParts, noSessions } from './storage/model-adapter.js';
import { clientAdapter } from './storage/client-adapter.js';
import { assertionRules } from './client-assertions.js';
import { readProof } from './dpop-proof.js';
import type { ConsentAuthority } from './grants/consent-authority.js';
import { describeGrantError, describeProofError } from './grant-errors.js';
import { oauthFailure, showFailure } from './oauth-failures.js';
import { PushedRequestAdapter } from './storage/pushed-request-adapter.js';
import { isClientAuthenticated, RefreshTokenAdapter } from './storage/refresh-token-adapter.js';
import { compareSecretsBy, noticeSecondUsesBy } from './provider-patches.js';
import { checkRequestSize } from './request-size.js';
import { canonicalRequest, userScope } from './grants/scopes.js';
import { rolesNow } from './shown-certificate.js';
import type { SigningKeys } from './tokens/signing-keys.js';
import { refreshSeconds, scopeRefused, type TokenParts, tokenRules } from './tokens/token-rules.js';
import { isFirstUse } from './storage/used-once.js';

export interface ProviderParts extends ModelParts, TokenParts {
  /** The public origin, which is the issuer. */
  readonly issuer: string;
  readonly pool: Pool;
  readonly logger: Logger;
  readonly registry: Pick<TppRegistry, 'find'>;
  readonly consents: Pick<ConsentAuthority, 'readEnd' | 'findAuthorizable'>;
  readonly keys: SigningKeys;
  readonly cookieSecret: string;
  /** Shows the PSU an error that cannot be returned to the TPP by redirect. */
  readonly renderError: NonNullable<Configuration['renderError']>;
}

/** The path where the PSU signs in and approves. */
export const interactionPath = (uid: string): string => `/sca/authorize/${uid}`;
/** The number of seconds that a PSU has to decide on an authorization request after opening it. */
export const interactionSeconds = 3600;

/** Creates the OAuth 2.0 server (contract 4), configured to avoid the pitfalls listed in architecture, "The edge". */
export const createProvider = (parts: ProviderParts): Provider => {
  const provider = new Provider(parts.issuer, {
    ...clientRules(parts),
    ...assertionRules(parts.clock, parts.issuer),
    ...tokenRules(parts),
    ...lifetimes(parts),
    adapter: adapterFactory(parts),
    jwks: { keys: parts.keys.keys.map((key) => ({ ...key })) } as Configuration['jwks'],
    cookies: cookieRules(parts.cookieSecret),
    routes: {
      authorization: '/oauth2/authorize',
      token: '/oauth2/token',
      jwks: '/oauth2/jwks',
      revocation: '/oauth2/revoke',
      pushed_authorization_request: '/oauth2/par',
      end_session: '/oauth2/session/end',
    },
    interactions: {
      policy: alwaysAskThePsu(),
      url: (ctx, { uid }) => `${interactionPath(uid)}${findLanguage(ctx)}`,
    },
    extraParams: {
      consentId: async (ctx, value) => checkWhatIsAskedFor(parts, ctx, value),
    },
    renderError: parts.renderError,
    loadExistingGrant: async (ctx) => {
      const grantId = ctx.oidc.result?.consent?.grantId;
      return grantId === undefined ? undefined : ctx.oidc.provider.Grant.find(grantId);
    },
  });
  provider.proxy = true;
  provider.silent = true;
  const koa: EventEmitter = provider;
  koa.on('error', (error: unknown) => parts.logger.error({ error }, 'the authorization server failed'));
  compareSecretsBy(provider, isSecret);
  noticeSecondUsesBy(provider, async (issuer, jti, expiresAt) => {
    if (await isFirstUse(parts.database, issuer, jti, expiresAt)) return true;
    // For a proof that was used before, the provider returns `invalid_grant`, but RFC 9449 §5 requires this
    // error.
    const context = Provider.ctx;
    if (context !== undefined && readProof(context).jti === jti)
      throw new errors.InvalidDpopProof('the DPoP proof was used before');
    return false;
  });
  provider.on('grant.error', (ctx, error) => {
    const description =
      error instanceof errors.InvalidGrant
        ? describeGrantError(error.error_detail)
        : error instanceof errors.InvalidDpopProof
          ? describeProofError(error.error_description)
          : undefined;
    if (description !== undefined) ctx.body = { error: error.error, error_description: description };
  });
  provider.on('server_error', (ctx, error) => {
    if (oauthFailure(error).status === 500) parts.logger.error({ error }, 'the authorization server failed');
    else parts.logger.warn({ error }, 'a dependency is down');
    showFailure(error, ctx);
  });
  return provider;
};

const adapterFactory =
  (parts: ProviderParts) =>
  (model: string): Adapter => {
    if (model === 'Session') return noSessions;
    if (model === 'Client') return clientAdapter(parts.registry, parts);
    if (model === 'PushedAuthorizationRequest') return new PushedRequestAdapter(parts);
    if (model === 'RefreshToken' && parts.rules.rotatesRefreshTokens)
      return new RefreshTokenAdapter({ ...parts, isAuthenticated: isClientAuthenticated });
    return new ModelAdapter(model, parts);
  };

const cookieRules = (secret: string): Configuration['cookies'] => ({
  keys: [createHash('sha256').update(`cookies:${secret}`).digest('base64url')],
  names: { session: 'xs2a_session', interaction: 'xs2a_interaction', resume: 'xs2a_resume' },
  long: { httpOnly: true, sameSite: 'lax', signed: true },
  short: { httpOnly: true, sameSite: 'lax', signed: true },
});

/** Remembers no session: only the result of the current interaction counts as a login and as a consent. */
const alwaysAskThePsu = (): interactionPolicy.DefaultPolicy => {
  const { base, Check, Prompt } = interactionPolicy;
  const policy = base();
  policy.clear();
  for (const name of ['login', 'consent'] as const) {
    const check = new Check('psu_needed', 'the PSU has to sign in and approve', `${name}_required`, (ctx) =>
      ctx.oidc.result?.[name] === undefined ? Check.REQUEST_PROMPT : Check.NO_NEED_TO_PROMPT,
    );
    policy.add(new Prompt({ name, requestable: true }, check));
  }
  return policy;
};

const findLanguage = (ctx: KoaContextWithOIDC): string => {
  const language = /^(bg|en)\b/.exec(String(ctx.oidc.params?.['ui_locales'] ?? ''))?.[1];
  return language === undefined ? '' : `?lang=${language}`;
};

const clientRules = ({ rules, shown }: ProviderParts): Configuration => ({
  clientAuthMethods: rules.clientAuthMethods.filter(
    (method) => method !== 'tls_client_auth' || shown !== undefined,
  ),
  clientDefaults: { id_token_signed_response_alg: 'ES256' },
  enabledJWA: {
    clientAuthSigningAlgValues: ['PS256', 'ES256'],
    dPoPSigningAlgValues: [...proofAlgorithms],
    idTokenSigningAlgValues: ['ES256'],
  },
  allowOmittingSingleRegisteredRedirectUri: false,
  pkce: { required: (_ctx, client) => rules.requiresPkce || client.clientAuthMethod === 'none' },
  responseTypes: ['code'],
  scopes: ['PSP_AI', 'PSP_PI', 'PSP_IC'],
  clientBasedCORS: () => false,
});

/** The lifetimes are read at each use, because the bank may switch to another profile. */
const lifetimes = (parts: ProviderParts): Configuration => ({
  ttl: {
    AccessToken: () => parts.profile.userTokenSeconds,
    AuthorizationCode: () => parts.profile.authorizationCodeSeconds,
    ClientCredentials: () => parts.profile.applicationTokenSeconds,
    // A grant starts when its code is issued. Its refresh tokens have their own lifetime and expire before
    // it.
    Grant: () => parts.profile.refreshTokenSeconds + interactionSeconds,
    Interaction: interactionSeconds,
    Session: interactionSeconds,
    RefreshToken: (ctx) => refreshSeconds(ctx, parts),
  },
});

/**
 * Requires a single scope: with PSP_AI, a consent of this TPP that can be authorised; with PSP_IC, no consent
 * (contract 4). Checked when a request is pushed, and again when the browser presents it.
 */
const checkWhatIsAskedFor = async (
  { consents, shown }: ProviderParts,
  ctx: KoaContextWithOIDC,
  consentIdSent: string | undefined,
): Promise<void> => {
  const { client, params } = ctx.oidc;
  if (client === undefined || params === undefined) throw new errors.InvalidRequest('client_id is missing');
  checkResponseMode(params);
  checkRequestSize(params);
  const scopeSent = params['scope'];
  const asked = canonicalRequest({
    scope: typeof scopeSent === 'string' ? scopeSent : undefined,
    consentId: consentIdSent,
  });
  if (asked === undefined)
    throw new errors.InvalidRequest('the scope names a different consent than consentId');
  const scope = userScope(asked.scope, rolesNow(ctx, shown));
  if (scope === undefined)
    throw scopeRefused('ask for one scope that your registration and certificate allow: PSP_AI or PSP_IC');
  params['scope'] = scope;
  const { consentId } = asked;
  if (scope === 'PSP_IC') {
    if (consentId !== undefined)
      throw new errors.InvalidRequest('consentId is allowed only with the scope PSP_AI');
    return;
  }
  if (consentId === undefined)
    throw new errors.InvalidRequest('consentId is missing: create a consent first');
  params['consentId'] = consentId;
  const consent = await consents.findAuthorizable(client.clientId, consentId).catch((error: unknown) => {
    if (oauthFailure(error).status === 503)
      throw new errors.TemporarilyUnavailable('the service is temporarily unavailable, try again', {
        cause: error,
      });
    throw error;
  });
  if (consent === undefined)
    throw new errors.InvalidRequest('consentId is not the id of one of your consents that can be authorised');
};

/**
 * Allows only `query`, because the other modes need a script on our page. The error must not be sent with the mode
 * that is being rejected.
 */
const checkResponseMode = (params: Record<string, unknown>): void => {
  const { response_mode: mode } = params;
  if (mode === undefined || mode === 'query') return;
  params['response_mode'] = undefined;
  throw new errors.UnsupportedResponseMode();
};
