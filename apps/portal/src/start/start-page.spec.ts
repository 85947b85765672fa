import { describe, expect, it } from '@jest/globals';
import { makeProfile } from '@xs2a/domain/testing/profiles';
import { openApiDocument } from '@xs2a/gateway/openapi/document';
import { readFileSync } from 'node:fs';
import { listOperations, pageOf } from '../reference/operations.js';
import type { Fixtures } from './fixtures.js';
import { startPage } from './start-page.js';

const baseUrl = 'http://127.0.0.1:8080';
const profile = makeProfile('sandbox');
const file = new URL('../../../../deploy/sandbox/sandbox-fixtures.json', import.meta.url);
const fixtures = JSON.parse(readFileSync(file, 'utf8')) as Fixtures;
const sandbox = { fixtures, now: '2026-03-02T10:00:00.000Z', offsetMs: 0 };
const { text } = startPage({ baseUrl, profile, sandbox });

describe('the start page of a sandbox', () => {
  it('lists its clients, with the secret and the redirect URIs of each', () => {
    const section = text.slice(text.indexOf('id="clients"'), text.indexOf('id="clock"'));
    for (const { clientId, clientSecret, redirectUris } of fixtures.tpps)
      for (const shown of [clientId, clientSecret, ...redirectUris]) expect(section).toContain(shown);
  });

  it('has commands that need nothing but a shell and curl', () => {
    expect(text).toContain('curl ');
    expect(text).not.toMatch(/uuidgen|gdate|\/proc\/|\bjq\b/);
  });

  it.each([
    ['in a sandbox', text],
    ['at a bank', startPage({ baseUrl, profile }).text],
  ])('sets each variable of its commands before it is used: %s', (_where, shown) => {
    for (const name of ['TOKEN', 'PAYMENT_ID']) {
      const set = shown.indexOf(`${name}=&#39;the `);
      expect([name, set > 0 && set < shown.indexOf(`$${name}`)]).toEqual([name, true]);
    }
  });

  it('links only to operations of the sandbox that exist', () => {
    const document = openApiDocument({ baseUrl, pagesUrl: baseUrl, sandbox: true, profile });
    const pages = new Set(listOperations(document).map(({ operation }) => pageOf(operation)));
    const links = [...text.matchAll(/href="(\/reference\/[^"]+)"/g)].map(([, href = '']) => href);
    expect(links.length).toBeGreaterThan(1);
    for (const link of links) expect(pages).toContain(link);
  });

  it('has the client id of the developer who has signed in, and neither a secret nor a shared client in the first command', () => {
    const own = startPage({ baseUrl, profile, sandbox, clientId: 'tpp-of-mine' }).text;
    const command = /-u [^ ]+ /.exec(own)?.[0];
    expect(command).toBe('-u tpp-of-mine:&quot;$CLIENT_SECRET&quot; ');
    expect(own).not.toContain('This client belongs to every user');
  });

  it('shows neither people nor clients without a sandbox', () => {
    const bank = startPage({ baseUrl, profile }).text;
    expect(bank).not.toMatch(/id="(?:people|clients|clock)"|sandbox-tpp/);
  });
});
