import { describe, expect, it } from '@jest/globals';
import { repositoryFiles, readText } from './sources.js';

const page = readText('docs/glossary.md');
const code = repositoryFiles()
  .filter((file) => /^(?:apps|libs|tools|test)\/.*\.(?:ts|mjs)$/.test(file))
  .map(readText)
  .join('\n');

/** The first cells of a table, heads and rulers aside. */
const listWords = (text: string): string[] =>
  [...text.matchAll(/^\| (?!-)([^|]+?) *\|/gm)]
    .map(([, word = '']) => word)
    .filter((word) => word !== 'word' && word !== 'in the code');

describe('the glossary', () => {
  it('has each word once', () => {
    const words = listWords(page);
    expect(words.length).toBeGreaterThan(80);
    expect(words.filter((word, index) => words.indexOf(word) !== index)).toEqual([]);
  });

  it('lists as words of our own only what the code still uses: take a row away when its word is gone', () => {
    const own = listWords(page.slice(page.indexOf('## Words of our own'))).map((word) =>
      word.replaceAll('`', ''),
    );
    expect(own.length).toBeGreaterThan(0);
    expect(own.filter((word) => !new RegExp(String.raw`\b${word}\b`).test(code))).toEqual([]);
  });
});
