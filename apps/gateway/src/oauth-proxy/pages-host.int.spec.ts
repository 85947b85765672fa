import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  authorisationId,
  consentId,
  GatewayUnderTest,
  paymentId,
  product,
} from '../testing/gateway-under-test.js';

const pages = 'http://pages.bank.example:8443';
const gateway = new GatewayUnderTest({ PAGES_URL: pages });
beforeAll(async () => gateway.start(), 30_000);
afterAll(async () => gateway.stop());
beforeEach(() => gateway.reset());

const originSeen = async (method: string, path: string): Promise<string> => {
  const { body } = await gateway.call(method, path);
  const headers = body['headers'] as Record<string, string>;
  return `${headers['x-forwarded-proto']}://${headers['x-forwarded-host']}`;
};

describe('a separate host for the PSU pages (contract 1)', () => {
  it('is used in the links to the pages, while every other address stays on the TPP host', async () => {
    const payment = await gateway.call('POST', `/v1/payments/${product}`, {
      bearer: await gateway.token(),
      body: '{"instructedAmount":{"currency":"BGN","amount":"1.00"}}',
      headers: { 'idempotency-key': 'k', 'tpp-redirect-uri': 'https://tpp.example/ok' },
    });
    expect(payment.body['_links']).toMatchObject({
      scaRedirect: { href: `${pages}/sca/payment/${paymentId}/${authorisationId}` },
      self: { href: `/v1/payments/${product}/${paymentId}` },
    });
  });

  it.each([
    ['GET', `/sca/consent/${consentId}/${authorisationId}`],
    ['POST', '/sca/authorize/uid'],
    ['GET', '/oauth2/authorize?client_id=tpp'],
    ['GET', '/oauth2/authorize/uid'],
  ])(
    'is passed to the authorization server with %s %s, so that its redirects stay on that host',
    async (method, path) => {
      expect(await originSeen(method, path)).toBe(pages);
    },
  );

  it.each([
    ['POST', '/oauth2/token'],
    ['POST', '/oauth2/par'],
    ['GET', '/.well-known/oauth-authorization-server'],
  ])(
    'is not used for %s %s, which reaches the authorization server with the TPP host',
    async (method, path) => {
      expect(await originSeen(method, path)).toBe('http://127.0.0.1:8080');
    },
  );

  it('is the host of the authorization endpoint in the API description, but not of the token endpoint', async () => {
    const { text } = await gateway.call('GET', '/openapi.json');
    expect(text).toContain(`"authorizationUrl":"${pages}/oauth2/authorize"`);
    expect(text).toContain('"tokenUrl":"http://127.0.0.1:8080/oauth2/token"');
  });
});
