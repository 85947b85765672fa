import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parseJson, send } from '@xs2a/tpp-client/http';
import { walkAndApprove, walkOnAndApprove } from '@xs2a/tpp-client/psu-walk';
import * as client from 'openid-client';
import { consentBody, dayFrom, sandboxNow } from '@xs2a/test-support/requests';
import type { FreshPsu } from '@xs2a/test-support/sandbox-tpp';
import { World } from '@xs2a/test-support/world';

const redirectUri = 'https://tpp.example/callback';
const roles = ['PSP_AI', 'PSP_PI', 'PSP_IC'];
const accountsPath = '/v1/accounts';
let world: World;
let psu: FreshPsu;

beforeAll(async () => {
  world = await World.ofLane();
  psu = await world.person('1000.00');
});
afterAll(async () => world.stop());

type Registered = Readonly<{ clientId: string; clientSecret?: string }>;
const register = async (metadata: Readonly<Record<string, unknown>>): Promise<Registered> => {
  const json = { name: 'Library', redirectUris: [redirectUri], roles, ...metadata };
  return parseJson<Registered>(await send('POST', `${world.baseUrl}/sandbox/tpps`, { json }));
};
/** Creates the configuration that a TPP developer writes; everything else comes from the discovery document. */
const discover = async (
  { clientId }: Registered,
  authentication: client.ClientAuth,
): Promise<client.Configuration> => {
  // The clock of the lane may be months ahead of the library's clock.
  const aheadMs = Date.parse(await sandboxNow(world)) - Date.now();
  const metadata = { redirect_uris: [redirectUri], [client.clockSkew]: Math.round(aheadMs / 1000) };
  return client.discovery(new URL(world.baseUrl), clientId, metadata, authentication, {
    algorithm: 'oauth2',
    execute: [client.allowInsecureRequests],
  });
};
const signing = async (alg: 'ES256' | 'PS256'): Promise<client.Configuration> => {
  const { publicKey, privateKey } = await client.randomDPoPKeyPair(alg);
  const { kty, crv, x, y, n, e } = await crypto.subtle.exportKey('jwk', publicKey);
  const keys = [{ kty, crv, x, y, n, e, kid: 'one', alg }];
  const registered = await register({ tokenEndpointAuthMethod: 'private_key_jwt', jwks: { keys } });
  return discover(registered, client.PrivateKeyJwt({ key: privateKey, kid: 'one' }));
};
const bySecret = async (
  method: 'client_secret_basic' | 'client_secret_post',
): Promise<client.Configuration> => {
  const registered = await register({ tokenEndpointAuthMethod: method });
  const secret = registered.clientSecret ?? '';
  const posts = method === 'client_secret_post';
  return discover(registered, posts ? client.ClientSecretPost(secret) : client.ClientSecretBasic(secret));
};
const publicClient = async (): Promise<client.Configuration> =>
  discover(await register({ tokenEndpointAuthMethod: 'none' }), client.None());

/** Loads an authorization URL. Returns a function that lets the PSU decide later. */
const load = async (url: URL): Promise<() => Promise<string>> => {
  const browser = world.browser();
  const page = await browser.open(url.href);
  return async () => {
    await walkOnAndApprove(browser, page, psu);
    const { searchParams } = new URL(browser.leftTo ?? 'https://nowhere.invalid');
    return searchParams.get('error') ?? 'code';
  };
};
/** Performs the PSU's part: from the authorization URL, through the pages, and back to the TPP. */
const approve = async (url: URL): Promise<URL> => {
  const browser = world.browser();
  await walkAndApprove(browser, url.href, psu);
  return new URL(browser.leftTo ?? 'https://nowhere.invalid');
};
const refuse = async (url: URL): Promise<void> => {
  const browser = world.browser();
  await browser.submit(await browser.open(url.href), {}, 'refuse');
  expect(new URL(browser.leftTo ?? '').searchParams.get('error')).toBe('access_denied');
};
interface Way {
  readonly pushed?: boolean;
  readonly dpop?: client.DPoPHandle;
}
const authorize = async (
  config: client.Configuration,
  parameters: Readonly<Record<string, string>>,
  { pushed = false, dpop }: Way = {},
): Promise<client.TokenEndpointResponse> => {
  const verifier = client.randomPKCECodeVerifier();
  const state = client.randomState();
  const asked = {
    redirect_uri: redirectUri,
    code_challenge: await client.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    state,
    ...parameters,
  };
  const options = dpop === undefined ? {} : { DPoP: dpop };
  const url = pushed
    ? await client.buildAuthorizationUrlWithPAR(config, asked, options)
    : client.buildAuthorizationUrl(config, asked);
  const back = await approve(url);
  return client.authorizationCodeGrant(
    config,
    back,
    { pkceCodeVerifier: verifier, expectedState: state },
    undefined,
    options,
  );
};
const call = async (
  config: client.Configuration,
  token: string,
  [method, path, json]: readonly [string, string, unknown?],
  { dpop, headers = {} }: { dpop?: client.DPoPHandle; headers?: Record<string, string> } = {},
): Promise<Response> =>
  client.fetchProtectedResource(
    config,
    token,
    new URL(path, world.baseUrl),
    method,
    json === undefined ? undefined : JSON.stringify(json),
    new Headers({ ...(json === undefined ? {} : { 'content-type': 'application/json' }), ...headers }),
    dpop === undefined ? {} : { DPoP: dpop },
  );
const funds = [
  'POST',
  '/funds-confirmation',
  { instructedAmount: { currency: 'BGN', amount: '1.00' } },
] as const;
const newConsent = async (
  config: client.Configuration,
  token: string,
  dpop?: client.DPoPHandle,
): Promise<string> => {
  const body = consentBody([psu.accounts[0]?.iban ?? ''], dayFrom(await sandboxNow(world), 30));
  const answer = await call(config, token, ['POST', '/v1/consents', body], {
    headers: { 'psu-id': psu.psuId },
    ...(dpop === undefined ? {} : { dpop }),
  });
  expect(answer.status).toBe(201);
  return ((await answer.json()) as { consentId: string }).consentId;
};
const catchError = async (request: Promise<unknown>): Promise<string | undefined> => {
  const error: unknown = await request.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error instanceof client.ResponseBodyError || error instanceof client.AuthorizationResponseError)
    return error.error;
  if (error instanceof client.WWWAuthenticateChallengeError)
    return String(error.cause.at(-1)?.parameters.error ?? error.status);
  return error === undefined ? undefined : String(error);
};

describe('a certified client library (openid-client) against the authorization server (contract 4)', () => {
  it.each(['client_secret_basic', 'client_secret_post'] as const)(
    'authenticates with %s for client_credentials, consent, code with PKCE, refresh and revocation',
    async (method) => {
      const config = await bySecret(method);
      const application = await client.clientCredentialsGrant(config, { scope: 'PSP_AI' });
      expect(application).toMatchObject({ token_type: 'bearer', expires_in: 3600, scope: 'PSP_AI' });
      const consentId = await newConsent(config, application.access_token);
      const tokens = await authorize(config, { scope: 'PSP_AI', consentId });
      expect((await call(config, tokens.access_token, ['GET', accountsPath])).status).toBe(200);
      const refreshed = await client.refreshTokenGrant(config, tokens.refresh_token ?? '');
      expect((await call(config, refreshed.access_token, ['GET', accountsPath])).status).toBe(200);
      await client.tokenRevocation(config, refreshed.refresh_token ?? '');
      expect(await catchError(client.refreshTokenGrant(config, refreshed.refresh_token ?? ''))).toBe(
        'invalid_grant',
      );
    },
  );

  it.each(['ES256', 'PS256'] as const)(
    'authenticates with private_key_jwt, %s, for every grant and the aliases of the account scope, with PAR',
    async (alg) => {
      const config = await signing(alg);
      const application = await client.clientCredentialsGrant(config, { scope: 'PSP_AI PSP_PI' });
      const consentId = await newConsent(config, application.access_token);
      const spellings: readonly Readonly<Record<string, string>>[] = [
        { scope: 'AISP', consentId },
        { scope: `AIS:${consentId}` },
      ];
      for (const asked of spellings) {
        const tokens = await authorize(config, asked, { pushed: true });
        expect(tokens.scope).toBe('PSP_AI');
        expect((await call(config, tokens.access_token, ['GET', accountsPath])).status).toBe(200);
      }
      const tokens = await authorize(config, { scope: 'PSP_IC' }, { pushed: true });
      expect((await call(config, tokens.access_token, funds)).status).toBe(200);
      expect((await client.refreshTokenGrant(config, tokens.refresh_token ?? '')).expires_in).toBe(300);
    },
  );

  it('binds tokens to a key (DPoP, RFC 9449), so they are useless as Bearer or with another key', async () => {
    const config = await signing('ES256');
    const dpop = client.getDPoPHandle(config, await client.randomDPoPKeyPair('ES256'));
    const application = await client.clientCredentialsGrant(config, { scope: 'PSP_AI' }, { DPoP: dpop });
    expect(application.token_type).toBe('dpop');
    const consentId = await newConsent(config, application.access_token, dpop);
    const tokens = await authorize(config, { scope: 'PSP_AI', consentId }, { pushed: true, dpop });
    for (const path of ['/v1/accounts', '/accounts', '/v1/accounts?withBalance=true'])
      expect((await call(config, tokens.access_token, ['GET', path], { dpop })).status).toBe(200);
    const asBearer = await send('GET', `${world.baseUrl}${accountsPath}`, {
      headers: { authorization: `Bearer ${tokens.access_token}` },
    });
    expect([
      asBearer.status,
      parseJson<{ tppMessages: { code: string }[] }>(asBearer).tppMessages[0]?.code,
    ]).toEqual([401, 'TOKEN_INVALID']);
    const thief = client.getDPoPHandle(config, await client.randomDPoPKeyPair('ES256'));
    expect(await catchError(call(config, tokens.access_token, ['GET', accountsPath], { dpop: thief }))).toBe(
      'invalid_dpop_proof',
    );
    const refreshed = await client.refreshTokenGrant(config, tokens.refresh_token ?? '', undefined, {
      DPoP: dpop,
    });
    expect((await call(config, refreshed.access_token, ['GET', accountsPath], { dpop })).status).toBe(200);
  });

  it('redeems a code only with the key with which its request was pushed', async () => {
    const config = await bySecret('client_secret_basic');
    const dpop = client.getDPoPHandle(config, await client.randomDPoPKeyPair('ES256'));
    const verifier = client.randomPKCECodeVerifier();
    const asked = {
      redirect_uri: redirectUri,
      scope: 'PSP_IC',
      code_challenge: await client.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    };
    const back = await approve(await client.buildAuthorizationUrlWithPAR(config, asked, { DPoP: dpop }));
    const checks = { pkceCodeVerifier: verifier };
    expect(await catchError(client.authorizationCodeGrant(config, back, checks))).toBe('invalid_grant');
    const thief = client.getDPoPHandle(config, await client.randomDPoPKeyPair('ES256'));
    expect(
      await catchError(client.authorizationCodeGrant(config, back, checks, undefined, { DPoP: thief })),
    ).toBe('invalid_grant');
    const tokens = await client.authorizationCodeGrant(config, back, checks, undefined, { DPoP: dpop });
    expect(tokens.token_type).toBe('dpop');
  });

  it('requires PKCE from a public client, issues it no client credentials token, and binds its refresh token to its key', async () => {
    const config = await publicClient();
    const dpop = client.getDPoPHandle(config, await client.randomDPoPKeyPair('PS256'));
    const tokens = await authorize(config, { scope: 'PSP_IC' }, { dpop });
    expect((await call(config, tokens.access_token, funds, { dpop })).status).toBe(200);
    const refresh = tokens.refresh_token ?? '';
    expect(await catchError(client.refreshTokenGrant(config, refresh))).toBe('invalid_grant');
    const thief = client.getDPoPHandle(config, await client.randomDPoPKeyPair('ES256'));
    expect(await catchError(client.refreshTokenGrant(config, refresh, undefined, { DPoP: thief }))).toBe(
      'invalid_grant',
    );
    expect((await client.refreshTokenGrant(config, refresh, undefined, { DPoP: dpop })).token_type).toBe(
      'dpop',
    );
    expect(await catchError(client.clientCredentialsGrant(config, { scope: 'PSP_AI' }))).toBe(
      'invalid_request',
    );
    const bare = client.buildAuthorizationUrl(config, { redirect_uri: redirectUri, scope: 'PSP_IC' });
    const browser = world.browser();
    await browser.open(bare.href);
    expect(new URL(browser.leftTo ?? '').searchParams.get('error')).toBe('invalid_request');
  });

  it('revokes an access token immediately, together with its refresh token; revoking an application token affects no other token', async () => {
    const config = await bySecret('client_secret_basic');
    const [one, other] = await Promise.all([
      client.clientCredentialsGrant(config, { scope: 'PSP_AI' }),
      client.clientCredentialsGrant(config, { scope: 'PSP_AI' }),
    ]);
    const clock = ['GET', '/sandbox/clock'] as const;
    await client.tokenRevocation(config, one.access_token);
    expect(await catchError(call(config, one.access_token, clock))).toBe('401');
    expect((await call(config, other.access_token, clock)).status).toBe(200);
    const tokens = await authorize(config, { scope: 'PSP_IC' });
    const stranger = await bySecret('client_secret_basic');
    await client.tokenRevocation(stranger, tokens.access_token);
    expect((await call(config, tokens.access_token, funds)).status).toBe(200);
    await client.tokenRevocation(config, tokens.access_token);
    expect(await catchError(call(config, tokens.access_token, funds))).toBe('401');
    expect(await catchError(client.refreshTokenGrant(config, tokens.refresh_token ?? ''))).toBe(
      'invalid_grant',
    );
  });
});

describe('pushed authorization requests (RFC 9126; contract 4)', () => {
  it('are validated when they are pushed: redirect URI, scope, consent, PKCE', async () => {
    const config = await bySecret('client_secret_basic');
    const good = { redirect_uri: redirectUri, scope: 'PSP_IC' };
    const push = async (changes: Readonly<Record<string, string>>): Promise<string | undefined> =>
      catchError(client.buildAuthorizationUrlWithPAR(config, { ...good, ...changes }));
    expect(await push({})).toBeUndefined();
    expect(await push({ redirect_uri: `${redirectUri}/` })).toBe('invalid_request');
    expect(await push({ scope: 'PSP_PI' })).toBe('invalid_scope');
    expect(await push({ scope: 'PSP_AI' })).toBe('invalid_request');
    expect(await push({ scope: 'PSP_AI', consentId: '00000000-0000-4000-8000-000000000000' })).toBe(
      'invalid_request',
    );
    expect(await push({ scope: 'AIS:a', consentId: 'b' })).toBe('invalid_request');
    expect(await push({ code_challenge: 'x'.repeat(43), code_challenge_method: 'plain' })).toBe(
      'invalid_request',
    );
    expect(await push({ response_mode: 'form_post' })).toBe('unsupported_response_mode');
    expect(await push({ request_uri: 'urn:ietf:params:oauth:request_uri:x' })).toMatch(
      /request_uri|invalid_request/,
    );
  });

  it('have a request_uri that one client can use for one decision within 60 s', async () => {
    const config = await bySecret('client_secret_basic');
    const push = async (): Promise<URL> =>
      client.buildAuthorizationUrlWithPAR(config, { redirect_uri: redirectUri, scope: 'PSP_IC' });
    const readStatus = async (url: URL): Promise<number> => (await send('GET', url.href)).status;
    for (const decide of [approve, refuse]) {
      const once = await push();
      // Simulates a link preview and a page reload.
      for (let load = 0; load < 3; load += 1) expect(await readStatus(once)).toBe(303);
      await decide(once);
      expect(await readStatus(once)).toBe(400);
    }
    const stolen = await push();
    stolen.searchParams.set('client_id', 'sandbox-tpp-2');
    expect(await readStatus(stolen)).toBe(400);
    const raced = await push();
    const decisions = await Promise.all(Array.from({ length: 5 }, async () => approve(raced)));
    const answered = decisions.map(({ searchParams }) => searchParams.get('error') ?? 'code');
    expect(answered.sort()).toEqual(['code', ...Array.from({ length: 4 }, () => 'invalid_request_uri')]);
    const twice = await push();
    const open = [await load(twice), await load(twice)];
    const late = await push();
    await world.advance('PT2M');
    // The pushed request has expired, but the pages that it opened have not.
    const outcomes: string[] = [];
    for (const decide of open) outcomes.push(await decide());
    expect(outcomes).toEqual(['code', 'invalid_request_uri']);
    expect(await readStatus(late)).toBe(400);
  });
});

describe('discovery (RFC 8414)', () => {
  it('is correct in every field: each endpoint responds, and the tests above use each method and algorithm', async () => {
    const metadata = (await bySecret('client_secret_basic')).serverMetadata();
    const { baseUrl } = world;
    const algorithms = ['PS256', 'ES256'];
    const { token_endpoint_auth_methods_supported: methods = [], ...rest } = metadata;
    expect([...methods].sort()).toEqual([
      'client_secret_basic',
      'client_secret_post',
      'none',
      'private_key_jwt',
      // Covered in mutual-tls.e2e.spec.ts, which has a TLS-terminating proxy.
      'tls_client_auth',
    ]);
    expect(rest).toEqual({
      issuer: baseUrl,
      authorization_endpoint: `${baseUrl}/oauth2/authorize`,
      token_endpoint: `${baseUrl}/oauth2/token`,
      jwks_uri: `${baseUrl}/oauth2/jwks`,
      revocation_endpoint: `${baseUrl}/oauth2/revoke`,
      revocation_endpoint_auth_methods_supported: methods,
      revocation_endpoint_auth_signing_alg_values_supported: algorithms,
      pushed_authorization_request_endpoint: `${baseUrl}/oauth2/par`,
      service_documentation: `${baseUrl}/docs`,
      grant_types_supported: expect.arrayContaining([
        'authorization_code',
        'refresh_token',
        'client_credentials',
      ]),
      response_types_supported: ['code'],
      response_modes_supported: ['query'],
      scopes_supported: ['PSP_AI', 'PSP_PI', 'PSP_IC'],
      code_challenge_methods_supported: ['S256'],
      token_endpoint_auth_signing_alg_values_supported: algorithms,
      dpop_signing_alg_values_supported: ['ES256', 'PS256'],
      tls_client_certificate_bound_access_tokens: true,
      authorization_response_iss_parameter_supported: true,
      request_uri_parameter_supported: false,
    });
    expect(metadata.grant_types_supported).toHaveLength(3);
    for (const [method, url] of [
      ['GET', metadata.jwks_uri],
      ['GET', metadata.authorization_endpoint],
      ['POST', metadata.token_endpoint],
      ['POST', metadata.revocation_endpoint],
      ['POST', metadata.pushed_authorization_request_endpoint],
    ] as const)
      expect([200, 400, 401]).toContain((await send(method, url ?? '')).status);
    const documentation = await fetch(metadata.service_documentation ?? '');
    expect([documentation.status, documentation.url]).toEqual([200, `${baseUrl}/reference`]);
  });
});
