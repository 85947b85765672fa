import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { GatewayUnderTest, paymentId, product, readCode } from '../../testing/gateway-under-test.js';

const sandbox = new GatewayUnderTest();
const production = new GatewayUnderTest({
  SANDBOX: false,
  SANDBOX_CLOCK: 'fixed',
  CLIENT_CERTIFICATES: 'optional',
});
const both = [sandbox, production];
beforeAll(async () => {
  for (const gateway of both) await gateway.start();
}, 60_000);
afterAll(async () => {
  for (const gateway of both) await gateway.stop();
});
beforeEach(() => {
  for (const gateway of both) gateway.reset();
});

const status = `/v1/payments/${product}/${paymentId}/status`;

describe('an access token in the URL (contract 3)', () => {
  it.each([
    ['in a sandbox', sandbox],
    ['at a bank', production],
  ] as const)('is ignored %s: only the header counts', async (_where, gateway) => {
    const bearer = await gateway.token();
    const without = await gateway.call('GET', status);
    for (const query of [
      `access_token=${bearer}`,
      'access_token=',
      `access_token=a&%61ccess_token=${bearer}`,
    ]) {
      const withUrl = await gateway.call('GET', `${status}?${query}`);
      expect(readCode(withUrl)).toBe('401 TOKEN_UNKNOWN');
      expect(withUrl.body).toEqual(without.body);
      const inBoth = await gateway.call('GET', `${status}?${query}`, { bearer });
      const inHeader = await gateway.call('GET', status, { bearer });
      expect([inBoth.status, inBoth.body]).toEqual([inHeader.status, inHeader.body]);
      const wrong = await gateway.call('GET', `${status}?${query}`, { bearer: 'made-up' });
      expect(readCode(wrong)).toBe('401 TOKEN_UNKNOWN');
    }
  });

  it('adds the call to the log of its TPP in a sandbox, also after expiry, if it is the first access token in the URL', async () => {
    const expired = await sandbox.token({}, { expiresIn: -5 });
    const urls = [
      `${status}?access_token=${expired}`,
      `${status}?access_token=made-up&access_token=${expired}`,
      `${status}?access_token=made-up`,
      `${status}?access_token=${expired}&access_token=made-up`,
    ];
    const ids = urls.map(() => randomUUID());
    for (const [index, url] of urls.entries())
      await sandbox.call('GET', url, { headers: { 'x-request-id': ids[index] ?? '' } });
    const rows = await sandbox.rows();
    const tppOf = (id: string) => rows.find(({ requestId }) => requestId === id)?.tppId;
    expect(ids.map(tppOf)).toEqual(['tpp', undefined, undefined, 'tpp']);
  });
});
