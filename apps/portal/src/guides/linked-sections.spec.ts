import { describe, expect, it } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { guides } from './guides.js';

const sources = fileURLToPath(new URL('..', import.meta.url));
const linked = readdirSync(sources, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.spec.ts'))
  .flatMap((file) => [...readFileSync(`${sources}${file}`, 'utf8').matchAll(/\/guides\/([\w-]+)#([\w-]+)/g)])
  .map(([, name = '', anchor = '']) => ({ name, anchor }));

describe('a link from a page of the portal to a section of a guide', () => {
  it.each(linked)('leads to a section that exists in the guide: $name#$anchor', ({ name, anchor }) => {
    for (const ofStandard of Object.values(guides)) {
      const guide = ofStandard.find((one) => one.name === name);
      expect(guide?.lines.join('\n')).toContain(`id="${anchor}"`);
    }
  });

  it('is found by this spec in HTML and in the text of a rule', () => {
    const anchors = linked.map(({ anchor }) => anchor);
    expect(anchors.filter((anchor) => anchor === 'addresses-of-your-application')).toHaveLength(4);
    expect(anchors).toEqual(expect.arrayContaining(['what-is-safe-to-repeat', 'the-clock']));
  });
});
