import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { issueTestQwac } from '@xs2a/qwac/sandbox-authority';
import { type Answer, parseJson, send } from '@xs2a/tpp-client/http';
import { makeLayout, secretIn } from '@xs2a/sandbox/layout';
import { walkAndApprove } from '@xs2a/tpp-client/psu-walk';
import { testAuthority } from '@xs2a/sandbox/tpp/test-authority';
import * as client from 'openid-client';
import type { FreshPsu } from '@xs2a/test-support/sandbox-tpp';
import { World } from '@xs2a/test-support/world';

const redirectUri = 'https://tpp.example/callback';
const funds = JSON.stringify({ instructedAmount: { currency: 'BGN', amount: '1.00' } });
let world: World;
let key: client.CryptoKey;
let dpopKeys: client.CryptoKeyPair;
let clientId: string;
let config: client.Configuration;
let dpop: client.DPoPHandle;
let psu: FreshPsu;

type Claims = Record<string, unknown>;
const register = async (metadata: Readonly<Record<string, unknown>>): Promise<Answer> =>
  send('POST', `${world.baseUrl}/sandbox/tpps`, {
    json: {
      name: 'FAPI',
      redirectUris: [redirectUri],
      roles: ['PSP_AI', 'PSP_PI', 'PSP_IC'],
      ...metadata,
    },
  });
/** Discovers the server with a key of the client. `change`: claims to override; `ahead`: clock lead in seconds. */
const discover = async (
  change: (claims: Claims) => void = () => undefined,
  { id = clientId, by = key, ahead = 0 } = {},
): Promise<client.Configuration> =>
  client.discovery(
    new URL(world.baseUrl),
    id,
    { [client.clockSkew]: ahead },
    client.PrivateKeyJwt(
      { key: by, kid: 'one' },
      { [client.modifyAssertion]: (_header, claims) => change(claims as Claims) },
    ),
    { algorithm: 'oauth2', execute: [client.allowInsecureRequests] },
  );
const refusal = async (request: Promise<unknown>): Promise<string | undefined> => {
  const error: unknown = await request.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error instanceof client.ResponseBodyError || error instanceof client.AuthorizationResponseError)
    return error.error;
  if (error instanceof client.WWWAuthenticateChallengeError) return String(error.status);
  return error === undefined ? undefined : String(error);
};
const seconds = (): number => Math.floor(Date.now() / 1000);

interface Pushed {
  readonly url: URL;
  readonly checks: client.AuthorizationCodeGrantChecks;
}
const push = async (change: Readonly<Record<string, string | undefined>> = {}): Promise<Pushed> => {
  const pkceCodeVerifier = client.randomPKCECodeVerifier();
  const expectedState = client.randomState();
  const asked = {
    redirect_uri: redirectUri,
    scope: 'PSP_IC',
    state: expectedState,
    code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: 'S256',
    ...change,
  };
  const sent = Object.entries(asked).filter((pair): pair is [string, string] => pair[1] !== undefined);
  const url = await client.buildAuthorizationUrlWithPAR(config, new URLSearchParams(sent), { DPoP: dpop });
  return { url, checks: { pkceCodeVerifier, expectedState } };
};
const approve = async ({ url }: Pushed): Promise<URL> => {
  const browser = world.browser();
  await walkAndApprove(browser, url.href, psu);
  return new URL(browser.leftTo ?? 'https://nowhere.invalid');
};
const redeem = async (pushed: Pushed, back: URL, handle = dpop): Promise<client.TokenEndpointResponse> =>
  client.authorizationCodeGrant(config, back, pushed.checks, undefined, { DPoP: handle });
const granted = async (): Promise<client.TokenEndpointResponse> => {
  const pushed = await push();
  return redeem(pushed, await approve(pushed));
};
const api = async (
  token: string,
  method: string,
  path: string,
  body?: string,
  handle = dpop,
): Promise<Response> =>
  client.fetchProtectedResource(
    config,
    token,
    new URL(path, world.baseUrl),
    method,
    body,
    new Headers(body === undefined ? {} : { 'content-type': 'application/json' }),
    { DPoP: handle },
  );
const application = async (): Promise<string> =>
  (await client.clientCredentialsGrant(config, { scope: 'PSP_AI' }, { DPoP: dpop })).access_token;

beforeAll(async () => {
  world = await World.start({ auth: { AUTH_PROFILE: 'fapi2' }, gateway: { AUTH_PROFILE: 'fapi2' } });
  const pair = await client.randomDPoPKeyPair('ES256');
  key = pair.privateKey;
  const { kty, crv, x, y } = await crypto.subtle.exportKey('jwk', pair.publicKey);
  const jwks = { keys: [{ kty, crv, x, y, kid: 'one' }] };
  const registered = await register({ tokenEndpointAuthMethod: 'private_key_jwt', jwks });
  clientId = parseJson<{ clientId: string }>(registered).clientId;
  config = await discover();
  dpopKeys = await client.randomDPoPKeyPair('ES256');
  dpop = client.getDPoPHandle(config, dpopKeys);
  const accounts = [{ currency: 'BGN', opening: '1000.00' }];
  const answer = await api(await application(), 'POST', '/sandbox/psus', JSON.stringify({ accounts }));
  psu = (await answer.json()) as FreshPsu;
});
afterAll(async () => world.stop());

describe('FAPI 2.0 Security Profile Final, 5.3.2.1: requirements for every authorization server (contract 4)', () => {
  it('1: publishes metadata that matches the requirements', () => {
    expect(config.serverMetadata()).toMatchObject({
      issuer: world.baseUrl,
      require_pushed_authorization_requests: true,
      token_endpoint_auth_methods_supported: ['private_key_jwt', 'tls_client_auth'],
      revocation_endpoint_auth_methods_supported: ['private_key_jwt', 'tls_client_auth'],
      token_endpoint_auth_signing_alg_values_supported: ['PS256', 'ES256'],
      code_challenge_methods_supported: ['S256'],
      dpop_signing_alg_values_supported: ['ES256', 'PS256'],
      tls_client_certificate_bound_access_tokens: true,
      authorization_response_iss_parameter_supported: true,
    });
  });

  it('2: does not support the password grant', async () => {
    const grant = client.genericGrantRequest(
      config,
      'password',
      { username: psu.psuId, password: psu.password },
      { DPoP: dpop },
    );
    expect(await refusal(grant)).toBe('unsupported_grant_type');
  });

  it('3, 6: accepts only confidential clients, with private_key_jwt or tls_client_auth', async () => {
    for (const method of ['none', 'client_secret_basic', 'client_secret_post', undefined]) {
      const answer = await register({ tokenEndpointAuthMethod: method });
      expect([method, answer.status, answer.text.includes('tokenEndpointAuthMethod')]).toEqual([
        method,
        400,
        true,
      ]);
    }
    // A TPP in the fixtures that is registered with a secret.
    const bySecret = await send('POST', `${world.baseUrl}/oauth2/token`, {
      form: new URLSearchParams({ grant_type: 'client_credentials', scope: 'PSP_AI' }),
      headers: { authorization: `Basic ${btoa('sandbox-tpp:sandbox-tpp-secret')}` },
    });
    expect([bySecret.status, parseJson(bySecret)['error']]).toEqual([401, 'invalid_client']);
  });

  it('4, 5: issues only access tokens bound to a key (DPoP) or a certificate (mTLS)', async () => {
    expect(await refusal(client.clientCredentialsGrant(config, { scope: 'PSP_AI' }))).toBe('invalid_grant');
    const bound = await client.clientCredentialsGrant(config, { scope: 'PSP_AI' }, { DPoP: dpop });
    expect(bound.token_type).toBe('dpop');
    const layout = makeLayout(world.sandbox.dataDir);
    const { certificate } = issueTestQwac(
      {
        name: 'FAPI',
        organizationIdentifier: 'PSDBG-BNB-FAPI2',
        roles: ['PSP_AI', 'PSP_PI', 'PSP_IC'],
        days: 1,
      },
      testAuthority(layout),
      Date.now(),
    );
    const byCertificate = parseJson<{ clientId: string }>(
      await register({ tokenEndpointAuthMethod: 'tls_client_auth', certificate }),
    );
    const ask = async (headers: Record<string, string>): Promise<Answer> =>
      send('POST', `${world.baseUrl}/oauth2/token`, {
        form: new URLSearchParams({ grant_type: 'client_credentials', client_id: byCertificate.clientId }),
        headers,
      });
    const answer = await ask({
      'x-proxy-secret': secretIn(layout.secret('proxy-secret')),
      'x-ssl-client-cert': encodeURIComponent(certificate),
    });
    const [, claims = ''] = String(parseJson(answer)['access_token']).split('.');
    expect(JSON.parse(Buffer.from(claims, 'base64url').toString())).toHaveProperty(['cnf', 'x5t#S256']);
    expect((await ask({})).status).toBe(401);
  });

  it('7: is not an open redirector', async () => {
    expect(await refusal(push({ redirect_uri: 'https://evil.example/' }))).toBe('invalid_request');
    const query = new URLSearchParams({
      client_id: clientId,
      redirect_uri: 'https://evil.example/',
      request_uri: 'urn:ietf:params:oauth:request_uri:none',
    });
    const answer = await send('GET', `${world.baseUrl}/oauth2/authorize?${query}`);
    expect([answer.status, answer.headers.get('location')]).toEqual([400, null]);
  });

  it('8: accepts only its own issuer, as a string, as the audience of an assertion', async () => {
    const { baseUrl } = world;
    for (const aud of [[baseUrl], `${baseUrl}/oauth2/token`, `${baseUrl}/oauth2/par`, `${baseUrl}/`]) {
      const other = await discover((claims) => Object.assign(claims, { aud }));
      expect(await refusal(client.clientCredentialsGrant(other, {}, { DPoP: dpop }))).toBe('invalid_client');
    }
  });

  it('9: does not rotate refresh tokens', async () => {
    const { refresh_token: token = '' } = await granted();
    for (let use = 0; use < 3; use += 1) {
      const refreshed = await client.refreshTokenGrant(config, token, undefined, { DPoP: dpop });
      expect(refreshed.refresh_token).toBe(token);
      expect(Number(refreshed['refresh_token_expires_in'])).toBeLessThanOrEqual(86_400);
      expect((await api(refreshed.access_token, 'POST', '/v1/funds-confirmations', funds)).status).toBe(200);
    }
    await client.tokenRevocation(config, token);
    expect(await refusal(client.refreshTokenGrant(config, token, undefined, { DPoP: dpop }))).toBe(
      'invalid_grant',
    );
  });

  it('12: binds an authorization code to the DPoP key in its request', async () => {
    const pushed = await push();
    const back = await approve(pushed);
    const thief = client.getDPoPHandle(config, await client.randomDPoPKeyPair('ES256'));
    expect(await refusal(redeem(pushed, back, thief))).toBe('invalid_grant');
    expect((await redeem(pushed, back)).token_type).toBe('dpop');
  });

  it('13: accepts iat and nbf up to 10 s ahead, and refuses them more than 60 s ahead', async () => {
    for (const [ahead, error] of [
      [10, undefined],
      [70, 'invalid_client'],
    ] as const)
      for (const name of ['iat', 'nbf']) {
        const hasty = await discover((claims) => Object.assign(claims, { [name]: seconds() + ahead }));
        const grant = client.clientCredentialsGrant(hasty, {}, { DPoP: dpop });
        expect([name, ahead, await refusal(grant)]).toEqual([name, ahead, error]);
      }
  });
});

describe('FAPI 2.0 Security Profile Final, 5.3.2.2: the authorization code flow (contract 4)', () => {
  it('1, 2, 7: accepts a pushed request, and issues a code with iss and tokens', async () => {
    const pushed = await push();
    const back = await approve(pushed);
    expect(back.searchParams.get('iss')).toBe(world.baseUrl);
    const tokens = await redeem(pushed, back);
    expect((await api(tokens.access_token, 'POST', '/v1/funds-confirmations', funds)).status).toBe(200);
  });

  it('3: refuses an authorization request that was not pushed', async () => {
    const url = client.buildAuthorizationUrl(config, {
      redirect_uri: redirectUri,
      scope: 'PSP_IC',
      code_challenge: await client.calculatePKCECodeChallenge(client.randomPKCECodeVerifier()),
      code_challenge_method: 'S256',
    });
    const { headers } = await send('GET', url.href);
    expect(new URL(headers.get('location') ?? '').searchParams.get('error')).toBe('invalid_request');
  });

  it('4: refuses a pushed request without client authentication', async () => {
    const form = new URLSearchParams({
      response_type: 'code',
      client_id: clientId,
      redirect_uri: redirectUri,
    });
    const answer = await send('POST', `${world.baseUrl}/oauth2/par`, { form });
    expect([answer.status, parseJson(answer)['error']]).toEqual([401, 'invalid_client']);
  });

  it('5: requires PKCE with S256', async () => {
    for (const change of [
      { code_challenge: undefined, code_challenge_method: undefined },
      { code_challenge_method: 'plain' },
      { code_challenge_method: undefined },
    ])
      expect(await refusal(push(change))).toBe('invalid_request');
  });

  it('6: requires redirect_uri in a pushed request', async () => {
    expect(await refusal(push({ redirect_uri: undefined }))).toBe('invalid_request');
  });

  it('8: accepts an http redirect URI only for a native client on its own machine', async () => {
    const keys = await register({
      tokenEndpointAuthMethod: 'private_key_jwt',
      jwks: {
        keys: [await crypto.subtle.exportKey('jwk', (await client.randomDPoPKeyPair('ES256')).publicKey)],
      },
      redirectUris: ['http://tpp.example/callback'],
    });
    expect([keys.status, keys.text.includes('redirectUris')]).toEqual([400, true]);
  });

  it('9: refuses a used code', async () => {
    const pushed = await push();
    const back = await approve(pushed);
    await redeem(pushed, back);
    expect(await refusal(redeem(pushed, back))).toBe('invalid_grant');
  });

  it('10, 11: redirects with 303', async () => {
    const { url } = await push();
    const answer = await send('GET', url.href);
    expect([answer.status, answer.headers.get('location')]).toEqual([
      303,
      expect.stringContaining('/sca/authorize/'),
    ]);
  });

  it('12: limits the lifetime of a request_uri to less than 600 s; it is used up by the decision, not by loading the page', async () => {
    let lives = Number.NaN;
    config[client.customFetch] = async (url, options) => {
      const response = await fetch(url, options as RequestInit);
      lives = ((await response.clone().json()) as { expires_in: number }).expires_in;
      return response;
    };
    const pushed = await push();
    config[client.customFetch] = async (url, options) => fetch(url, options as RequestInit);
    expect(lives).toBeLessThan(600);
    for (let load = 0; load < 3; load += 1) expect((await send('GET', pushed.url.href)).status).toBe(303);
    await approve(pushed);
    expect((await send('GET', pushed.url.href)).status).toBe(400);
  });
});

describe('FAPI 2.0 Security Profile Final, 5.3.4: the resource server (contract 4)', () => {
  const bare = async (path: string, headers: Record<string, string> = {}): Promise<number> =>
    (await send('GET', `${world.baseUrl}${path}`, { headers })).status;

  it('1, 2: accepts tokens in the header but not in the query', async () => {
    const token = await application();
    expect((await api(token, 'GET', '/v1/consents')).status).toBe(200);
    expect(await bare(`/v1/consents?access_token=${token}`)).toBe(401);
  });

  it('3, 4: checks validity, revocation and scope', async () => {
    const token = await application();
    expect(await refusal(api(`${token}x`, 'GET', '/v1/consents'))).toBe('401');
    expect(await refusal(api(token, 'POST', '/v1/funds-confirmations', funds))).toBe('401');
    await client.tokenRevocation(config, token);
    expect(await refusal(api(token, 'GET', '/v1/consents'))).toBe('401');
  });

  it('5: accepts a token only from its holder', async () => {
    const token = await application();
    expect(await bare('/v1/consents', { authorization: `Bearer ${token}` })).toBe(401);
    expect(await bare('/v1/consents', { authorization: `DPoP ${token}` })).toBe(401);
    const thief = client.getDPoPHandle(config, await client.randomDPoPKeyPair('ES256'));
    expect(await refusal(api(token, 'GET', '/v1/consents', undefined, thief))).toBe('401');
  });
});

describe('FAPI 2.0 Security Profile Final, 5.4 and code lifetime', () => {
  it('5.4.1: refuses an assertion with an algorithm other than PS256 and ES256', async () => {
    const pair = await crypto.subtle.generateKey(
      {
        name: 'RSASSA-PKCS1-v1_5',
        modulusLength: 2048,
        publicExponent: Uint8Array.of(1, 0, 1),
        hash: 'SHA-256',
      },
      true,
      ['sign', 'verify'],
    );
    const { kty, n, e } = await crypto.subtle.exportKey('jwk', pair.publicKey);
    const registered = await register({
      tokenEndpointAuthMethod: 'private_key_jwt',
      jwks: { keys: [{ kty, n, e, kid: 'one' }] },
    });
    const { clientId: id } = parseJson<{ clientId: string }>(registered);
    const other = await discover(undefined, { id, by: pair.privateKey });
    expect(await refusal(client.clientCredentialsGrant(other, {}, { DPoP: dpop }))).toBe('invalid_client');
  });

  it('5.3.2.1, 11: limits the lifetime of a code to 60 s', async () => {
    const pushed = await push();
    const back = await approve(pushed);
    const advanced = await api(
      await application(),
      'POST',
      '/sandbox/clock',
      JSON.stringify({ advance: 'PT61S' }),
    );
    expect(advanced.status).toBe(200);
    config = await discover(undefined, { ahead: 61 });
    expect(await refusal(redeem(pushed, back, client.getDPoPHandle(config, dpopKeys)))).toBe('invalid_grant');
  });
});
