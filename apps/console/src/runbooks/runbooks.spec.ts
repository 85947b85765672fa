import { describe, expect, it } from '@jest/globals';
import { root } from '@xs2a/runtime/release';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { renderMarkdown } from './markdown.js';
import { renderRunbook, runbookTitle } from './runbooks.js';

const folder = join(root, 'docs/runbooks');
const names = readdirSync(folder).map((file) => file.slice(0, -3));
const plain = (text: string): string =>
  text
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
const rendered = (text: string): string =>
  renderMarkdown(text, (target) => (target === 'push-fails.md' ? '/known' : undefined)).text;

describe('a runbook in the console', () => {
  it.each(names)('is rendered in full, with every word and without marks of Markdown: %s', (name) => {
    const { text = '' } = renderRunbook(name)?.body ?? {};
    const shown = plain(text.replaceAll(/<pre[^>]*>[\s\S]*?<\/pre>/g, ''));
    expect(shown).not.toMatch(/\*\*|```|\]\(|^#/);
    const source = readFileSync(join(folder, `${name}.md`), 'utf8').replaceAll(/```[\s\S]*?```/g, '');
    const words = (of: string): string[] => of.match(/[A-Za-z]{6,}/g) ?? [];
    const linked = source.replaceAll(/\]\([^)]*\)/g, ']');
    expect(words(shown.replaceAll('&#39;', "'").replaceAll(/&\w+;/g, ' '))).toEqual(
      words(linked.slice(linked.indexOf('\n'))),
    );
  });

  it('has its title, and every link to another runbook leads to an existing heading', () => {
    expect(runbookTitle('push-fails')).toBe('A TPP gets no notifications');
    for (const name of names)
      for (const [, page = '', anchor] of (renderRunbook(name)?.body.text ?? '').matchAll(
        /href="\/runbooks\/([\w-]+)(?:#([\w-]+))?"/g,
      )) {
        const target = renderRunbook(page);
        expect([name, page, target === undefined]).toEqual([name, page, false]);
        if (anchor !== undefined) expect(target?.body.text).toContain(`id="${anchor}"`);
      }
  });

  it('has no page outside the runbooks', () => {
    for (const name of ['../how-to/operate', 'nothing', '', '__proto__'])
      expect(renderRunbook(name)).toBeUndefined();
  });
});

describe('the Markdown of runbooks', () => {
  it('has lists with code in their items, tables, headings, code and bold text', () => {
    expect(plain(rendered('1. one\n   two\n\n   ```bash\n   a  b\n   ```\n\n2. three'))).toBe(
      'one two a b three',
    );
    expect(rendered('1. one\n   ```\n   x\n   ```\n2. two')).toMatch(
      /<li><p>one<\/p><pre[^>]*>x<\/pre><\/li><li>/,
    );
    expect(plain(rendered('| a | b |\n| - | - |\n| 1 | `2` |'))).toBe('a b 1 2');
    expect(rendered('## One of several')).toBe('<h2 id="one-of-several">One of several</h2>');
    expect(rendered('**Do `not`**, a `<b>`')).toBe(
      '<p><strong>Do <code>not</code></strong>, a <code>&lt;b&gt;</code></p>',
    );
  });

  it('shows the text of a link whose page the console does not have', () => {
    expect(rendered('[a](push-fails.md) [b](disk-fills.md)')).toBe('<p><a href="/known">a</a> b</p>');
  });
});
