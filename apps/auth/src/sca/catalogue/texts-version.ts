import { createHash } from 'node:crypto';
import { type Language, languages } from './catalogue.js';
import { catalogues } from './catalogues.js';

const texts = ['‹1›', '‹2›'] as const;
/** The arguments for which a text is computed: every text depends on names, days or numbers up to the days of a month. */
const samples: readonly (readonly unknown[])[] = [
  texts,
  [texts[0], undefined],
  [undefined, texts[1]],
  ...Array.from({ length: 32 }, (_, number) => [number, number]),
];

/** All texts of a part of a catalogue, each with its path. */
const listTexts = (value: unknown, path: string): readonly (readonly [string, string])[] => {
  if (typeof value === 'function')
    return samples.map((sample) => [path, String(Reflect.apply(value, undefined, sample))] as const);
  if (typeof value !== 'object' || value === null) return [[path, String(value)]];
  return Object.entries(value).flatMap(([name, inner]) => listTexts(inner, `${path}/${name}`));
};

/** The SHA-256 of all texts of a catalogue, in base64url. It changes with every text. */
export const digestTexts = (catalogue: unknown): string =>
  createHash('sha256')
    .update(JSON.stringify(listTexts(catalogue, '')))
    .digest('base64url');

const versions = new Map(languages.map((language) => [language, digestTexts(catalogues[language])]));

/** The version of the pages' texts in a language. */
export const textsVersion = (language: Language): string => versions.get(language) ?? '';
