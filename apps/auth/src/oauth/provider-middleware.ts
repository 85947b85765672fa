import { oauthMethods } from '@xs2a/contracts/oauth-paths';
import type { Logger } from '@xs2a/observability/logger';
import type { Clock } from '@xs2a/runtime/clock';
import type { JWK } from 'jose';
import type { Provider } from 'oidc-provider';
import { isBasic } from './basic-authentication.js';
import { clockTolerance } from './clock-tolerance.js';
import { readProof } from './dpop-proof.js';
import { showFailure } from './oauth-failures.js';
import type { GrantRevocations } from './grants/grant-revocations.js';
import { tppRoles } from '@xs2a/contracts/auth.contract';
import { countTokens } from './token-metrics.js';
import type { IssuedTokens } from './tokens/issued-tokens.js';
import type { TokenTransactions } from './storage/token-transaction.js';

type Middleware = Parameters<Provider['use']>[0];

export interface MiddlewareParts {
  /** The origin of the PSU's pages, which is also that of the authorization endpoint. */
  readonly pagesUrl: string;
  readonly logger: Logger;
  readonly clock: Clock;
  readonly database: TokenTransactions;
  readonly revocations: Pick<GrantRevocations, 'revoke'>;
  readonly issued: Pick<IssuedTokens, 'revoke'>;
  /** The public keys of dispute bundles. */
  readonly bundleKeys: readonly JWK[];
}

/** Adds the middleware around oidc-provider, from the outermost to the innermost. */
export const surround = (provider: Provider, parts: MiddlewareParts): void => {
  for (const middleware of [
    countTokens,
    publicOrigin(provider.issuer),
    safeHeaders,
    noOrigins,
    answerAlways(parts.logger),
    oauthOnly(parts.pagesUrl),
    publishBundleKeys(parts.bundleKeys),
    queryModeOnly,
    basicOnly(provider.issuer),
    recentProofs(parts.clock),
    clientsAuthenticate,
    accessTokenRevocation(parts),
    refreshTokenLife,
    tokenTransaction(parts),
  ])
    provider.use(middleware);
};

/**
 * Marks cookies as secure if and only if the public origin is https. What a request claims about its own origin is
 * ignored.
 */
const publicOrigin = (issuer: string): Middleware => {
  const protocol = new URL(issuer).protocol.slice(0, -1);
  return (ctx, next) => {
    ctx.req.headers['x-forwarded-proto'] = protocol;
    return next();
  };
};

const safeHeaders: Middleware = async (ctx, next) => {
  await next();
  ctx.set('X-Content-Type-Options', 'nosniff');
  ctx.set('Referrer-Policy', 'no-referrer');
  if (ctx.res.getHeader('Cache-Control') === undefined && ctx.path.startsWith('/oauth2/'))
    ctx.set('Cache-Control', 'no-store');
  // The provider's own session stores nothing, so its cookie is useless and is removed.
  const cookies = [ctx.res.getHeader('Set-Cookie') ?? []].flat().map(String);
  const wanted = cookies.filter((cookie) => !cookie.startsWith('xs2a_session'));
  if (wanted.length === cookies.length) return;
  ctx.remove('Set-Cookie');
  if (wanted.length > 0) ctx.set('Set-Cookie', wanted);
};

/**
 * Adds an RFC 6749 body to responses that the provider leaves empty: those for wrong methods, and those for
 * failures outside the provider.
 */
const answerAlways =
  (logger: Logger): Middleware =>
  async (ctx, next) => {
    try {
      await next();
    } catch (error) {
      logger.error({ error }, 'unexpected error while handling a request to the authorization server');
      showFailure(error, ctx);
    }
    if (ctx.status !== 404 || (ctx.body !== undefined && ctx.body !== null)) return;
    ctx.set('Allow', oauthMethods(ctx.path) ?? '');
    ctx.status = ctx.method === 'OPTIONS' ? 204 : 405;
    if (ctx.status === 204) return;
    ctx.body = {
      error: 'invalid_request',
      error_description: 'This method is not supported here. See the Allow header.',
    };
  };

/** This server supports OAuth 2.0, not OpenID Connect, so there are no id tokens, sessions or logout to discover. */
const oauthOnly =
  (pagesUrl: string): Middleware =>
  async (ctx, next) => {
    await next();
    if (ctx.path !== '/.well-known/oauth-authorization-server' || ctx.status !== 200) return;
    const metadata = { ...(ctx.body as Record<string, unknown>) };
    for (const name of [
      'claims_supported',
      'claim_types_supported',
      'claims_parameter_supported',
      'subject_types_supported',
    ])
      delete metadata[name];
    delete metadata['id_token_signing_alg_values_supported'];
    ctx.body = {
      ...metadata,
      authorization_endpoint: `${pagesUrl}/oauth2/authorize`,
      response_modes_supported: ['query'],
      scopes_supported: tppRoles,
      revocation_endpoint_auth_methods_supported: metadata['token_endpoint_auth_methods_supported'],
      revocation_endpoint_auth_signing_alg_values_supported:
        metadata['token_endpoint_auth_signing_alg_values_supported'],
      service_documentation: `${ctx.oidc.issuer}/docs`,
    };
  };

/** Adds the public keys of dispute bundles to the key set. The provider does not know them, so it signs nothing with them. */
const publishBundleKeys =
  (bundleKeys: readonly JWK[]): Middleware =>
  async (ctx, next) => {
    await next();
    if (ctx.path !== '/oauth2/jwks' || ctx.status !== 200) return;
    const { keys } = ctx.body as { readonly keys: readonly JWK[] };
    ctx.body = { keys: [...keys, ...bundleKeys] };
  };

/**
 * Restricts the response mode to `query`, starting with the first check. Otherwise the errors of the earliest
 * checks would use another mode, such as the fragment if a response type of the implicit flow is requested.
 */
const queryModeOnly: Middleware = (ctx, next) => {
  if (ctx.path === '/oauth2/authorize') {
    const query = new URLSearchParams(ctx.querystring);
    const replace = (name: string, isRefused: (value: string) => boolean): void => {
      if (query.getAll(name).some(isRefused)) query.set(name, 'unsupported');
    };
    replace('response_mode', (mode) => mode !== 'query');
    replace('response_type', (type) => type.includes('token'));
    ctx.querystring = query.toString();
  }
  // The browser is returning to a stored request. Additional parameters would make it another request.
  if (ctx.path.startsWith('/oauth2/authorize/')) ctx.querystring = '';
  return next();
};

/**
 * Removes the `Origin` header. Pages of other origins need no access, because TPPs call from their servers. With
 * the header, the provider would allow every origin to read its responses and to send any header.
 */
const noOrigins: Middleware = async (ctx, next) => {
  delete ctx.req.headers.origin;
  delete ctx.req.headers['access-control-request-method'];
  await next();
  for (const name of Object.keys(ctx.response.headers))
    if (name.startsWith('access-control-')) ctx.remove(name);
};

/** The endpoints that authenticate clients. */
const clientPaths = new Set(['/oauth2/token', '/oauth2/par', '/oauth2/revoke']);

/**
 * Treats an `Authorization` header that is not valid Basic as a failed authentication: 401 with a challenge for
 * the only supported scheme (RFC 6749 §5.2). The provider would answer 400 `invalid_request`.
 */
const basicOnly =
  (issuer: string): Middleware =>
  (ctx, next) => {
    const { authorization } = ctx.req.headers;
    if (!clientPaths.has(ctx.path) || ctx.method !== 'POST') return next();
    if (authorization === undefined || isBasic(authorization)) return next();
    const description =
      'the Authorization header must contain the client id and secret as HTTP Basic credentials';
    ctx.status = 401;
    ctx.set(
      'WWW-Authenticate',
      `Basic realm="${issuer}", error="invalid_client", error_description="${description}"`,
    );
    ctx.body = { error: 'invalid_client', error_description: description };
    return undefined;
  };

/**
 * Treats a request that does not identify a client as one from an unauthenticated client, as RFC 6749 §5.2
 * requires. The provider would treat it as malformed.
 */
const clientsAuthenticate: Middleware = async (ctx, next) => {
  await next();
  if (!clientPaths.has(ctx.path) || ctx.method !== 'POST' || ctx.status !== 400) return;
  const { client, params } = ctx.oidc;
  const isNamed = ctx.get('authorization') !== '' || params?.['client_assertion'] || params?.['client_id'];
  // Duplicate parameters are still in the body as received and must be reported as duplicates.
  const isRepeated = ['client_id', 'client_assertion', 'client_secret'].some((name) =>
    Array.isArray(Reflect.get(Object(ctx.oidc.body), name)),
  );
  if (client !== undefined || params === undefined || isNamed || isRepeated) return;
  ctx.status = 401;
  ctx.body = {
    error: 'invalid_client',
    error_description: 'Authenticate the client; a public client sends its client_id.',
  };
};

/**
 * Rejects proofs whose time is too far from now, because the provider would accept a difference of five minutes.
 * The provider checks whether a proof is valid in other respects.
 */
const recentProofs =
  (clock: Clock): Middleware =>
  (ctx, next) => {
    if (!clientPaths.has(ctx.path) || ctx.method !== 'POST') return next();
    const { iat } = readProof(ctx);
    if (iat === undefined || Math.abs(clock.nowMs() / 1000 - iat) <= clockTolerance) return next();
    ctx.status = 400;
    ctx.body = {
      error: 'invalid_dpop_proof',
      error_description: `iat of the DPoP proof must be within ${clockTolerance} s of now`,
    };
    return undefined;
  };

/**
 * The provider authenticates the client but refuses to revoke access tokens, because it does not store them. They
 * are revoked here, with the same response as for any other token (RFC 7009 §2.2).
 */
const accessTokenRevocation =
  ({ issued }: MiddlewareParts): Middleware =>
  async (ctx, next) => {
    await next();
    if (ctx.path !== '/oauth2/revoke' || ctx.status !== 400) return;
    const { client, params } = ctx.oidc;
    const token = params?.['token'];
    const error: unknown = Reflect.get(Object(ctx.body), 'error');
    if (error !== 'unsupported_token_type' || client === undefined || typeof token !== 'string') return;
    await issued.revoke(token, client.clientId);
    ctx.status = 200;
    ctx.body = '';
  };

/** Adds the remaining lifetime of the refresh token, in seconds, to a response. */
const refreshTokenLife: Middleware = async (ctx, next) => {
  await next();
  if (ctx.path !== '/oauth2/token' || ctx.status !== 200) return;
  const { RefreshToken: refreshToken } = ctx.oidc.entities;
  const body = ctx.body as Record<string, unknown>;
  if (body['refresh_token'] === undefined || refreshToken === undefined) return;
  ctx.body = { ...body, refresh_token_expires_in: refreshToken.remainingTTL };
};

const tokenTransaction =
  ({ database, revocations }: MiddlewareParts): Middleware =>
  async (ctx, next) => {
    if (ctx.path !== '/oauth2/token' || ctx.method !== 'POST') return next();
    return database.run(
      async () => {
        await next();
        return ctx.status === 200;
      },
      (grantId) => revocations.revoke(grantId),
    );
  };
