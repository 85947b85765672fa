import { describe, expect, it } from '@jest/globals';
import { style } from '../pages/style.js';
import { guidePage, guidesPage } from './guide-pages.js';
import { guides } from './guides.js';

const baseUrl = 'https://bank.example';
const all = Object.entries(guides).flatMap(([standard, ofStandard]) =>
  ofStandard.map((guide) => ({ standard, name: guide.name, guide, ofStandard })),
);

describe('the guides', () => {
  it.each(Object.entries(guides))('of a bank in %s are all in the list', (_standard, ofStandard) => {
    const list = guidesPage(ofStandard).text;
    expect(ofStandard.length).toBeGreaterThan(0);
    for (const { name, title } of ofStandard)
      expect(list).toContain(`<a href="/guides/${name}"><b>${title}</b></a>`);
  });

  it.each(all)('$name in $standard has one title, and its sections in the tree', ({ guide, ofStandard }) => {
    const { text } = guidePage(ofStandard, guide, baseUrl);
    expect(text.match(/<h1>/g)).toHaveLength(1);
    for (const { id } of guide.sections) {
      expect(text).toContain(`<a href="#${id}">`);
      expect(text).toContain(` id="${id}"`);
    }
  });

  it('have no token without a colour', () => {
    const kinds = new Set(
      all.flatMap(({ guide }) =>
        [...guide.lines.join('\n').matchAll(/class="(t-[a-z-]+)"/g)].map(([, kind]) => kind),
      ),
    );
    expect(kinds.size).toBeGreaterThan(3);
    for (const kind of kinds) expect(style).toMatch(new RegExp(`\\.${kind}\\b`));
  });

  it('with commands give the address of this bank before the first command', () => {
    const [token] = guides.lev;
    if (token === undefined) throw new Error('there is no guide');
    const { text } = guidePage(guides.lev, token, baseUrl);
    const set = text.indexOf(`export BASE_URL=${baseUrl}`);
    expect(set).toBeGreaterThan(0);
    expect(set).toBeLessThan(text.indexOf('$BASE_URL'));
    const profiles = guides.lev.find(({ name }) => name === 'profiles');
    expect(profiles).toBeDefined();
    if (profiles !== undefined)
      expect(guidePage(guides.lev, profiles, baseUrl).text).not.toContain('BASE_URL');
  });
});
