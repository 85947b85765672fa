import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { clientCertValue } from '@xs2a/qwac/certificate-header';
import type { Issued } from '@xs2a/qwac/issue-certificate';
import type { PspRole } from '@xs2a/qwac/psp-roles';
import { issueTestQwac, newSandboxAuthority } from '@xs2a/qwac/sandbox-authority';
import { parseJson, send } from '@xs2a/tpp-client/http';
import { makeLayout, secretIn } from '@xs2a/sandbox/layout';
import { walkAndApprove } from '@xs2a/tpp-client/psu-walk';
import { testAuthority } from '@xs2a/sandbox/tpp/test-authority';
import { X509Certificate } from 'node:crypto';
import * as client from 'openid-client';
import { consentBody, dayFrom, sandboxNow } from '@xs2a/test-support/requests';
import { type Asked, proxyName, TlsProxy } from '@xs2a/test-support/tls-proxy';
import type { FreshPsu } from '@xs2a/test-support/sandbox-tpp';
import { World } from '@xs2a/test-support/world';

const redirectUri = 'https://tpp.example/callback';
const all: readonly PspRole[] = ['PSP_AI', 'PSP_PI', 'PSP_IC'];
const organizationIdentifier = 'PSDBG-BNB-MTLS1';
const counts: string[] = [];
let world: World;
let psu: FreshPsu;
let authority: Issued;
let proxy: TlsProxy;
let clientId: string;
let own: Issued;

const qwac = (changes: object = {}, signer = authority): Issued =>
  issueTestQwac(
    { name: 'Certified', organizationIdentifier, roles: all, days: 30, ...changes },
    signer,
    Date.now(),
  );
type Registered = Readonly<{ clientId: string; clientSecret?: string }>;
const register = async (metadata: Readonly<Record<string, unknown>> = {}): Promise<Registered> => {
  const json = {
    name: 'Certified',
    redirectUris: [redirectUri],
    roles: all,
    tokenEndpointAuthMethod: 'tls_client_auth',
    organizationIdentifier,
    ...metadata,
  };
  return parseJson<Registered>(await send('POST', `${world.baseUrl}/sandbox/tpps`, { json }));
};

beforeAll(async () => {
  world = await World.start();
  const layout = makeLayout(world.sandbox.dataDir);
  authority = testAuthority(layout);
  proxy = await TlsProxy.start({
    gateway: world.baseUrl,
    secret: secretIn(layout.secret('proxy-secret')),
    identity: qwac({ name: proxyName }),
    authority: authority.certificate,
  });
  psu = await world.person('1000.00');
  own = qwac();
  ({ clientId } = await register({ certificate: own.certificate }));
});
afterAll(async () => {
  await proxy?.stop();
  await world?.stop();
  process.stderr.write(`counts, mutual TLS: ${counts.join(' · ')}\n`);
});

/**
 * Creates the configuration that a TPP developer writes: everything except the client certificate comes from
 * discovery.
 */
const configuration = async (identity: Issued | undefined, id = clientId): Promise<client.Configuration> =>
  client.discovery(new URL(world.baseUrl), id, undefined, client.TlsClientAuth(), {
    algorithm: 'oauth2',
    execute: [client.allowInsecureRequests],
    [client.customFetch]: proxy.fetchAs(identity),
  });
/** For example `200`, `401 TOKEN_INVALID` or `401 invalid_client`. */
const outcome = async (response: Response): Promise<string> => {
  const text = await response.text();
  const code = /"(?:code|error)":"(\w+)"/.exec(text)?.[1];
  return response.status < 300 ? String(response.status) : `${response.status} ${code}`;
};
const asForm = (fields: Readonly<Record<string, string>>): Asked => ({
  method: 'POST',
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
  body: new URLSearchParams(fields).toString(),
});
const applicationToken = async (identity = own, scope = 'PSP_AI PSP_PI'): Promise<string> =>
  (await client.clientCredentialsGrant(await configuration(identity), { scope })).access_token;
const call = async (
  token: string,
  identity: Issued | undefined,
  headers: Readonly<Record<string, string>> = {},
): Promise<string> =>
  outcome(
    await proxy.fetchAs(identity)(`${world.baseUrl}/sandbox/clock`, {
      headers: { authorization: `Bearer ${token}`, ...headers },
    }),
  );
/** Obtains the PSU's grant: consent, pushed request, pages, code. */
const authorize = async (config: client.Configuration): Promise<client.TokenEndpointResponse> => {
  const application = await client.clientCredentialsGrant(config, { scope: 'PSP_AI' });
  const body = consentBody([psu.accounts[0]?.iban ?? ''], dayFrom(await sandboxNow(world), 30));
  const answer = await client.fetchProtectedResource(
    config,
    application.access_token,
    new URL('/v1/consents', world.baseUrl),
    'POST',
    JSON.stringify(body),
    new Headers({ 'content-type': 'application/json', 'psu-id': psu.psuId }),
  );
  const { consentId } = (await answer.json()) as { consentId: string };
  const pkceCodeVerifier = client.randomPKCECodeVerifier();
  const url = await client.buildAuthorizationUrlWithPAR(config, {
    redirect_uri: redirectUri,
    scope: 'PSP_AI',
    consentId,
    code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: 'S256',
  });
  const browser = world.browser();
  await walkAndApprove(browser, url.href, psu);
  const back = new URL(browser.leftTo ?? 'https://nowhere.invalid');
  return client.authorizationCodeGrant(config, back, { pkceCodeVerifier });
};
const catchError = async (request: Promise<unknown>): Promise<string | undefined> =>
  request.then(
    () => undefined,
    (reason: unknown) => (reason instanceof client.ResponseBodyError ? reason.error : String(reason)),
  );
const readClaims = (token: string): Readonly<Record<string, unknown>> =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as Record<string, unknown>;
const computeThumbprint = ({ certificate }: Issued): string =>
  Buffer.from(new X509Certificate(certificate).fingerprint256.replaceAll(':', ''), 'hex').toString(
    'base64url',
  );

describe('a TPP that authenticates with its QWAC over mutual TLS (RFC 8705; contract 4)', () => {
  it('discovers tls_client_auth and certificate-bound tokens (RFC 8414)', async () => {
    const { token_endpoint_auth_methods_supported: methods, ...metadata } = (
      await configuration(own)
    ).serverMetadata();
    expect(methods).toContain('tls_client_auth');
    expect(metadata['revocation_endpoint_auth_methods_supported']).toEqual(methods);
    expect(metadata['tls_client_certificate_bound_access_tokens']).toBe(true);
  });

  it('gets tokens for every grant type with openid-client, bound to its certificate, and revokes them', async () => {
    const config = await configuration(own);
    const tokens = await authorize(config);
    expect(readClaims(tokens.access_token)['cnf']).toEqual({ 'x5t#S256': computeThumbprint(own) });
    const accounts = new URL('/v1/accounts', world.baseUrl);
    const statusWith = async (token: string): Promise<number> =>
      (await client.fetchProtectedResource(config, token, accounts, 'GET')).status;
    expect(await statusWith(tokens.access_token)).toBe(200);
    const refreshed = await client.refreshTokenGrant(config, tokens.refresh_token ?? '');
    expect(readClaims(refreshed.access_token)['cnf']).toEqual({ 'x5t#S256': computeThumbprint(own) });
    expect(await statusWith(refreshed.access_token)).toBe(200);
    await client.tokenRevocation(config, refreshed.refresh_token ?? '');
    expect(await catchError(client.refreshTokenGrant(config, refreshed.refresh_token ?? ''))).toBe(
      'invalid_grant',
    );
  });

  it('keeps its grants after a certificate renewal: refresh tokens belong to the TPP, access tokens to the certificate', async () => {
    const { refresh_token: refresh = '' } = await authorize(await configuration(own));
    const renewed = qwac();
    const refreshed = await client.refreshTokenGrant(await configuration(renewed), refresh);
    expect(readClaims(refreshed.access_token)['cnf']).toEqual({ 'x5t#S256': computeThumbprint(renewed) });
    expect(await call(await applicationToken(renewed), renewed)).toBe('200');
    expect(await call(await applicationToken(renewed), own)).toBe('401 TOKEN_INVALID');
  });

  it('gets no scope for which its certificate lacks the role', async () => {
    const lesser = await configuration(qwac({ roles: ['PSP_AI'] }));
    expect((await client.clientCredentialsGrant(lesser)).scope).toBe('PSP_AI');
    expect(await catchError(client.clientCredentialsGrant(lesser, { scope: 'PSP_PI' }))).toBe(
      'invalid_scope',
    );
    const pushed = client.buildAuthorizationUrlWithPAR(lesser, {
      redirect_uri: redirectUri,
      scope: 'PSP_IC',
    });
    expect(await catchError(pushed)).toBe('invalid_scope');
    const { refresh_token: refresh = '' } = await authorize(await configuration(own));
    const without = await configuration(qwac({ roles: ['PSP_PI'] }));
    expect(await catchError(client.refreshTokenGrant(without, refresh))).toBe('invalid_scope');
    expect(await catchError(client.refreshTokenGrant(await configuration(own), refresh))).toBeUndefined();
  });
});

describe('an access token bound to a certificate (RFC 8705, 3)', () => {
  it('is useless without that certificate or with another one', async () => {
    const token = await applicationToken();
    const stranger = qwac({ organizationIdentifier: 'PSDBG-BNB-THIEF' });
    const forged = {
      'x-ssl-client-cert': encodeURIComponent(own.certificate),
      'client-cert': clientCertValue(new X509Certificate(own.certificate).raw),
    };
    const direct = async (headers: Readonly<Record<string, string>>): Promise<string> => {
      const answer = await fetch(`${world.baseUrl}/sandbox/clock`, {
        headers: { authorization: `Bearer ${token}`, ...headers },
      });
      return outcome(answer);
    };
    const thefts: Readonly<Record<string, () => Promise<string>>> = {
      'no certificate': async () => call(token, undefined),
      'another of the same TPP': async () => call(token, qwac()),
      'that of another TPP': async () => call(token, stranger),
      'past the proxy': async () => direct({}),
      'past the proxy, with its headers': async () => direct(forged),
      'past the proxy, with a wrong secret': async () =>
        direct({ ...forged, 'x-proxy-secret': 'x'.repeat(43) }),
      'headers through the proxy': async () => call(token, undefined, { ...forged, 'x-proxy-secret': 'x' }),
      'headers together with another certificate': async () => call(token, stranger, forged),
    };
    expect(await call(token, own)).toBe('200');
    for (const [name, steal] of Object.entries(thefts))
      expect([name, await steal()]).toEqual([name, '401 TOKEN_INVALID']);
    expect(await call(token, qwac({}, newSandboxAuthority(Date.now())))).toBe('401 CERTIFICATE_INVALID');
    expect(await call(token, qwac({ days: -1 / 48 }))).toBe('401 CERTIFICATE_EXPIRED');
    expect(await call(token, own)).toBe('200');
    counts.push(`${Object.keys(thefts).length + 2} uses of a stolen bound token refused`);
  });
});

describe('forged client authentication at the token endpoint, PAR and revocation', () => {
  it('is refused with invalid_client, and nothing is revoked', async () => {
    const token = await applicationToken();
    const bySecret = await register({ tokenEndpointAuthMethod: 'client_secret_post' });
    const uncertified = await register({
      tokenEndpointAuthMethod: 'client_secret_post',
      organizationIdentifier: undefined,
    });
    const blocked = await register();
    const { status } = await world
      .tpp()
      .call('PATCH', `/sandbox/tpps/${blocked.clientId}`, await world.tpp().applicationToken(), {
        json: { status: 'blocked' },
      });
    expect(status).toBe(200);
    const stranger = qwac({ organizationIdentifier: 'PSDBG-BNB-THIEF' });
    const good = { client_id: clientId };
    const getSecret = ({ clientId: id, clientSecret = '' }: Registered): Record<string, string> => ({
      client_id: id,
      client_secret: clientSecret,
    });
    const forged = {
      'x-ssl-client-cert': encodeURIComponent(own.certificate),
      'client-cert': clientCertValue(new X509Certificate(own.certificate).raw),
    };
    const basic = { authorization: `Basic ${btoa(`${clientId}:secret`)}` };
    const through =
      (identity: Issued | undefined, fields: Readonly<Record<string, string>>, headers = {}) =>
      async (url: string, form: Readonly<Record<string, string>>): Promise<string> => {
        const asked = asForm({ ...form, ...fields });
        return outcome(
          await proxy.fetchAs(identity)(url, { ...asked, headers: { ...asked.headers, ...headers } }),
        );
      };
    const past =
      (headers: Readonly<Record<string, string>>) =>
      async (url: string, form: Readonly<Record<string, string>>): Promise<string> => {
        const body = new URLSearchParams({ ...form, ...good });
        return outcome(await fetch(url, { method: 'POST', headers, body }));
      };
    const forgeries: Readonly<Record<string, ReturnType<typeof through>>> = {
      'no certificate': through(undefined, good),
      'that of another TPP': through(stranger, good),
      'of an authority that is not trusted': through(qwac({}, newSandboxAuthority(Date.now())), good),
      'one that signed itself': through(newSandboxAuthority(Date.now()), good),
      'that of the authority': through(authority, good),
      'one that has expired': through(qwac({ days: -1 / 48 }), good),
      'a header past the proxy': past(forged),
      'a header past the proxy, with a wrong secret': past({ ...forged, 'x-proxy-secret': 'x'.repeat(43) }),
      'a header through the proxy': through(undefined, good, { ...forged, 'x-proxy-secret': 'x' }),
      'a header together with another certificate': through(stranger, good, forged),
      'of a blocked TPP': through(own, { client_id: blocked.clientId }),
      'of a TPP registered for a secret, without it': through(own, { client_id: bySecret.clientId }),
      'a TPP that is not known': through(own, { client_id: 'tpp-nobody' }),
      'another TPP’s with a correct secret': through(stranger, getSecret(bySecret)),
      'one of a TPP that registered none, with a correct secret': through(own, getSecret(uncertified)),
      'an untrusted one with a correct secret': through(
        qwac({}, newSandboxAuthority(Date.now())),
        getSecret(bySecret),
      ),
      'a secret in the form too': through(own, { ...good, client_secret: 'secret' }),
      'a secret in the header too': through(own, good, basic),
      'a secret in the place of the certificate': through(undefined, good, basic),
    };
    const forms: Readonly<Record<string, Readonly<Record<string, string>>>> = {
      '/oauth2/token': { grant_type: 'client_credentials', scope: 'PSP_AI' },
      '/oauth2/par': { response_type: 'code', redirect_uri: redirectUri, scope: 'PSP_IC' },
      '/oauth2/revoke': { token },
    };
    for (const [path, form] of Object.entries(forms))
      for (const [name, sendForged] of Object.entries(forgeries))
        expect([path, name, await sendForged(`${world.baseUrl}${path}`, form)]).toEqual([
          path,
          name,
          '401 invalid_client',
        ]);
    expect(await call(token, own)).toBe('200');
    expect(
      await through(own, getSecret(bySecret))(`${world.baseUrl}/oauth2/token`, forms['/oauth2/token'] ?? {}),
    ).toBe('200');
    for (const [path, form] of Object.entries(forms))
      expect(await through(own, good)(`${world.baseUrl}${path}`, form)).toMatch(/^20[01]$/);
    expect(await call(token, own)).toBe('401 TOKEN_INVALID');
    counts.push(
      `${Object.keys(forgeries).length * Object.keys(forms).length} forged proofs of a TPP refused, at 3 endpoints`,
    );
  });

  it('is refused if it uses two token bindings at once, and other invalid requests get a 4xx, not a 5xx', async () => {
    const config = await configuration(own);
    const dpop = client.getDPoPHandle(config, await client.randomDPoPKeyPair('ES256'));
    expect(await catchError(client.clientCredentialsGrant(config, { scope: 'PSP_AI' }, { DPoP: dpop }))).toBe(
      'invalid_request',
    );
    expect(await catchError(client.clientCredentialsGrant(config, { scope: 'PSP_AI PSP_XX' }))).toBe(
      'invalid_scope',
    );
  });
});

describe('a certificate that expires according to the service clock', () => {
  it('is refused from that moment at the token endpoint, as are its tokens; a new certificate is accepted', async () => {
    const refresh = (await authorize(await configuration(own))).refresh_token ?? '';
    const short = qwac({ days: 1 / 24 });
    expect(await catchError(client.clientCredentialsGrant(await configuration(short)))).toBeUndefined();
    const token = await applicationToken(short);
    await world.advance('PT61M');
    expect(await catchError(client.clientCredentialsGrant(await configuration(short)))).toBe(
      'invalid_client',
    );
    expect(await call(token, short)).toBe('401 TOKEN_EXPIRED');
    expect(await catchError(client.refreshTokenGrant(await configuration(short), refresh))).toBe(
      'invalid_client',
    );
    expect(await catchError(client.refreshTokenGrant(await configuration(own), refresh))).toBeUndefined();
  });
});
