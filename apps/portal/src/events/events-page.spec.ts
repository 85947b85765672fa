import { describe, expect, it } from '@jest/globals';
import { makeProfile } from '@xs2a/domain/testing/profiles';
import { openApiDocument } from '@xs2a/gateway/openapi/document';
import { eventsPage } from './events-page.js';

const baseUrl = 'http://127.0.0.1:8080';
const profiles = ['sandbox', 'production', 'bg-euro', 'bg-euro-production'] as const;
const pageOf = (name: (typeof profiles)[number], sandbox = !name.includes('production')): string => {
  const document = openApiDocument({ baseUrl, pagesUrl: baseUrl, sandbox, profile: makeProfile(name) });
  return eventsPage(document, '2026-03-02').text;
};

describe('the page about events (contract 11)', () => {
  it.each(profiles)('lists the headers and fields of a notification: %s', (name) => {
    const text = pageOf(name);
    for (const part of ['X-JWS-Signature', 'X-Request-ID', 'transactionStatus', '_links.status.href'])
      expect(text).toContain(`<code>${part}</code>`);
    expect(text).not.toMatch(/undefined|\[object |\$ref/);
    const ids = [...text.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
    expect(ids).toEqual([...new Set(ids)]);
  });

  it('mentions the clock of the sandbox only in a sandbox, and reason codes only with instant payments', () => {
    for (const name of profiles) {
      const text = pageOf(name);
      expect([name, text.includes('X-Sandbox-Clock')]).toEqual([name, !name.includes('production')]);
      expect([name, text.includes('<code>reasonCode</code> <span')]).toEqual([name, name.includes('euro')]);
    }
  });

  it('links each operation that takes TPP-Notification-URI', () => {
    const links = [...pageOf('sandbox').matchAll(/<li><a href="\/reference\/(\w+)"/g)].map(([, id]) => id);
    expect(links).toEqual(
      expect.arrayContaining(['initiatePayment', 'initiatePeriodicPayment', 'createConsent', 'createBasket']),
    );
    expect(links).not.toContain('readPaymentStatus');
  });

  it('says that the published events are for the bank, and names them', () => {
    const [, published = ''] = pageOf('production').split('<h2 id="published">');
    expect(published).toContain('TPPs do not receive them');
    expect(published).toContain('<code>settled</code>');
  });
});
