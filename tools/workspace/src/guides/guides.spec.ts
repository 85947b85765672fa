import { describe, expect, it } from '@jest/globals';
import { paymentStandards } from '@xs2a/domain/payment/standards/standards';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { readText, root } from '../sources.js';
import { guideSources } from './guide-sources.js';
import { generatedPages } from './generated-pages.js';
import { renderedChangelog } from './rendered-changelog.js';
import { renderedEvents } from './rendered-events.js';
import { renderedGuides } from './rendered-guides.js';

const rendered = renderedGuides();
const all = Object.entries(rendered).flatMap(([standard, guides]) =>
  guides.map((guide) => ({ standard, name: guide.name, guide, html: guide.lines.join('\n') })),
);
const idsOf = (html: string): string[] => [...html.matchAll(/ id="([^"]+)"/g)].map(([, id = '']) => id);
const blocksOf = (html: string): string[] =>
  [...html.matchAll(/<pre tabindex="0"><code>([^]*?)<\/code><\/pre>/g)].map(([, code = '']) =>
    code
      .replaceAll(/<[^>]*>/g, '')
      .replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>')
      .replaceAll('&quot;', '"')
      .replaceAll('&#39;', "'")
      .replaceAll('&amp;', '&'),
  );

describe('the guides of the developer portal (npm run guides)', () => {
  it.each([...generatedPages()])('are up to date: %s', (file, content) => {
    expect(JSON.parse(readText(file))).toEqual(content);
  });

  it.each(all)('$name for $standard has each anchor once, and a title', ({ guide, html }) => {
    const ids = idsOf(html);
    expect(ids).toEqual([...new Set(ids)]);
    expect(ids).toEqual(expect.arrayContaining(guide.sections.map(({ id }) => id)));
    expect(guide.lines[0]).toBe(`<h1>${guide.title}</h1>`);
  });

  it.each(all)('$name for $standard links only to pages and sections that the portal has', ({ html }) => {
    const links = [...html.matchAll(/href="([^"]*)"/g)].map(([, href = '']) => href);
    for (const href of links.filter((one) => !one.startsWith('https://'))) {
      const [path = '', anchor] = href.split('#');
      const target = path === '' ? html : all.find(({ name }) => path === `/guides/${name}`)?.html;
      if (path !== '/errors' && path !== '/reference') expect([href, target]).not.toContain(undefined);
      if (anchor !== undefined) expect(idsOf(target ?? '')).toContain(anchor);
    }
  });

  it.each(all)('$name for $standard has no inline style or script', ({ html }) => {
    expect(html).not.toMatch(/ style=|<script|<style| on\w+=/);
  });

  it('show the examples of the page without a change for a bank in leva', () => {
    for (const { file } of guideSources) {
      const { html } = all.find(
        ({ standard, name }) => standard === 'lev' && file.endsWith(`/${name}.md`),
      ) ?? {
        html: '',
      };
      const written = [...readText(file).matchAll(/```\w*\n([^]*?)```/g)].map(([, code = '']) =>
        code.trimEnd(),
      );
      expect(blocksOf(html)).toEqual(expect.arrayContaining(written));
    }
  });

  it('pay in euro at a bank in euro', () => {
    const { homeCurrency, periodicProduct } = paymentStandards.euro;
    const guide = all.find(({ standard, name }) => standard === 'euro' && name === 'test-your-tpp');
    const examples = blocksOf(guide?.html ?? '').join('\n');
    expect(examples).toContain(`/v1/payments/${periodicProduct}"`);
    expect(examples).toContain(`\\"currency\\":\\"${homeCurrency}\\"`);
    expect(guide?.html).not.toMatch(/\bBGN\b|NURG/);
  });

  it('keep the text of links to what the portal does not have', () => {
    const guide = all.find(({ standard, name }) => standard === 'lev' && name === 'generate-a-client');
    expect(guide?.html).toContain('has the client <code>@xs2a/client</code>.');
    for (const { html } of all) expect(html).not.toMatch(/href="[^"]*\.md/);
  });

  it('name the column in front of each cell for narrow screens', () => {
    const guide = all.find(({ name }) => name === 'test-your-tpp');
    expect(guide?.html).toMatch(
      /<td data-label="you want to see"><code>RCVD<\/code><\/td>\n<td data-label="do">/,
    );
  });

  it.each(all)(
    '$name for $standard as text has the code as it is, and no link to what the portal lacks',
    ({ guide, html }) => {
      const text = guide.text.join('\n');
      expect(text.startsWith(`# ${guide.title}\n`)).toBe(true);
      for (const code of blocksOf(html)) for (const line of code.split('\n')) expect(text).toContain(line);
      expect(text.replaceAll(/```[^]*?```/g, '')).not.toMatch(/\]\([^)]*\.md/);
    },
  );
});

describe('the changelog of the developer portal', () => {
  const versions = renderedChangelog();

  it('has what each version means for TPPs, and nothing for others', () => {
    expect(versions.map(({ version }) => version)).toEqual(
      [...readText('CHANGELOG.md').matchAll(/^## \[([^\]]+)\]/gm)].map(([, version]) => version),
    );
    for (const { lines } of versions) expect(lines.join('\n')).toMatch(/^<ul>[^]*<\/ul>$/);
    expect(JSON.stringify(versions)).not.toContain('For operators');
  });

  it('has no link to what the portal lacks', () => {
    const links = [...JSON.stringify(versions).matchAll(/href=\\"([^"\\]*)/g)].map(([, href = '']) => href);
    expect(links.filter((href) => !/^https:|^\/(?:errors|reference|guides)/.test(href))).toEqual([]);
  });
});

describe('the published events on the developer portal', () => {
  it('are all listed, with when they happen', () => {
    const html = renderedEvents().join('\n');
    const files = readdirSync(join(root, 'docs/events')).filter((name) => name.endsWith('.json'));
    const types = new Set(files.map((name) => name.replace(/^\w+\.(.*)\.v\d+\.json$/, '$1')));
    expect(types.size).toBeGreaterThan(40);
    for (const type of types) expect(html).toContain(`<code>${type}</code>`);
    expect(html).not.toMatch(/href="(?!https:)/);
  });
});
