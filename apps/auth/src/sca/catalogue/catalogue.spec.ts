import { describe, expect, it } from '@jest/globals';
import { languages } from './catalogue.js';
import { catalogues } from './catalogues.js';

/** All texts of a catalogue, by path. A text that is a function is called with a name and a number. */
const texts = (value: unknown, path = ''): [string, string][] => {
  if (typeof value === 'string') return [[path, value]];
  if (typeof value === 'function') return [[path, String(Reflect.apply(value, undefined, ['Acme']))]];
  return Object.entries(Object(value)).flatMap(([key, inner]) => texts(inner, `${path}.${key}`));
};

describe('catalogues (contract 12: Bulgarian and English)', () => {
  const [bg, en] = languages.map((language) => new Map(texts(catalogues[language])));

  it('contain the same texts, none of them empty', () => {
    expect([...(bg?.keys() ?? [])]).toEqual([...(en?.keys() ?? [])]);
    expect([...(bg?.values() ?? []), ...(en?.values() ?? [])].filter((text) => text.trim() === '')).toEqual(
      [],
    );
  });

  it('are each written in their own language', () => {
    const latin = [...(bg ?? [])].filter(([, text]) => !/\p{Script=Cyrillic}/u.test(text));
    const cyrillic = [...(en ?? [])].filter(([, text]) => /\p{Script=Cyrillic}/u.test(text));
    expect({ latin, cyrillic }).toEqual({ latin: [], cyrillic: [] });
  });

  it('never reveal which of two inputs was wrong', () => {
    expect(catalogues.en.notice['sign-in-failed']('0700')).toMatch(/user name and password/);
  });
});
