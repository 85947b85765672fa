import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { clientCertValue } from '@xs2a/qwac/certificate-header';
import type { PspRole } from '@xs2a/qwac/psp-roles';
import { issueTestQwac, newSandboxAuthority, type TestQwac } from '@xs2a/qwac/sandbox-authority';
import { createHash, randomUUID, X509Certificate } from 'node:crypto';
import { readCode, GatewayUnderTest, paymentId, product } from '../../testing/gateway-under-test.js';
import { certificateCheck } from './certificate-check.js';

const now = Date.now();
const authority = newSandboxAuthority(now);
const secret = 'a proxy secret of more than thirty-two characters';
const settings = {
  CLIENT_CERTIFICATE_HEADER: 'X-SSL-Client-Cert',
  CLIENT_CERTIFICATE_FORM: 'escaped-pem',
  PROXY_SECRET: secret,
  TRUST_ANCHORS: authority.certificate,
} as const;
const gateway = new GatewayUnderTest({ ...settings, CLIENT_CERTIFICATES: 'required' });
beforeAll(async () => gateway.start(), 30_000);
afterAll(async () => gateway.stop());
beforeEach(() => gateway.reset());

const status = `/v1/payments/${product}/${paymentId}/status`;
const all: readonly PspRole[] = ['PSP_AI', 'PSP_PI', 'PSP_IC'];
const pemFor = (changes: Partial<TestQwac> = {}, signer = authority): string => {
  const wanted = {
    name: 'Certified',
    organizationIdentifier: 'PSDBG-BNB-1',
    roles: all,
    days: 30,
    ...changes,
  };
  return issueTestQwac(wanted, signer, now).certificate;
};
const escaped = encodeURIComponent(pemFor());
const fromProxy = { 'x-proxy-secret': secret };
const bearer = async (clientId = 'certified'): Promise<string> => gateway.token({ client_id: clientId });
/** The error code that the certified TPP gets for a call with these headers. */
const codeWith = async (headers: Record<string, string>, clientId?: string): Promise<string> =>
  readCode(await gateway.call('GET', status, { bearer: await bearer(clientId), headers }));
const showing = async (pem: string, clientId?: string): Promise<string> =>
  codeWith({ ...fromProxy, 'x-ssl-client-cert': encodeURIComponent(pem) }, clientId);

describe('a certificate forwarded by the proxy of the bank', () => {
  it('must match the registration of the TPP named in the token: its organizationIdentifier, and its role for the call', async () => {
    expect(await showing(pemFor())).toBe('200');
    expect(await showing(pemFor({ roles: ['PSP_PI', 'PSP_AS'] }))).toBe('200');
    expect(await showing(pemFor({ roles: ['PSP_AI', 'PSP_AS'] }))).toBe('401 ROLE_INVALID');
    expect(await showing(pemFor({ organizationIdentifier: 'PSDBG-BNB-2' }))).toBe('401 CERTIFICATE_INVALID');
    expect(await showing(pemFor(), 'tpp')).toBe('401 CERTIFICATE_INVALID');
  });

  it('leads to a separate 401 code for each problem: missing, from another authority, expired', async () => {
    expect(await codeWith(fromProxy)).toBe('401 CERTIFICATE_MISSING');
    expect(await codeWith({ ...fromProxy, 'x-ssl-client-cert': '' })).toBe('401 CERTIFICATE_MISSING');
    expect(await codeWith({ ...fromProxy, 'x-ssl-client-cert': 'nonsense' })).toBe('401 CERTIFICATE_INVALID');
    expect(await showing(pemFor({}, newSandboxAuthority(now)))).toBe('401 CERTIFICATE_INVALID');
    expect(await showing(pemFor({ days: -1 / 48 }))).toBe('401 CERTIFICATE_EXPIRED');
  });

  it('is checked after the token, the blocked status, the role and the scope (contract 3)', async () => {
    const none = async (claims: Record<string, unknown>): Promise<string> =>
      readCode(
        await gateway.call('GET', status, { bearer: await gateway.token(claims), headers: fromProxy }),
      );
    expect(readCode(await gateway.call('GET', status, { headers: fromProxy }))).toBe('401 TOKEN_UNKNOWN');
    expect(await none({ client_id: 'barred' })).toBe('401 CERTIFICATE_BLOCKED');
    expect(await none({ client_id: 'ai-only' })).toBe('401 ROLE_INVALID');
    expect(await none({ client_id: 'certified', scope: 'PSP_AI' })).toBe('401 TOKEN_INVALID');
    expect(await none({ client_id: 'certified' })).toBe('401 CERTIFICATE_MISSING');
    const body = '{}';
    const headers = { ...fromProxy, accept: 'text/html', 'content-type': 'text/plain' };
    expect(
      readCode(await gateway.call('POST', `/payments/${product}`, { bearer: await bearer(), headers, body })),
    ).toBe('401 CERTIFICATE_MISSING');
  });

  it('reaches the authorization server as Client-Cert (RFC 9440) only if it is valid', async () => {
    const seen = async (headers: Record<string, string>): Promise<unknown> =>
      Reflect.get(
        Object((await gateway.call('GET', '/oauth2/authorize', { headers })).body['headers']),
        'client-cert',
      );
    const pem = pemFor();
    const good = { ...fromProxy, 'x-ssl-client-cert': encodeURIComponent(pem) };
    expect(await seen(good)).toBe(clientCertValue(new X509Certificate(pem).raw));
    expect(await seen({ ...good, 'x-proxy-secret': 'no' })).toBeUndefined();
    expect(await seen({ ...good, 'x-ssl-client-cert': 'nonsense' })).toBeUndefined();
    expect(await seen({ ...good, 'client-cert': ':AAAA:' })).toBe(
      clientCertValue(new X509Certificate(pem).raw),
    );
  });

  it('is required of every client that posts to the authorization server (otherwise invalid_client), but not of the browser of a PSU', async () => {
    const post = async (path: string, headers: Record<string, string>): Promise<string> => {
      const { status: answered, body } = await gateway.call('POST', path, { headers });
      return `${answered} ${String(body['error'] ?? '')}`.trim();
    };
    const good = { ...fromProxy, 'x-ssl-client-cert': escaped };
    const bad: readonly Record<string, string>[] = [
      {},
      fromProxy,
      { ...good, 'x-proxy-secret': 'no' },
      { ...fromProxy, 'x-ssl-client-cert': 'nonsense' },
      { ...fromProxy, 'x-ssl-client-cert': encodeURIComponent(pemFor({ days: -1 / 48 })) },
      { ...fromProxy, 'x-ssl-client-cert': encodeURIComponent(pemFor({}, newSandboxAuthority(now))) },
    ];
    const paths = ['token', 'par', 'revoke', 'token?x=/oauth2/authorize'];
    for (const path of paths.map((one) => `/oauth2/${one}`)) {
      expect(await post(path, good)).toBe('200');
      for (const headers of bad)
        expect([path, await post(path, headers)]).toEqual([path, '401 invalid_client']);
    }
    expect(await post('/oauth2/authorize', fromProxy)).toBe('200');
    expect(await post('/sca/echo', fromProxy)).toBe('200');
    const basic = { ...fromProxy, authorization: 'Basic eDp5' };
    const { headers } = await gateway.call('POST', '/oauth2/token', { headers: basic });
    expect(headers.get('www-authenticate')).toMatch(/^Basic realm=.*error="invalid_client"$/);
    expect(headers.get('cache-control')).toBe('no-store');
  });

  it('must be the certificate named in a bound token (RFC 8705, 3); if it is another one or missing, the response is 401 TOKEN_INVALID', async () => {
    const pem = pemFor();
    const { raw } = new X509Certificate(pem);
    const token = await gateway.token({
      client_id: 'certified',
      cnf: { 'x5t#S256': createHash('sha256').update(raw).digest('base64url') },
    });
    const codeWithPem = async (shown?: string): Promise<string> => {
      const certificate: Record<string, string> =
        shown === undefined ? {} : { 'x-ssl-client-cert': encodeURIComponent(shown) };
      return readCode(
        await gateway.call('GET', status, { bearer: token, headers: { ...fromProxy, ...certificate } }),
      );
    };
    expect(await codeWithPem(pem)).toBe('200');
    expect(await codeWithPem()).toBe('401 TOKEN_INVALID');
    expect(await codeWithPem(pemFor())).toBe('401 TOKEN_INVALID');
    expect(await codeWithPem(pemFor({ organizationIdentifier: 'PSDBG-BNB-2' }))).toBe('401 TOKEN_INVALID');
    expect(await codeWithPem(pemFor({ days: -1 / 48 }))).toBe('401 CERTIFICATE_EXPIRED');
  });

  it('is reported to the console with its end, also after that, if it is the certificate of the TPP', async () => {
    const endOfPem = (pem: string): string =>
      new Date(Date.parse(new X509Certificate(pem).validTo) + 999).toISOString();
    const [valid, ended] = [pemFor(), pemFor({ days: -1 / 48 })];
    const reported = async (pem: string, clientId?: string): Promise<readonly unknown[]> => {
      gateway.reset();
      const requestId = randomUUID();
      const headers = {
        ...fromProxy,
        'x-ssl-client-cert': encodeURIComponent(pem),
        'x-request-id': requestId,
      };
      await codeWith(headers, clientId);
      while (!(await gateway.rows()).some((row) => row.requestId === requestId))
        await new Promise(setImmediate);
      return gateway.certificates;
    };
    // With it, the gateway reports what the calls of other tests left.
    await reported(valid);
    for (const pem of [valid, ended])
      expect(await reported(pem)).toEqual([
        { tppId: 'certified', endsAt: endOfPem(pem), seenAt: expect.any(String) },
      ]);
    expect(await reported(pemFor({ organizationIdentifier: 'PSDBG-BNB-2' }))).toEqual([]);
    expect(await reported(valid, 'tpp')).toEqual([]);
    expect(await reported(pemFor({}, newSandboxAuthority(now)))).toEqual([]);
  });

  it('is required neither for calls without a token nor for pages', async () => {
    for (const path of ['/health/live', '/openapi.json', '/docs', '/oauth2/authorize', '/sca/echo'])
      expect((await gateway.call('GET', path)).status).toBe(200);
  });
});

/** Requests that did not pass the proxy, each with a valid certificate in a place that a server might wrongly trust. */
const tricks: readonly (readonly string[])[] = [
  ['X-SSL-Client-Cert: CERT'],
  ['x-ssl-client-cert: CERT'],
  ['X-SSL-CLIENT-CERT: CERT'],
  ['X_SSL_Client_Cert: CERT', 'X-Proxy-Secret: SECRET'],
  ['X-SSL_Client-Cert: CERT', 'X-Proxy-Secret: SECRET'],
  ['X-SSL-Client-Cert: CERT', 'X_Proxy_Secret: SECRET'],
  ['X-SSL-Client-Cert: CERT', 'X-Proxy_Secret: SECRET'],
  ['X-SSL-Client-Cert: CERT', 'X-Proxy-Secret:'],
  ['X-SSL-Client-Cert: CERT', 'X-Proxy-Secret: wrong'],
  ['X-SSL-Client-Cert: CERT', 'X-Proxy-Secret: SECRETx'],
  ['X-SSL-Client-Cert: CERT', 'X-Proxy-Secret: "SECRET"'],
  ['X-SSL-Client-Cert: CERT', 'X-Proxy-Secret: SECRET', 'X-Proxy-Secret: SECRET'],
  ['X-SSL-Client-Cert: CERT', 'X-Proxy-Secret: wrong', 'X-Proxy-Secret: SECRET'],
  ['X-SSL-Client-Cert: CERT', 'X-Proxy-Secret: SECRET, SECRET'],
  ['X-SSL-Client-Cert: CERT', 'Proxy-Secret: SECRET'],
  ['X-SSL-Client-Cert: CERT', 'Proxy-Authorization: SECRET'],
  ['X-SSL-Client-Cert: CERT', 'Cookie: x-proxy-secret=SECRET'],
  ['X-SSL-Client-Cert: CERT', 'Forwarded: for=127.0.0.1;proto=https'],
  ['X-SSL-Client-Cert: CERT', 'X-Forwarded-For: 127.0.0.1'],
  ['X-SSL-Client-Cert: CERT', 'X-Real-IP: 127.0.0.1'],
  ['X-SSL-Client-Cert: CERT', 'X-SSL-Client-Verify: SUCCESS'],
  ['SSL-Client-Cert: CERT', 'X-Proxy-Secret: SECRET'],
  ['SSL_CLIENT_CERT: CERT', 'X-Proxy-Secret: SECRET'],
  ['Client-Cert: CERT', 'X-Proxy-Secret: SECRET'],
  ['Client-Cert: :DER:', 'X-Proxy-Secret: SECRET'],
  ['Client-Cert-Chain: :DER:', 'X-Proxy-Secret: SECRET'],
  ['X-Client-Cert: CERT', 'X-Proxy-Secret: SECRET'],
  ['X-Forwarded-Client-Cert: Cert="CERT"', 'X-Proxy-Secret: SECRET'],
  ['X-Forwarded-Tls-Client-Cert: DER', 'X-Proxy-Secret: SECRET'],
  ['X-Amzn-Mtls-Clientcert: CERT', 'X-Proxy-Secret: SECRET'],
  ['X-ARR-ClientCert: DER', 'X-Proxy-Secret: SECRET'],
  ['X-SSL-Client-Cert: CERT', 'X-SSL-Client-Cert: CERT', 'X-Proxy-Secret: SECRET'],
  ['X-SSL-Client-Cert: CERT', 'x-ssl-client-cert: other', 'X-Proxy-Secret: SECRET'],
  ['X-SSL-Client-Cert: CERT, CERT', 'X-Proxy-Secret: SECRET'],
  ['X-SSL-Client-Cert: CERT,', 'X-Proxy-Secret: SECRET'],
  ['X-SSL-Client-Cert: :DER:', 'X-Proxy-Secret: SECRET'],
  ['X-SSL-Client-Cert: DER', 'X-Proxy-Secret: SECRET'],
  ['X-SSL-Client-Cert: CERTCERT', 'X-Proxy-Secret: SECRET'],
  ['X-SSL-Client-Cert : CERT', 'X-Proxy-Secret: SECRET'],
  ['X-SSL-Client-Cert: x', ' CERT', 'X-Proxy-Secret: SECRET'],
  ['Connection: X-SSL-Client-Cert', 'X-SSL-Client-Cert: CERT'],
  ['Connection: X-Proxy-Secret', 'X-SSL-Client-Cert: CERT'],
];

describe('certificates in a request that did not come through the proxy', () => {
  const der = new X509Certificate(decodeURIComponent(escaped)).raw.toString('base64');
  const ask = async (path: string, lines: readonly string[]): Promise<string> => {
    const filled = lines.map((line) =>
      line.replaceAll('CERT', escaped).replaceAll('DER', der).replaceAll('SECRET', secret),
    );
    const head = [
      `GET ${path} HTTP/1.1`,
      'Host: bank',
      'Connection: close',
      `Authorization: Bearer ${await bearer()}`,
    ];
    return gateway.bare(`${[...head, ...filled].join('\r\n')}\r\n\r\n`);
  };

  it(`do not grant access with any of ${tricks.length} header tricks over raw HTTP`, async () => {
    expect(await ask(status, ['X-SSL-Client-Cert: CERT', 'X-Proxy-Secret: SECRET'])).toMatch(
      /^HTTP\/1\.1 200 /,
    );
    for (const lines of tricks) {
      const answer = await ask(status, lines);
      expect([lines, answer.split('\r\n')[0], /"code":"(\w+)"/.exec(answer)?.[1]]).toEqual([
        lines,
        expect.stringMatching(/^HTTP\/1\.1 40[01] /),
        expect.stringMatching(/^(?:CERTIFICATE_(?:MISSING|INVALID)|FORMAT_ERROR)$/),
      ]);
    }
    process.stderr.write(`counts: ${tricks.length} header tricks with client certificates refused\n`);
  });

  it(`never reach the authorization server with any of the same ${tricks.length} tricks`, async () => {
    for (const lines of tricks) {
      const answer = await ask('/oauth2/authorize', lines);
      expect([lines, answer.includes(escaped), answer.includes(der), answer.includes(secret)]).toEqual([
        lines,
        false,
        false,
        // In a cookie or under another header name, the text is no longer handled as the proxy's secret.
        lines.some((line) => /^(?:Cookie|Proxy-Secret|Proxy-Authorization):/.test(line)),
      ]);
    }
  });
});

describe('a separate pages host, where the proxy requests no certificate (contract 1)', () => {
  const withPages = new GatewayUnderTest({ ...settings, PAGES_URL: 'https://pages.bank.example' });
  beforeAll(async () => withPages.start(), 30_000);
  afterAll(async () => withPages.stop());
  const shown = { ...fromProxy, 'x-ssl-client-cert': escaped };
  const handedOn = async (method: string, path: string): Promise<unknown> => {
    const { body } = await withPages.call(method, path, { headers: shown });
    return [Reflect.get(Object(body['headers']), 'client-cert'), JSON.stringify(body).includes(escaped)];
  };

  it.each([
    ['GET', '/oauth2/authorize?client_id=tpp'],
    ['POST', '/oauth2/authorize'],
    ['GET', '/oauth2/authorize/uid'],
    ['GET', '/sca/echo'],
    ['POST', '/sca/authorize/uid'],
  ])(
    '%s %s: drops a certificate that is sent with the secret of the proxy, because the client could have written it itself',
    async (method, path) => {
      expect(await handedOn(method, path)).toEqual([undefined, false]);
    },
  );

  it('ignores the certificate if the path contains a number sign, which no browser sends', async () => {
    const lines = ['GET /oauth2/authorize#x HTTP/1.1', 'Host: bank', 'Connection: close'];
    const sent = [...lines, `X-SSL-Client-Cert: ${escaped}`, `X-Proxy-Secret: ${secret}`];
    expect(await withPages.bare(`${sent.join('\r\n')}\r\n\r\n`)).not.toContain('client-cert');
  });

  it('still trusts the certificate on every other path', async () => {
    const der = new X509Certificate(decodeURIComponent(escaped)).raw;
    expect(await handedOn('POST', '/oauth2/token')).toEqual([clientCertValue(der), false]);
    const token = await withPages.token({ client_id: 'tpp' });
    expect(readCode(await withPages.call('GET', status, { bearer: token, headers: shown }))).toBe(
      '401 CERTIFICATE_INVALID',
    );
  });
});

describe('settings for client certificates', () => {
  const clock = { nowMs: () => now };
  const base = { CLIENT_CERTIFICATE_HEADER: 'x', CLIENT_CERTIFICATE_FORM: 'xfcc' } as const;
  const settingUp = (changes: object) => () =>
    certificateCheck(
      {
        ...base,
        CLIENT_CERTIFICATES: undefined,
        PROXY_SECRET: undefined,
        TRUST_ANCHORS: undefined,
        SANDBOX: true,
        ...changes,
      },
      clock,
    );

  it('are required outside the sandbox unless certificates are optional; missing or invalid settings prevent startup', () => {
    expect(settingUp({})).not.toThrow();
    expect(settingUp({ SANDBOX: false, CLIENT_CERTIFICATES: 'optional' })).not.toThrow();
    expect(settingUp({ SANDBOX: false })).toThrow('PROXY_SECRET');
    expect(settingUp({ SANDBOX: false, PROXY_SECRET: secret })).toThrow('TRUST_ANCHORS');
    expect(settingUp({ PROXY_SECRET: 'short', TRUST_ANCHORS: authority.certificate })).toThrow('at least 32');
    expect(settingUp({ PROXY_SECRET: secret, TRUST_ANCHORS: 'nonsense' })).toThrow('no certificate');
    expect(settingUp({ TRUST_ANCHORS: authority.certificate })).toThrow('PROXY_SECRET');
  });
});
