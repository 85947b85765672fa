import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
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
  it('is refused in a sandbox, whether or not one is in the header', async () => {
    const bearer = await sandbox.token();
    for (const query of [
      `access_token=${bearer}`,
      'access_token=',
      `access_token=a&%61ccess_token=${bearer}`,
    ])
      for (const sent of [{}, { bearer }, { bearer: 'made-up' }]) {
        const refused = await sandbox.call('GET', `${status}?${query}`, sent);
        expect([readCode(refused), refused.headers.get('www-authenticate')]).toEqual([
          '401 TOKEN_INVALID',
          'Bearer',
        ]);
      }
  });

  it('is ignored outside the sandbox, where only the header counts', async () => {
    const bearer = await production.token();
    const withUrl = await production.call('GET', `${status}?access_token=${bearer}`);
    const without = await production.call('GET', status);
    expect(readCode(withUrl)).toBe('401 TOKEN_UNKNOWN');
    expect(withUrl.body).toEqual(without.body);
    const inBoth = await production.call('GET', `${status}?access_token=${bearer}`, { bearer });
    const inHeader = await production.call('GET', status, { bearer });
    expect([inBoth.status, inBoth.body]).toEqual([inHeader.status, inHeader.body]);
  });
});
