import { Kvm } from '@nats-io/kv';
import type { ConsentView } from '@xs2a/contracts/consents.contract';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { generateKeyPair } from 'jose';
import { METHODS } from 'node:http';
import { endpointRules, isSandboxEndpoint } from '../endpoint-rules.js';
import {
  type Answer,
  authorisationId,
  readCode,
  consentId,
  GatewayUnderTest,
  paymentId,
  product,
  refused,
} from '../testing/gateway-under-test.js';

const gateway = new GatewayUnderTest();
beforeAll(async () => gateway.start(), 30_000);
afterAll(async () => gateway.stop());
beforeEach(() => gateway.reset());

describe('access token validation at the edge (contract 3 and 4)', () => {
  const status = `/v1/payments/${product}/${paymentId}/status`;

  it('returns 401 TOKEN_UNKNOWN and WWW-Authenticate for everything except a token of this bank', async () => {
    const other = (await generateKeyPair('ES256')).privateKey;
    const none = await gateway.call('GET', status);
    expect([readCode(none), none.headers.get('www-authenticate')]).toEqual(['401 TOKEN_UNKNOWN', 'Bearer']);
    for (const bearer of [
      'nonsense',
      await gateway.token({}, { signer: other }),
      await gateway.token({}, { kid: 'k2' }),
      await gateway.token({}, { typ: 'JWT' }),
      await gateway.token({ iss: 'https://other.example' }),
      await gateway.token({ aud: 'somebody' }),
      await gateway.token({ client_id: 'nobody' }),
      `${await gateway.token()}x`,
    ])
      expect(readCode(await gateway.call('GET', status, { bearer }))).toBe('401 TOKEN_UNKNOWN');
    expect(
      readCode(await gateway.call('GET', status, { headers: { authorization: 'Basic dHBwOng=' } })),
    ).toBe('401 TOKEN_UNKNOWN');
  });

  it('distinguishes expired tokens, tokens of the wrong kind, missing roles and blocked TPPs', async () => {
    expect(
      readCode(await gateway.call('GET', status, { bearer: await gateway.token({}, { expiresIn: -1 }) })),
    ).toBe('401 TOKEN_EXPIRED');
    expect(
      readCode(await gateway.call('GET', status, { bearer: await gateway.token({ scope: 'PSP_AI' }) })),
    ).toBe('401 TOKEN_INVALID');
    expect(readCode(await gateway.call('GET', status, { bearer: await gateway.aisToken() }))).toBe(
      '401 TOKEN_INVALID',
    );
    expect(
      readCode(await gateway.call('GET', status, { bearer: await gateway.token({ client_id: 'ai-only' }) })),
    ).toBe('401 ROLE_INVALID');
    expect(
      readCode(await gateway.call('GET', status, { bearer: await gateway.token({ client_id: 'barred' }) })),
    ).toBe('401 CERTIFICATE_BLOCKED');
  });

  it('returns TOKEN_EXPIRED for a cached token once the clock passes its expiry', async () => {
    const bearer = await gateway.token({}, { expiresIn: 60 });
    expect((await gateway.call('GET', status, { bearer })).status).toBe(200);
    gateway.clock.raiseTo(gateway.clock.offsetMs + 61_000);
    expect(readCode(await gateway.call('GET', status, { bearer }))).toBe('401 TOKEN_EXPIRED');
  });

  it('rejects every token of a revoked grant, and returns the code of the consent if the consent has ended', async () => {
    const bearer = await gateway.aisToken({ grant_id: 'g1' });
    expect((await gateway.call('GET', '/v1/accounts', { bearer })).status).toBe(200);
    const bucket = await new Kvm(gateway.nats).open('REVOCATIONS');
    await bucket.put(
      'grant.g1',
      JSON.stringify({ expiresAt: Math.floor(gateway.clock.nowMs() / 1000) + 300 }),
    );
    while ((await gateway.call('GET', '/v1/accounts', { bearer })).status === 200);
    expect(readCode(await gateway.call('GET', '/v1/accounts', { bearer }))).toBe('401 TOKEN_INVALID');
    gateway.answers.set('svc.consents.read-status', () => ({ ok: { consentStatus: 'expired' } }));
    expect(readCode(await gateway.call('GET', '/v1/accounts', { bearer }))).toBe('401 CONSENT_EXPIRED');
  });

  it('keeps the known values when a bucket contains invalid ones', async () => {
    const kvm = new Kvm(gateway.nats);
    const [tpps, revocations] = [await kvm.open('TPPS'), await kvm.open('REVOCATIONS')];
    const bearer = await gateway.token({ grant_id: 'g2' });
    const barred = await gateway.token({ client_id: 'barred' });
    const garbage = ['{"type":"io.nats.jetstream.api.v1.stream_info_response"}', 'not json', 'null', '7'];
    for (const value of garbage) {
      for (const clientId of ['tpp', 'barred']) await tpps.put(clientId, value);
      await revocations.put('grant.g1', value);
      await revocations.put('grant.g2', value);
    }
    const certified = (await tpps.get('certified'))?.string() ?? '';
    await tpps.put('certified', certified.replace('active', 'blocked'));
    const last = await gateway.token({ client_id: 'certified' });
    while (readCode(await gateway.call('GET', status, { bearer: last })) !== '401 CERTIFICATE_BLOCKED');
    await tpps.put('certified', certified);
    const end = { expiresAt: Math.floor(gateway.clock.nowMs() / 1000) + 300 };
    await revocations.put('grant.g2', JSON.stringify(end));
    while ((await gateway.call('GET', status, { bearer })).status === 200);
    expect(readCode(await gateway.call('GET', status, { bearer }))).toBe('401 TOKEN_INVALID');
    expect((await gateway.call('GET', status, { bearer: await gateway.token() })).status).toBe(200);
    expect(readCode(await gateway.call('GET', status, { bearer: barred }))).toBe('401 CERTIFICATE_BLOCKED');
  });

  it('rejects two Authorization headers', async () => {
    const bearer = await gateway.token();
    const text = await gateway.bare(
      `GET ${status} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer ${bearer}\r\nAuthorization: Bearer x\r\n\r\n`,
    );
    expect(text).toMatch(/^HTTP\/1.1 400 /);
    expect(text).toContain('"path":"Authorization"');
  });
});

describe('the order of checks at the edge (contract 3)', () => {
  const stages: readonly [string, string, Record<string, string>][] = [
    ['404 PRODUCT_UNKNOWN', '/v1/payments/no-such-product', {}],
    ['401 TOKEN_UNKNOWN', `/v1/payments/${product}`, { authorization: '' }],
    ['401 ROLE_INVALID', `/v1/payments/${product}`, { as: 'ai-only' }],
    ['406 REQUESTED_FORMATS_INVALID', `/v1/payments/${product}`, { as: 'tpp', accept: 'text/html' }],
    ['415 FORMAT_ERROR', `/v1/payments/${product}`, { as: 'tpp', 'content-type': 'text/plain' }],
    ['400 FORMAT_ERROR', `/v1/payments/${product}`, { as: 'tpp', 'psu-ip-address': 'x' }],
  ];

  it('reports the first stage that fails, even if later stages would fail too', async () => {
    for (const [index, [expected, path]] of stages.entries()) {
      const wrong = Object.assign({}, ...stages.slice(index).map(([, , headers]) => headers)) as Record<
        string,
        string
      >;
      const { as = 'tpp', authorization, ...headers } = wrong;
      const client = index <= 2 ? 'ai-only' : as;
      const bearer = await gateway.token({ client_id: client });
      const answer = await gateway.call('POST', path, {
        body: '{',
        headers,
        bearer: index <= 1 || authorization !== undefined ? undefined : bearer,
      });
      expect(readCode(answer)).toBe(expected);
    }
  });

  it('rejects a body over 64 KiB before the headers are validated, even if the length is not declared', async () => {
    const bearer = await gateway.token();
    const body = JSON.stringify({ a: 'x'.repeat(65 * 1024) });
    const withLength = await gateway.call('POST', `/v1/payments/${product}`, {
      bearer,
      body,
      headers: { 'psu-ip-address': 'x' },
    });
    expect(readCode(withLength)).toBe('413 FORMAT_ERROR');
    const chunk = `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`;
    const chunked = await gateway.bare(
      `POST /v1/payments/${product} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer ${bearer}\r\nContent-Type: application/json\r\nPSU-IP-Address: x\r\nTransfer-Encoding: chunked\r\n\r\n${chunk}`,
    );
    expect(chunked).toMatch(/^HTTP\/1.1 413 /);
    expect(chunked).toContain('FORMAT_ERROR');
  });

  it('reports a consent that has ended before any other failure of the call', async () => {
    gateway.answers.set('svc.consents.read-status', () => ({ ok: { consentStatus: 'terminatedByTpp' } }));
    const answer = await gateway.call('GET', '/v1/accounts', {
      bearer: await gateway.aisToken(),
      headers: { 'psu-ip-address': 'x' },
    });
    expect(readCode(answer)).toBe('401 CONSENT_INVALID');
  });
});

describe('the user token of a consent at the endpoints of that consent (contract 4)', () => {
  const own = `/v1/consents/${consentId}`;
  const reads = [own, `${own}/status`, `${own}/authorisations`, `${own}/authorisations/${authorisationId}`];
  const view: ConsentView = {
    access: { accounts: [{ iban: 'BG80BNBG96611020345678' }] },
    recurringIndicator: true,
    validUntil: '2027-01-01',
    frequencyPerDay: 4,
    combinedServiceIndicator: false,
    lastActionDate: '2026-11-22',
    consentStatus: 'terminatedByTpp',
  };
  beforeEach(() => {
    gateway.answers.set('svc.consents.read', () => ({ ok: view }));
    gateway.answers.set('svc.consents.read-status', () => ({ ok: { consentStatus: 'terminatedByTpp' } }));
    gateway.answers.set('svc.consents.authorisations.list', () => ({
      ok: { authorisations: [{ authorisationId, scaStatus: 'finalised' }] },
    }));
    gateway.answers.set('svc.consents.terminate', () => ({ ok: {} }));
  });

  it('may only read and end the consent, even after the consent has ended', async () => {
    const bearer = await gateway.aisToken();
    for (const path of reads)
      expect([path, (await gateway.call('GET', path, { bearer })).status]).toEqual([path, 200]);
    for (let time = 0; time < 2; time += 1)
      expect((await gateway.call('DELETE', own, { bearer })).status).toBe(204);
    for (const [method, path, sent] of [
      ['POST', '/v1/consents', { body: '{}' }],
      ['GET', '/v1/consents', {}],
      ['POST', `${own}/authorisations`, { body: '{}' }],
      ['GET', `/v1/payments/${product}/${paymentId}`, {}],
      ['GET', '/sandbox/clock', {}],
    ] as const) {
      const answer = await gateway.call(method, path, { bearer, ...sent });
      expect([method, path, readCode(answer)]).toEqual([method, path, '401 CONSENT_INVALID']);
    }
  });

  it('is rejected if the Consent-ID header names another consent (contract 2)', async () => {
    const bearer = await gateway.aisToken();
    for (const [method, path] of [...reads.map((one) => ['GET', one] as const), ['DELETE', own] as const]) {
      const named = async (id: string, as: string): Promise<Answer> =>
        gateway.call(method, path, { bearer: as, headers: { 'consent-id': id } });
      expect(readCode(await named(paymentId, bearer))).toBe('400 CONSENT_UNKNOWN');
      expect((await named(consentId, bearer)).status).toBeLessThan(300);
      expect((await named(paymentId, await gateway.token())).status).toBeLessThan(300);
    }
  });

  it('gets the same response, byte for byte, for another consent of the same TPP as for an unknown one', async () => {
    const bearer = await gateway.aisToken();
    const application = await gateway.token();
    gateway.answers.set('svc.consents.read', refused({ failure: 'consentUnknown' }));
    const unknown = await gateway.call('GET', own, { bearer: application });
    expect(readCode(unknown)).toBe('403 CONSENT_UNKNOWN');
    gateway.reset();
    for (const path of reads) {
      const other = path.replace(consentId, paymentId);
      for (const method of path === own ? ['GET', 'DELETE'] : ['GET']) {
        const answer = await gateway.call(method, other, { bearer });
        expect([method, path, answer.status, answer.text]).toEqual([method, path, 403, unknown.text]);
      }
    }
    expect(gateway.asked).toEqual([]);
  });
});

describe('the handling of paths and methods (contract 1 and 3)', () => {
  it('answers an unknown path with 404 and a wrong method with 405 and Allow', async () => {
    for (const path of [
      '/v2/accounts',
      '/v1',
      '/v1/',
      '/v1/v1/accounts',
      '/accounts//',
      '/docs/',
      '//accounts',
      '/%zz',
      '/%00',
    ])
      expect(readCode(await gateway.call('GET', path))).toBe('404 RESOURCE_UNKNOWN');
    const wrong = await gateway.call('PUT', '/v1/consents');
    expect([readCode(wrong), wrong.headers.get('allow')]).toEqual([
      '405 SERVICE_INVALID',
      'POST, GET, HEAD, OPTIONS',
    ]);
    const options = await gateway.call('OPTIONS', '/v1/accounts');
    expect([options.status, options.headers.get('allow')]).toEqual([204, 'GET, HEAD, OPTIONS']);
    expect(readCode(await gateway.call('PUT', '/v1/payments/none'))).toBe('404 PRODUCT_UNKNOWN');
    expect((await gateway.call('HEAD', '/v1/accounts', { bearer: await gateway.aisToken() })).status).toBe(
      200,
    );
    expect((await gateway.call('HEAD', '/v1/accounts')).status).toBe(401);
  });

  it('redirects from / to the API description', async () => {
    for (const method of ['GET', 'HEAD']) {
      const answer = await gateway.call(method, '/');
      expect([answer.status, answer.headers.get('location')]).toEqual([302, '/docs']);
    }
    const wrong = await gateway.call('POST', '/');
    expect([readCode(wrong), wrong.headers.get('allow')]).toEqual([
      '405 SERVICE_INVALID',
      'GET, HEAD, OPTIONS',
    ]);
  });

  it.each([...METHODS.filter((method) => method !== 'CONNECT'), 'FOO', 'get', 'Accounts'])(
    'returns 405 with Allow for the method %s on a path that does not support it, and 404 on an unknown path',
    async (method) => {
      const answerOn = async (path: string): Promise<string> =>
        gateway.bare(`${method} ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
      const refused = async (path: string): Promise<string> => {
        const text = await answerOn(path);
        expect(text).toMatch(/^x-request-id: [0-9a-f-]{36}\r$/im);
        expect(text).toMatch(/^cache-control: no-store\r$/im);
        const allow = /^allow: (.*)\r$/im.exec(text)?.[1];
        return [/^HTTP\/1.1 (\d+)/.exec(text)?.[1], /"code":"(\w+)"/.exec(text)?.[1], allow].join(' ');
      };
      if (!['GET', 'HEAD', 'OPTIONS'].includes(method)) {
        expect(await refused('/v1/accounts?withBalance=true')).toBe('405 SERVICE_INVALID GET, HEAD, OPTIONS');
        expect(await refused('/docs')).toBe('405 SERVICE_INVALID GET, HEAD, OPTIONS');
        expect(await refused('/v1/payments/none')).toBe('404 PRODUCT_UNKNOWN ');
        expect(await answerOn('/oauth2/jwks')).toMatch(
          /^HTTP\/1.1 (?:405 [^]*^allow: GET\r$[^]*"error"|200 [^]*"keys")/m,
        );
        for (const path of ['/oauth2/jwks/', '/oauth2/Token', '/oauth2/nothing'])
          expect(await answerOn(path)).toMatch(/^HTTP\/1.1 404 [^]*"error"/);
      }
      if (method !== 'HEAD') expect(await refused('/v1/nothing')).toBe('404 RESOURCE_UNKNOWN ');
    },
  );

  it('decodes a path in the same way as the router and never returns a 5xx', async () => {
    const bearer = await gateway.token();
    for (const path of [
      `/%70ayments/${product}/${paymentId}/status`,
      `/payments/%64omestic-credit-transfer-BGN/${paymentId}/status`,
    ])
      expect((await gateway.call('GET', path, { bearer })).status).toBe(200);
    for (const [path, expected] of [
      [`/payments/${product}%2Fx/${paymentId}`, '404 PRODUCT_UNKNOWN'],
      [`/payments/__proto__/${paymentId}`, '404 PRODUCT_UNKNOWN'],
      [`/payments/constructor/${paymentId}`, '404 PRODUCT_UNKNOWN'],
    ] as const)
      expect(readCode(await gateway.call('GET', path, { bearer }))).toBe(expected);
  });

  it('requires exactly one Host header, and otherwise returns an error in the standard format with the standard headers (RFC 9112)', async () => {
    for (const [hosts, path, form] of [
      ['', '/v1/accounts', '"code":"FORMAT_ERROR","path":"Host"'],
      ['Host: a\r\nhost: b\r\n', '/v1/accounts', '"code":"FORMAT_ERROR","path":"Host"'],
      ['Host: a\r\nHost: a\r\n', '/v1/nothing', '"code":"FORMAT_ERROR","path":"Host"'],
      ['', '/oauth2/token', '"error":"invalid_request"'],
    ] as const) {
      const text = await gateway.bare(`GET ${path} HTTP/1.1\r\n${hosts}Connection: close\r\n\r\n`);
      expect(text).toMatch(/^HTTP\/1.1 400 /);
      expect(text).toContain(form);
      expect(text).toMatch(/^x-request-id: [0-9a-f-]{36}\r$/im);
      expect(text).toMatch(/^cache-control: no-store\r$/im);
      expect(text).toMatch(/^x-content-type-options: nosniff\r$/im);
      expect(text).not.toMatch(/^strict-transport-security/im);
    }
    expect(await gateway.bare('GET /health/live HTTP/1.0\r\n\r\n')).toMatch(/^HTTP\/1.1 200 /);
  });

  it('answers input that is not HTTP with an error in the standard format', async () => {
    for (const [request, status] of [
      ['NONSENSE\r\n\r\n', 400],
      [`GET / HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(20_000)}\r\n\r\n`, 431],
      [`GET /${'x'.repeat(20_000)} HTTP/1.1\r\nHost: x\r\n\r\n`, 431],
    ] as const) {
      const text = await gateway.bare(request);
      expect(text).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
      expect(text).toContain('"category":"ERROR","code":"FORMAT_ERROR"');
    }
  });

  it('serves every path with and without /v1, and under its alias', async () => {
    for (const rule of Object.values(endpointRules).filter((one) => !isSandboxEndpoint(one))) {
      const path = rule.path
        .replace('{payment-service}', 'payments')
        .replace('{payment-product}', product)
        .replace(/\{[^}]+\}/g, paymentId);
      for (const one of [path, `/v1${path}`]) {
        const { status, body } = await gateway.call(rule.method, one);
        expect([one, status, body.tppMessages?.[0]?.code]).toEqual([one, 401, 'TOKEN_UNKNOWN']);
      }
    }
    const bearer = await gateway.token();
    for (const path of ['/consent/x/status', '/v1/consents/x/status', '/v1/consent/x/status'])
      expect((await gateway.call('GET', path, { bearer })).status).toBe(200);
    expect(readCode(await gateway.call('POST', '/funds-confirmation', { bearer }))).toBe('401 TOKEN_INVALID');
  });
});

describe('a public origin with TLS (RFC 6797; contract 1)', () => {
  const secure = new GatewayUnderTest({ BASE_URL: 'https://xs2a.bank.example' });
  beforeAll(async () => secure.start(), 30_000);
  afterAll(async () => secure.stop());

  it('is declared TLS-only in every response, including pages, tokens, refusals and answers to malformed requests', async () => {
    for (const path of [
      '/docs',
      '/v1/accounts',
      '/v1/nothing',
      '/oauth2/jwks',
      '/sca/apps',
      '/%zz',
      '/health/live',
    ])
      expect([path, (await secure.call('GET', path)).headers.get('strict-transport-security')]).toEqual([
        path,
        'max-age=31536000',
      ]);
    for (const request of ['NONSENSE\r\n\r\n', 'GET / HTTP/1.1\r\nConnection: close\r\n\r\n'])
      expect(await secure.bare(request)).toMatch(/^strict-transport-security: max-age=31536000\r$/im);
  });
});
