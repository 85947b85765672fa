import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Reply } from '@xs2a/contracts/call';
import { metrics } from '@xs2a/observability/metrics';
import { randomUUID } from 'node:crypto';
import { GatewayUnderTest, paymentId, product, refused } from '../testing/gateway-under-test.js';

const gateway = new GatewayUnderTest();
beforeAll(async () => gateway.start(), 30_000);
afterAll(async () => gateway.stop());
beforeEach(() => {
  gateway.reset();
  metrics.resetMetrics();
});

/** Returns the number of measured requests by endpoint and status. */
const measured = async (): Promise<Record<string, number>> => {
  const { values } = (await metrics.getSingleMetric('xs2a_http_seconds')?.get()) ?? { values: [] };
  const counts = values.filter((value) => Reflect.get(value, 'metricName') === 'xs2a_http_seconds_count');
  return Object.fromEntries(
    counts.map(({ labels, value }) => [`${String(labels['endpoint'])} ${String(labels['status'])}`, value]),
  );
};
const untilMeasured = async (wanted: string): Promise<Record<string, number>> => {
  for (;;) {
    const found = await measured();
    if (wanted in found) return found;
    await new Promise(setImmediate);
  }
};
const head = async (method: string, path: string): Promise<string> =>
  `${method} ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${await gateway.token()}\r\n`;
const errors = (): string[] => gateway.logged.filter((line) => /"level":"(?:error|fatal)"/.test(line));

describe('a client disconnect (docs/how-to/operate.md)', () => {
  it('is counted as such, not as a server error, if it happens while the request is being handled', async () => {
    const reached = Promise.withResolvers<void>();
    const answer = Promise.withResolvers<Reply<unknown>>();
    gateway.answers.set('svc.payments.read-status', () => {
      reached.resolve();
      return answer.promise;
    });
    const path = `/v1/payments/${product}/${paymentId}/status`;
    await gateway.hangUp(`${await head('GET', path)}\r\n`, async () => reached.promise);
    expect(await untilMeasured('readPaymentStatus 499')).toEqual({ 'readPaymentStatus 499': 1 });
    answer.resolve({ ok: { transactionStatus: 'RCVD' } });
    await gateway.call('GET', '/health/live');
    expect(errors()).toEqual([]);
  });

  it.each([
    ['initiatePayment', `/v1/payments/${product}`],
    ['unknown', '/v1/nothing'],
  ])(
    'is counted as such at %s, not as a server error, if it happens before the complete body has arrived',
    async (endpoint, path) => {
      const begun = `${await head('POST', path)}Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{"a":`;
      await gateway.hangUp(begun, async () => gateway.call('GET', '/health/live'));
      expect(await untilMeasured(`${endpoint} 499`)).toMatchObject({ [`${endpoint} 499`]: 1 });
      expect(errors()).toEqual([]);
    },
  );
});

describe('a call that is answered 503 because a dependency does not answer (docs/how-to/operate.md)', () => {
  it.each(['accounts', 'postgres', 'core-bank'])(
    'is logged as a warning that names the dependency, which the TPP never sees: %s',
    async (dependency) => {
      gateway.answers.set(
        'svc.payments.read-status',
        refused({ failure: 'dependencyDown', retryAfter: 1, dependency }),
      );
      const bearer = await gateway.token();
      const answer = await gateway.call('GET', `/v1/payments/${product}/${paymentId}/status`, { bearer });
      expect([answer.status, JSON.stringify(answer.body).includes(dependency)]).toEqual([503, false]);
      while (!gateway.logged.some((line) => line.includes('"call"'))) await new Promise(setImmediate);
      const lines = gateway.logged.map((line) => JSON.parse(line) as Record<string, unknown>);
      expect(lines.filter(({ msg }) => msg === 'call')).toEqual([
        expect.objectContaining({ level: 'warn', status: 503, dependency }),
      ]);
    },
  );
});

describe('the log line of each call, served or refused (docs/how-to/operate.md)', () => {
  const canaries = [
    'BG80BNBG96611020345678',
    'Canary Canarieva',
    'canary-secret',
    'canary-key',
    '198.51.100.99',
  ];
  const body = JSON.stringify({
    debtorAccount: { iban: canaries[0] },
    creditorName: canaries[1],
    [canaries[2] ?? '']: 1,
  });
  /** Waits for this number of log lines. Each line is written once the call is finished on its connection. */
  const lines = async (count: number): Promise<Record<string, unknown>[]> => {
    while (gateway.logged.length < count) await new Promise(setImmediate);
    return gateway.logged
      .map((line) => JSON.parse(line) as Record<string, unknown>)
      .filter(({ msg }) => msg === 'call')
      .map(({ requestId, tpp, method, endpoint, status, code, ms }) => {
        expect([typeof requestId, typeof ms]).toEqual(['string', 'number']);
        return { tpp, call: `${String(method)} ${String(endpoint)}`, outcome: [status, code] };
      });
  };
  const status = `/v1/payments/${product}/${paymentId}/status`;
  const pattern = '/payments/:paymentProduct/:paymentId/status';
  /** The method, path and token claims (undefined: no token) of each call, and the expected log line. */
  const calls: readonly [string, string, object | undefined, object][] = [
    ['GET', status, {}, { tpp: 'tpp', call: `GET ${pattern}`, outcome: [200, undefined] }],
    ['GET', status, undefined, { tpp: undefined, call: `GET ${pattern}`, outcome: [401, 'TOKEN_UNKNOWN'] }],
    [
      'GET',
      status,
      { client_id: 'ai-only' },
      { tpp: 'ai-only', call: `GET ${pattern}`, outcome: [401, 'ROLE_INVALID'] },
    ],
    [
      'GET',
      status,
      { client_id: 'barred' },
      { tpp: 'barred', call: `GET ${pattern}`, outcome: [401, 'CERTIFICATE_BLOCKED'] },
    ],
    [
      'POST',
      `/v1/payments/${product}`,
      {},
      { tpp: 'tpp', call: 'POST /payments/:paymentProduct', outcome: [400, 'FORMAT_ERROR'] },
    ],
    [
      'POST',
      '/v1/payments/canary-secret',
      {},
      { tpp: 'tpp', call: 'POST /payments/:paymentProduct', outcome: [404, 'PRODUCT_UNKNOWN'] },
    ],
    [
      'GET',
      '/v1/BG80BNBG96611020345678',
      {},
      { tpp: undefined, call: 'GET unknown', outcome: [404, 'RESOURCE_UNKNOWN'] },
    ],
    [
      'PATCH',
      '/v1/accounts',
      {},
      { tpp: undefined, call: 'PATCH unknown', outcome: [405, 'SERVICE_INVALID'] },
    ],
    [
      'GET',
      '/v1/%zz/canary-secret',
      {},
      { tpp: undefined, call: 'GET unreadable', outcome: [404, 'RESOURCE_UNKNOWN'] },
    ],
    [
      'POST',
      '/oauth2/token',
      undefined,
      { tpp: undefined, call: 'POST /oauth2/token', outcome: [200, undefined] },
    ],
    [
      'POST',
      '/oauth2/par',
      undefined,
      { tpp: undefined, call: 'POST /oauth2/par', outcome: [200, undefined] },
    ],
    [
      'GET',
      '/oauth2/authorize/canary-secret',
      undefined,
      { tpp: undefined, call: 'GET /oauth2/*', outcome: [200, undefined] },
    ],
    [
      'PATCH',
      '/sandbox/accounts/BG80BNBG96611020345678',
      undefined,
      { tpp: undefined, call: 'PATCH /sandbox/accounts/:iban', outcome: [401, 'TOKEN_UNKNOWN'] },
    ],
  ];

  it('records the caller, the endpoint and the result, and no data about a PSU, a token or a body', async () => {
    gateway.answers.set('svc.payments.initiate', refused({ failure: 'fieldMissing', path: 'endToEndId' }));
    const bearers: string[] = [];
    for (const [method, path, claims] of calls) {
      const bearer = claims === undefined ? undefined : await gateway.token({ ...claims });
      if (bearer !== undefined) bearers.push(bearer);
      const headers = {
        'psu-id': 'canary-secret',
        'idempotency-key': 'canary-key',
        'psu-ip-address': '198.51.100.99',
        'x-request-id': 'canary-key',
        ...(path === `/v1/payments/${product}` ? { 'x-request-id': randomUUID() } : {}),
      };
      await gateway.call(method, `${path}?name=Canary Canarieva`, {
        bearer,
        ...(method === 'GET' ? { headers: path === status ? {} : headers } : { body, headers }),
      });
    }
    await gateway.bare('NONSENSE canary-secret\r\n\r\n');
    await gateway.call('GET', '/health/live');
    const unreadable = { tpp: undefined, call: '- unreadable', outcome: [400, undefined] };
    expect(await lines(calls.length + 1)).toEqual([...calls.map(([, , , line]) => line), unreadable]);
    const text = gateway.logged.join('');
    for (const canary of [...canaries, paymentId, product, ...bearers]) expect(text).not.toContain(canary);
  });

  it('identifies a call by its X-Request-ID', async () => {
    const requestId = randomUUID();
    await gateway.call('GET', status, { headers: { 'x-request-id': requestId } });
    await lines(1);
    expect(gateway.logged.map((line) => JSON.parse(line) as object)).toEqual([
      expect.objectContaining({ level: 'info', service: 'gateway', requestId, msg: 'call' }),
    ]);
  });
});
