import { describe, expect, it } from '@jest/globals';
import { readText } from './sources.js';

const page = readText('docs/glossary.md');

/** Returns the first cell of each table row, without header and delimiter rows. */
const listWords = (text: string): string[] =>
  [...text.matchAll(/^\| (?!-)([^|]+?) *\|/gm)]
    .map(([, word = '']) => word)
    .filter((word) => word !== 'word');

describe('the glossary', () => {
  it('lists each term once', () => {
    const words = listWords(page);
    expect(words.length).toBeGreaterThan(80);
    expect(words.filter((word, index) => words.indexOf(word) !== index)).toEqual([]);
  });
});
