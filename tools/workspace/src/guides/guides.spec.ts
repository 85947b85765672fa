import { describe, expect, it } from '@jest/globals';
import { paymentStandards } from '@xs2a/domain/payment/standards/standards';
import { readText } from '../sources.js';
import { guideSources } from './guide-sources.js';
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
  it('are up to date', () => {
    expect(JSON.parse(readText('apps/portal/src/guides/generated/guides.json'))).toEqual(rendered);
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
    const guide = all.find(({ standard, name }) => standard === 'lev' && name === 'test-your-tpp');
    expect(guide?.html).toContain('(contract 11)');
    expect(guide?.html).not.toMatch(/href="[^"]*\.md/);
  });

  it('name the column in front of each cell for narrow screens', () => {
    const guide = all.find(({ name }) => name === 'test-your-tpp');
    expect(guide?.html).toMatch(
      /<td data-label="you want to see"><code>RCVD<\/code><\/td>\n<td data-label="do">/,
    );
  });
});
