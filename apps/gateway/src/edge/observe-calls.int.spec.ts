import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Reply } from '@xs2a/contracts/call';
import { metrics } from '@xs2a/observability/metrics';
import { GatewayUnderTest, paymentId, product } from '../testing/gateway-under-test.js';

const gateway = new GatewayUnderTest();
beforeAll(async () => gateway.start(), 30_000);
afterAll(async () => gateway.stop());
beforeEach(() => {
  gateway.reset();
  metrics.resetMetrics();
});

/** How many requests were measured, by endpoint and status. */
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
const errors = (): string[] => gateway.logged.filter((line) => /"level":[56]0/.test(line));

describe('a client that hangs up', () => {
  it('while its request is worked on is counted as that, and is no error of ours', async () => {
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
  ])('before its body has come is counted as that at %s, and is no error of ours', async (endpoint, path) => {
    const begun = `${await head('POST', path)}Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{"a":`;
    await gateway.hangUp(begun, async () => gateway.call('GET', '/health/live'));
    expect(await untilMeasured(`${endpoint} 499`)).toMatchObject({ [`${endpoint} 499`]: 1 });
    expect(errors()).toEqual([]);
  });
});
