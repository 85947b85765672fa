import { describe, expect, it } from '@jest/globals';
import { languages } from './catalogue.js';
import { catalogues } from './catalogues.js';
import { digestTexts, textsVersion } from './texts-version.js';

/** The catalogue with one text changed, or with one text for a single number changed. */
const { en } = catalogues;
const changes: readonly (readonly [string, unknown])[] = [
  ['a text', { ...en, code: { ...en.code, label: `${en.code.label} ` } }],
  ['a text with a name', { ...en, accounts: { ...en.accounts, lead: (tpp: string) => `${tpp}: choose.` } }],
  [
    'the text for one number',
    {
      ...en,
      value: {
        ...en.value,
        timesADay: (times: number) => (times === 2 ? 'twice' : en.value.timesADay(times)),
      },
    },
  ],
  [
    'the text without a value',
    { ...en, value: { ...en.value, period: (from?: string, end?: string) => `${from ?? '…'} ${end}` } },
  ],
  ['two texts that were swapped', { ...en, cancelHere: en.signOut, signOut: en.cancelHere }],
];

describe('the version of the pages’ texts', () => {
  it('is a SHA-256 that differs between the languages', () => {
    const versions = languages.map(textsVersion);
    expect(new Set(versions).size).toBe(languages.length);
    for (const version of versions) expect(version).toMatch(/^[\w-]{43}$/);
  });

  it('is the same for the same texts', () => {
    expect(digestTexts({ ...en })).toBe(textsVersion('en'));
  });

  it.each(changes)('changes with %s', (_title, changed) => {
    expect(digestTexts(changed)).not.toBe(textsVersion('en'));
  });

  it('depends on every text', () => {
    const withoutEach = Object.keys(en).map((part) => digestTexts({ ...en, [part]: undefined }));
    expect(new Set([...withoutEach, textsVersion('en')]).size).toBe(Object.keys(en).length + 1);
  });
});
