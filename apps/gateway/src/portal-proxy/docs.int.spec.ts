import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { GatewayUnderTest } from '../testing/gateway-under-test.js';

const without = new GatewayUnderTest();
const withPortal = new GatewayUnderTest({ PORTAL: 'documents', PORTAL_URL: 'http://127.0.0.1:9' });
beforeAll(async () => {
  await Promise.all([without.start(), withPortal.start()]);
}, 30_000);
afterAll(async () => {
  await Promise.all([without.stop(), withPortal.stop()]);
});

describe('GET /docs (contract 1)', () => {
  it('is one plain page without a developer portal, which links /openapi.json and loads nothing', async () => {
    const { status, headers, text } = await without.call('GET', '/docs');
    expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(headers.get('content-security-policy')).toMatch(/^default-src 'none';/);
    expect(text).toContain('<a href="/openapi.json">');
    expect(text).not.toMatch(/<script|<style|<link|<img/);
  });

  it('leads to the reference of the developer portal', async () => {
    for (const method of ['GET', 'HEAD']) {
      const { status, headers } = await withPortal.call(method, '/docs');
      expect([status, headers.get('location')]).toEqual([302, '/reference']);
    }
  });
});
