import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { oauthPaths } from '@xs2a/contracts/oauth-paths';
import { randomUUID } from 'node:crypto';
import { isAuthPath } from './oauth-proxy/auth-answers.js';
import {
  authorisationId,
  readCode,
  consentId,
  GatewayUnderTest,
  issuer,
  paymentId,
  product,
  refused,
} from './testing/gateway-under-test.js';

const gateway = new GatewayUnderTest();
beforeAll(async () => gateway.start(), 30_000);
afterAll(async () => gateway.stop());
beforeEach(() => gateway.reset());

const paymentBody = JSON.stringify({ instructedAmount: { currency: 'BGN', amount: '1.00' } });

describe('payments over HTTP (spec 4.5, contract 8)', () => {
  it('answers POST with 201, links, Location and the SCA approach, and forwards all values', async () => {
    const answer = await gateway.call('POST', `/payments/${product.toLowerCase()}s?unknown=x`, {
      bearer: await gateway.token(),
      body: paymentBody,
      headers: {
        'idempotency-key': 'k-1',
        'psu-id': 'ivan',
        'tpp-redirect-uri': 'https://tpp.example/ok?state=1',
        'x-request-id': '0f8fad5b-d9cb-469f-a165-70867728950e',
      },
    });
    expect(answer.status).toBe(201);
    expect(answer.headers.get('location')).toBe(`/v1/payments/${product}/${paymentId}`);
    expect(answer.headers.get('aspsp-sca-approach')).toBe('REDIRECT');
    expect(answer.headers.get('x-request-id')).toBe('0f8fad5b-d9cb-469f-a165-70867728950e');
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
    expect(answer.body).toEqual({
      transactionStatus: 'RCVD',
      paymentId,
      _links: {
        scaRedirect: { href: `${issuer}/sca/payment/${paymentId}/${authorisationId}` },
        self: { href: `/v1/payments/${product}/${paymentId}` },
        status: { href: `/v1/payments/${product}/${paymentId}/status` },
        scaStatus: { href: `/v1/payments/${product}/${paymentId}/authorisations/${authorisationId}` },
      },
    });
    expect(gateway.asked).toEqual([
      {
        subject: 'svc.payments.initiate',
        request: {
          tppId: 'tpp',
          service: 'payments',
          product,
          body: JSON.parse(paymentBody),
          psuId: 'ivan',
          redirectUris: { ok: 'https://tpp.example/ok?state=1' },
          idempotencyKey: {
            key: 'k-1',
            path: `POST /payments/${product}`,
            hash: expect.stringMatching(/^[0-9a-f]{64}$/),
          },
        },
      },
    ]);
  });

  it('calls no service for an impossible id, and returns the same bytes as for an unknown id', async () => {
    gateway.answers.set('svc.payments.read-status', refused({ failure: 'resourceUnknown' }));
    const bearer = await gateway.token();
    const texts = await Promise.all(
      ['abc', '%00', "'; --", '0'.repeat(200), randomUUID()].map(
        async (id) =>
          (await gateway.call('GET', `/v1/payments/${product}/${encodeURIComponent(id)}/status`, { bearer }))
            .text,
      ),
    );
    expect(new Set(texts).size).toBe(1);
  });

  it('distinguishes an invalid body with a used key from an invalid body with a new key (contract 3: a replay comes first)', async () => {
    const bearer = await gateway.token();
    const broken = { bearer, body: '{"a":1,"a":2}', headers: { 'idempotency-key': 'k-2' } };
    const first = await gateway.call('POST', `/v1/payments/${product}`, broken);
    expect(first.body.tppMessages).toEqual([expect.objectContaining({ code: 'FORMAT_ERROR', path: 'a' })]);
    gateway.answers.set('svc.payments.check-before-body', refused({ failure: 'idempotencyKeyReused' }));
    expect(readCode(await gateway.call('POST', `/v1/payments/${product}`, broken))).toBe(
      '409 STATUS_INVALID',
    );
  });

  it.each([
    ['Idempotency-Key', { 'idempotency-key': 'k-4', 'x-request-id': randomUUID() }],
    ['X-Request-ID', { 'x-request-id': randomUUID() }],
  ])('names the header that contained a reused key in the 409: %s', async (name, headers) => {
    const bearer = await gateway.token();
    for (const failure of ['idempotencyKeyReused', 'firstAttemptUnderWay'] as const) {
      gateway.answers.set('svc.payments.initiate', refused({ failure }));
      const { status, body } = await gateway.call('POST', `/v1/payments/${product}`, {
        bearer,
        body: paymentBody,
        headers,
      });
      expect([status, body.tppMessages]).toEqual([
        409,
        [{ category: 'ERROR', code: 'STATUS_INVALID', text: expect.stringContaining(name) }],
      ]);
    }
  });

  it('treats a path with a trailing slash as the same path, with the same idempotency keys (contract 1)', async () => {
    const bearer = await gateway.token();
    for (const path of [`/v1/payments/${product}`, `/v1/payments/${product}/`, `/payments/${product}/?x`])
      expect(
        (
          await gateway.call('POST', path, {
            bearer,
            body: paymentBody,
            headers: { 'idempotency-key': 'k-5' },
          })
        ).status,
      ).toBe(201);
    const idempotencyKeys = gateway.asked.map(({ request }) => request['idempotencyKey']);
    expect(idempotencyKeys).toEqual([idempotencyKeys[0], idempotencyKeys[0], idempotencyKeys[0]]);
  });

  it('states whether push notifications are supported when a call requests them, even if the call is refused (contract 11)', async () => {
    const bearer = await gateway.token();
    const headers = { 'tpp-notification-uri': 'https://tpp.example/push' };
    const support = async (path: string, sending: object): Promise<unknown> => {
      const answer = await gateway.call('POST', path, { bearer, body: paymentBody, ...sending });
      const content = answer.headers.get('aspsp-notification-content');
      return [answer.status, answer.headers.get('aspsp-notification-support'), content];
    };
    const every = 'status=SCA,PROCESS';
    const last = { ...headers, 'tpp-notification-content-preferred': 'status=LAST' };
    const path = `/v1/payments/${product}`;
    expect(await support(path, { headers })).toEqual([201, 'true', every]);
    expect(await support(path, { headers: last })).toEqual([201, 'true', 'status=LAST']);
    expect(await support(path, {})).toEqual([201, null, null]);
    expect(await support(path, { headers, bearer: 'x' })).toEqual([401, 'true', every]);
    expect(await support(path, { headers: { ...headers, 'psu-id': '' } })).toEqual([400, 'true', every]);
    expect(await support('/v1/consents', { headers, bearer: 'x' })).toEqual([401, 'true', every]);
    expect(await support(`${path}/${paymentId}/authorisations`, { headers, bearer: 'x' })).toEqual([
      401,
      'true',
      every,
    ]);
    expect(await support('/v1/funds-confirmations', { headers, bearer: 'x' })).toEqual([401, 'false', null]);
    expect(await support('/v1/elsewhere', { headers })).toEqual([404, 'false', null]);
    expect(await support('/oauth2/token', { headers })).toEqual([200, null, null]);
  });

  it('returns 409 with Retry-After while the first request with the same key is in progress (contract 2)', async () => {
    gateway.answers.set('svc.payments.initiate', refused({ failure: 'firstAttemptUnderWay', retryAfter: 1 }));
    const answer = await gateway.call('POST', `/v1/payments/${product}`, {
      bearer: await gateway.token(),
      body: paymentBody,
      headers: { 'idempotency-key': 'k-3' },
    });
    expect([readCode(answer), answer.headers.get('retry-after')]).toEqual(['409 STATUS_INVALID', '1']);
  });

  it('returns 503 with Retry-After if the service does not answer', async () => {
    gateway.answers.set('svc.payments.initiate', refused({ failure: 'dependencyDown', retryAfter: 1 }));
    const answer = await gateway.call('POST', `/v1/payments/${product}`, {
      bearer: await gateway.token(),
      body: paymentBody,
    });
    expect([readCode(answer), answer.headers.get('retry-after')]).toEqual(['503 INTERNAL_SERVER_ERROR', '1']);
  });
});

describe('accounts over HTTP (contract 5 and 6)', () => {
  it('forwards the consent, and returns the number of remaining calls and the API version', async () => {
    const answer = await gateway.call('GET', '/v1/accounts', {
      bearer: await gateway.aisToken({ fresh: true }),
    });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('x-unattended-remaining')).toBe('3');
    expect(answer.headers.get('x-api-version')).toBe('1.3.2.2');
    expect(gateway.asked[0]?.request).toEqual({
      tppId: 'tpp',
      consentId,
      tokenIsFresh: true,
      withBalance: false,
      callId: expect.any(String),
    });
  });

  it('rejects a Consent-ID header with a different consent, and an unpublished version', async () => {
    const bearer = await gateway.aisToken();
    expect(
      readCode(
        await gateway.call('GET', '/v1/accounts', { bearer, headers: { 'consent-id': randomUUID() } }),
      ),
    ).toBe('400 CONSENT_UNKNOWN');
    expect(
      readCode(await gateway.call('GET', '/v1/accounts', { bearer, headers: { 'x-api-version': '9' } })),
    ).toBe('400 PARAMETER_NOT_SUPPORTED');
  });

  it('reports an unknown account before an invalid query, and does not count the call', async () => {
    const bearer = await gateway.aisToken();
    const path = `/v1/accounts/${paymentId}/transactions?pageSize=501`;
    gateway.answers.set('svc.consents.access.check', () => ({ ok: {} }));
    expect((await gateway.call('GET', path, { bearer })).body.tppMessages?.[0]?.path).toBe('pageSize');
    expect(gateway.asked.map(({ subject }) => subject)).toEqual(['svc.consents.access.check']);
    gateway.answers.set('svc.consents.access.check', refused({ failure: 'resourceUnknown' }));
    expect(readCode(await gateway.call('GET', path, { bearer }))).toBe('404 RESOURCE_UNKNOWN');
    gateway.answers.set('svc.consents.access.check', refused({ failure: 'dependencyDown' }));
    expect(readCode(await gateway.call('GET', path, { bearer }))).toBe('400 FORMAT_ERROR');
  });

  it('returns 429 with the number of seconds to wait', async () => {
    gateway.answers.set('svc.accounts.list', refused({ failure: 'accessExceeded', retryAfter: 4000.2 }));
    const answer = await gateway.call('GET', '/v1/accounts', { bearer: await gateway.aisToken() });
    expect([readCode(answer), answer.headers.get('retry-after')]).toEqual(['429 ACCESS_EXCEEDED', '4001']);
  });
});

describe('the sandbox clock (contract 13)', () => {
  it('advances every service, completes due work, and tolerates a service that is down', async () => {
    gateway.answers.set('svc.accounts.sandbox.advance-clock', ({ byMs }: { byMs: number }) => ({
      ok: { offsetMs: gateway.clock.offsetMs + byMs },
    }));
    gateway.answers.set('svc.payments.expire-due', refused({ failure: 'dependencyDown' }));
    gateway.answers.set('svc.consents.expire-due', () => ({ ok: { expired: 0 } }));
    gateway.answers.set('svc.settlement.drain', () => ({ ok: {} }));
    const before = gateway.clock.nowMs();
    const answer = await gateway.call('POST', '/sandbox/clock', {
      bearer: await gateway.token(),
      body: '{"advance":"PT1M"}',
    });
    expect(answer.status).toBe(200);
    expect(Date.parse(String(answer.body['now'])) - before).toBeGreaterThanOrEqual(60_000);
    expect(gateway.asked.map(({ subject }) => subject)).toContain('svc.settlement.drain');
    const wrong = await gateway.call('POST', '/sandbox/clock', {
      bearer: await gateway.token(),
      body: '{"advance":"-PT1M"}',
    });
    expect(readCode(wrong)).toBe('400 FORMAT_ERROR');
  });
});

describe('funds confirmation over HTTP (contract 4, 7)', () => {
  const confirm = async (claims: Record<string, unknown>): Promise<string> =>
    readCode(
      await gateway.call('POST', '/funds-confirmations', {
        bearer: await gateway.token({ grant_kind: 'user', sub: 'kX4r', scope: 'PSP_IC', ...claims }),
        body: '{"instructedAmount":{"currency":"BGN","amount":"1.00"}}',
      }),
    );
  const asked = (): unknown[] =>
    gateway.asked.splice(0).map(({ subject, request }) => [subject, request['psuId']]);

  it('looks up the PSU of a token only once per grant, and forwards the PSU to the service', async () => {
    const confirmed = ['svc.funds-confirmation.confirm', 'ivan'];
    expect(await confirm({ grant_id: 'g1' })).toBe('200');
    expect(asked()).toEqual([['svc.auth.introspect-token', undefined], confirmed]);
    expect(await confirm({ grant_id: 'g1' })).toBe('200');
    expect(asked()).toEqual([confirmed]);
    expect(await confirm({ grant_id: 'g2' })).toBe('200');
    expect(asked()).toHaveLength(2);
  });

  it('returns 401 TOKEN_INVALID for a grant that has ended', async () => {
    gateway.answers.set('svc.auth.introspect-token', () => ({ ok: { active: false } }));
    expect(await confirm({ grant_id: 'g3' })).toBe('401 TOKEN_INVALID');
    expect(asked()).toHaveLength(1);
  });
});

describe('a request for the authorization server (contract 1)', () => {
  it('is forwarded with its body unread, and without proxy headers from the client', async () => {
    const answer = await gateway.call('POST', '/oauth2/token?a=%20b&a=c', {
      body: 'grant_type=client_credentials',
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        'x-forwarded-for': '6.6.6.6',
        'x-forwarded-host': 'evil.example',
        'x-client-cert': 'forged',
        'x-gateway-secret': 'forged',
        forwarded: 'for=6.6.6.6',
      },
    });
    expect(answer.body).toMatchObject({
      url: '/oauth2/token?a=%20b&a=c',
      body: 'grant_type=client_credentials',
    });
    const headers = answer.body['headers'] as Record<string, string>;
    expect(headers['x-forwarded-for']).toBe('127.0.0.1');
    expect(headers['x-forwarded-host']).toBe('127.0.0.1:8080');
    expect(headers['x-forwarded-proto']).toBe('http');
    expect(headers['x-client-cert']).toBeUndefined();
    expect(headers['forwarded']).toBeUndefined();
  });

  it.each([...oauthPaths, '/oauth2/authorize/Yz-1_a'])(
    'is forwarded only if its path is spelled exactly %s',
    async (path) => {
      expect((await gateway.call('GET', path)).status).toBe(200);
      const parts = path.split('/');
      const upper = (index: number): string =>
        parts.map((part, at) => (at === index ? part.toUpperCase() : part)).join('/');
      for (const spelling of [
        `${path}/`,
        `${path}//`,
        `/${path}`,
        path.replace(/\/(?=[^/]+$)/, '//'),
        path.replace(/[^/]$/, (letter) => `%${letter.charCodeAt(0).toString(16)}`),
        path.replace(/^\/./, (start) => `/%${start.charCodeAt(1).toString(16)}`),
        path.replace(/\/(?=[^/]+$)/, '%2F'),
        `${path};x=y`,
        upper(1),
        upper(2),
      ].filter((one) => one !== path))
        for (const method of ['GET', 'POST']) {
          const { status, body } = await gateway.call(method, spelling);
          expect([method, spelling, status]).toEqual([method, spelling, 404]);
          if (isAuthPath(spelling)) expect(Object.keys(body)).toEqual(['error', 'error_description']);
        }
    },
  );

  it('gets an error in under two seconds if the server accepts it and then hangs (quality: "no request hangs")', async () => {
    const began = performance.now();
    const page = await gateway.call('GET', '/sca/slow');
    expect(performance.now() - began).toBeLessThan(2000);
    expect([page.status, page.headers.get('retry-after')]).toEqual([503, '1']);
    // When the page resumes, nobody is waiting for its response any more.
    gateway.slowPages.pop()?.();
    expect((await gateway.call('GET', '/sca/quick')).status).toBe(200);
  });

  it('is not timed out while the server reports that it is up', async () => {
    let asked = 0;
    gateway.answers.set('svc.auth.present', () => {
      asked += 1;
      // By then, the two waits together are longer than the time-out for a server that does not respond.
      if (asked === 2) gateway.slowPages.pop()?.();
      return { ok: {} };
    });
    expect((await gateway.call('GET', '/sca/slow')).status).toBe(200);
    expect(asked).toBe(2);
  });

  it('gets an error after three seconds if another instance is up but the one that received it hangs', async () => {
    gateway.answers.set('svc.auth.present', () => ({ ok: {} }));
    const began = performance.now();
    const page = await gateway.call('GET', '/sca/slow');
    expect(performance.now() - began).toBeLessThan(4000);
    expect([page.status, page.headers.get('retry-after')]).toEqual([503, '1']);
    gateway.slowPages.pop()?.();
  });

  it('gets an error in the format of RFC 6749, or a page in a browser, if the server is down', async () => {
    gateway.stopAuth();
    const token = await gateway.call('POST', '/oauth2/token', { body: 'x' });
    expect([token.status, token.headers.get('retry-after'), token.body['error']]).toEqual([
      503,
      '1',
      'temporarily_unavailable',
    ]);
    const page = await gateway.call('GET', '/sca/payment/x/y');
    expect([page.status, page.headers.get('content-type')]).toEqual([
      503,
      expect.stringContaining('text/html'),
    ]);
  });
});
