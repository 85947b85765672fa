import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { GatewayUnderTest, paymentId, product } from '../testing/gateway-under-test.js';

const name = 'x-sandbox-clock';
/** So few that two requests of a TPP that are held make a third exceed the share. */
const shares = { SHARE_REQUESTS: 2 };
const sandbox = new GatewayUnderTest(shares);
const production = new GatewayUnderTest({
  ...shares,
  SANDBOX: false,
  SANDBOX_CLOCK: 'fixed',
  CLIENT_CERTIFICATES: 'optional',
});
const both = [
  ['in a sandbox', sandbox],
  ['outside the sandbox', production],
] as const;
beforeAll(async () => {
  for (const [, gateway] of both) await gateway.start();
  sandbox.clock.raiseTo(86_400_000);
}, 60_000);
afterAll(async () => {
  for (const [, gateway] of both) await gateway.stop();
});
const held: (() => void)[] = [];
beforeEach(() => {
  for (const [, gateway] of both) gateway.reset();
});
afterEach(() => {
  for (const release of held.splice(0)) release();
});

const status = `/v1/payments/${product}/${paymentId}/status`;
type Ask = (gateway: GatewayUnderTest) => Promise<string>;

/** Sends a request as written, and returns the status line and headers of the final answer. */
const raw =
  (request: string, ...lines: string[]): Ask =>
  async (gateway) => {
    const sent = [request, 'Host: x', 'Connection: close', ...lines, '', ''].join('\r\n');
    const heads = (await gateway.bare(sent)).split('\r\n\r\n');
    return heads.find((head) => !head.startsWith('HTTP/1.1 100 ')) ?? '';
  };
const withToken =
  (request: string, ...lines: string[]): Ask =>
  async (gateway) =>
    raw(request, `Authorization: Bearer ${await gateway.token()}`, ...lines)(gateway);

/** Holds two of a TPP's requests, and returns the answer to a third, sent by `ask`. */
const beyondShare =
  (ask: Ask): Ask =>
  async (gateway) => {
    gateway.answers.set(
      'svc.payments.read-status',
      async () => new Promise((resolve) => held.push(() => resolve({ ok: { transactionStatus: 'RCVD' } }))),
    );
    const waiting = [1, 2].map(async () => withToken(`GET ${status} HTTP/1.1`)(gateway));
    while (held.length < 2) await new Promise(setImmediate);
    const answer = await ask(gateway);
    for (const release of held.splice(0)) release();
    await Promise.all(waiting);
    return answer;
  };

const answers: readonly (readonly [what: string, status: number, ask: Ask])[] = [
  ['a success', 200, withToken(`GET ${status} HTTP/1.1`)],
  ['a HEAD', 200, withToken(`HEAD ${status} HTTP/1.1`)],
  ['OPTIONS', 204, raw('OPTIONS /v1/accounts HTTP/1.1')],
  ['a redirect', 302, raw('GET / HTTP/1.1')],
  ['no token', 401, raw(`GET ${status} HTTP/1.1`)],
  ['a malformed header', 400, withToken(`GET ${status} HTTP/1.1`, 'PSU-IP-Address: x')],
  ['a second Host', 400, raw(`GET ${status} HTTP/1.1`, 'Host: y')],
  ['an excluded format', 406, withToken(`GET ${status} HTTP/1.1`, 'Accept: text/html')],
  ['an unknown path', 404, raw('GET /v1/nothing HTTP/1.1')],
  ['a path that the router refuses', 404, raw('GET /%zz HTTP/1.1')],
  ['a wrong method', 405, raw('PUT /v1/consents HTTP/1.1')],
  ['an unknown method', 405, raw('FOO /v1/consents HTTP/1.1')],
  ['a body without a type', 415, withToken('POST /v1/consents HTTP/1.1', 'Content-Length: 0')],
  [
    'a declared body that is too large',
    413,
    withToken('POST /v1/consents HTTP/1.1', 'Content-Type: application/json', 'Content-Length: 99999999'),
  ],
  ['a request beyond the share', 429, beyondShare(withToken(`GET ${status} HTTP/1.1`))],
  ['a malformed request', 400, async (gateway) => gateway.bare('GET  HTTP/1.1\r\n\r\n')],
  ['headers that are too large', 431, raw('GET / HTTP/1.1', `X: ${'x'.repeat(20_000)}`)],
  ['an unknown expectation', 200, withToken(`GET ${status} HTTP/1.1`, 'Expect: nothing')],
  [
    'an error of a service',
    500,
    async (gateway) => {
      gateway.answers.delete('svc.payments.read-status');
      return withToken(`GET ${status} HTTP/1.1`)(gateway);
    },
  ],
  ['health', 200, raw('GET /health/live HTTP/1.1')],
  ['readiness', 200, raw('GET /health/ready HTTP/1.1')],
  ['the API description', 200, raw('GET /openapi.json HTTP/1.1')],
  ['the documentation', 200, raw('GET /docs HTTP/1.1')],
  ['an answer of the authorization server', 200, raw('GET /oauth2/jwks HTTP/1.1')],
  ['discovery', 200, raw('GET /.well-known/oauth-authorization-server HTTP/1.1')],
  ['a page', 200, raw('GET /sca/apps HTTP/1.1')],
  ['an unknown OAuth path', 404, raw('GET /oauth2/nothing HTTP/1.1')],
  ['a wrong method of an OAuth path', 405, raw('TRACE /oauth2/jwks HTTP/1.1')],
  ['a proxied request with an expectation', 200, raw('GET /oauth2/jwks HTTP/1.1', 'Expect: nothing')],
  [
    'a proxied body that waits for permission',
    200,
    raw('POST /oauth2/token HTTP/1.1', 'Expect: 100-continue', 'Content-Length: 0'),
  ],
  ['an OAuth path with two Hosts', 400, raw('GET /oauth2/jwks HTTP/1.1', 'Host: y')],
  ['an OAuth path that the router refuses', 404, raw('GET /oauth2/%zz HTTP/1.1')],
];

const readHeader = (head: string): string[] =>
  [...head.matchAll(/^x-sandbox-clock: (.*)\r?$/gim)].map(([, value = '']) => value);

describe('X-Sandbox-Clock (contract 13)', () => {
  it.each(answers)('is the time of the sandbox on the answer to %s', async (_what, status, ask) => {
    const before = sandbox.clock.now();
    const head = await ask(sandbox);
    expect(head).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    const [value = '', ...others] = readHeader(head);
    expect(others).toEqual([]);
    expect(new Date(value).toISOString()).toBe(value);
    expect(before <= value && value <= sandbox.clock.now()).toBe(true);
  });

  it.each(answers)('is absent outside the sandbox on the answer to %s', async (_what, status, ask) => {
    const head = await ask(production);
    expect(head).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(readHeader(head)).toEqual([]);
  });

  it.each(both)('has no effect in a request %s', async (_where, gateway) => {
    const sent = '2099-01-01T00:00:00.000Z';
    const bearer = await gateway.token();
    const answer = await gateway.call('GET', status, { bearer, headers: { [name]: sent } });
    expect(answer.status).toBe(200);
    expect(answer.headers.get(name)).not.toBe(sent);
    expect(gateway.clock.nowMs()).toBeLessThan(Date.parse(sent));
  });

  it('is the time after the move on the answer to POST /sandbox/clock', async () => {
    sandbox.answers.set('svc.accounts.sandbox.advance-clock', () => ({
      ok: { offsetMs: sandbox.clock.offsetMs + 3_600_000 },
    }));
    for (const subject of ['payments.expire-due', 'consents.expire-due', 'settlement.drain'])
      sandbox.answers.set(`svc.${subject}`, () => ({ ok: {} }));
    const body = JSON.stringify({ advance: 'PT1H' });
    const answer = await sandbox.call('POST', '/sandbox/clock', { bearer: await sandbox.token(), body });
    expect(answer.status).toBe(200);
    expect(String(answer.headers.get(name)) >= String(answer.body['now'])).toBe(true);
  });
});
