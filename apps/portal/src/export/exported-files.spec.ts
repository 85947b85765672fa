import { describe, expect, it } from '@jest/globals';
import { makeProfile } from '@xs2a/domain/testing/profiles';
import { posix } from 'node:path';
import { exportedFiles } from './exported-files.js';
import { placeLinks } from './place-links.js';

const baseUrl = 'https://bank.example';
const profiles = ['sandbox', 'production', 'bg-euro', 'bg-euro-production'] as const;
const exports = profiles.map((name) => ({
  name,
  files: new Map(
    [
      ...exportedFiles({
        baseUrl,
        profile: makeProfile(name),
        sandbox: !name.includes('production'),
        day: '2026-03-02',
      }),
    ].map(([file, content]) => [file, String(content)]),
  ),
}));
const linksIn = (text: string): string[] =>
  [...text.matchAll(/ (?:href|src|action)="([^"]*)"/g)].map(([, link = '']) => link);

describe('the static export of the portal', () => {
  it.each(exports)('of the profile $name has no broken link', ({ files }) => {
    const pages = [...files].filter(([name]) => name.endsWith('.html'));
    expect(pages.length).toBeGreaterThan(80);
    for (const [name, text] of pages) {
      for (const link of linksIn(text).filter((one) => !one.startsWith('https://'))) {
        const [path = '', anchor] = link.replace(/\?[^#]*/, '').split('#');
        const target = path === '' ? name : posix.join(posix.dirname(name), path);
        const found = files.get(target);
        expect([name, link, found !== undefined]).toEqual([name, link, true]);
        if (anchor !== undefined)
          expect([name, link, found?.includes(` id="${anchor}"`)]).toEqual([name, link, true]);
      }
    }
  });

  it.each(exports)('of the profile $name links to the bank only what runs there', ({ files }) => {
    const paths = [...files.values()]
      .flatMap(linksIn)
      .filter((link) => link.startsWith(baseUrl))
      .map((link) => new URL(link).pathname);
    expect([...new Set(paths)].toSorted()).toEqual(['/reference/explorer', '/search', '/status']);
  });

  it.each(exports)('of the profile $name may be served under any path', ({ files }) => {
    for (const [name, text] of files)
      if (name.endsWith('.html'))
        expect([name, linksIn(text).filter((link) => link.startsWith('/'))]).toEqual([name, []]);
  });

  it('describes the endpoints of the sandbox only for a sandbox', () => {
    for (const { name, files } of exports)
      expect([name, files.has('reference/createPsu.html')]).toEqual([name, !name.includes('production')]);
  });

  it('has neither people nor secrets of a running sandbox', () => {
    const start = exports[0]?.files.get('index.html') ?? '';
    expect(start).toContain('$CLIENT_ID');
    expect(start).not.toMatch(/sandbox-tpp-secret|password <code>/);
    expect(exports[0]?.files.get('collections/postman.json')).not.toContain('sandbox-tpp');
  });

  it('leaves links in texts and code as they are', () => {
    const page = '<a href="/errors?x=1#y">a</a><code>&lt;a href=&quot;/errors&quot;&gt;</code><a href="#z">';
    const placed = placeLinks(page, {
      from: '/guides/one',
      files: new Map([['/errors', 'errors.html']]),
      baseUrl,
    });
    expect(placed).toBe(
      '<a href="../errors.html?x=1#y">a</a><code>&lt;a href=&quot;/errors&quot;&gt;</code><a href="#z">',
    );
  });
});
