import { transliterate } from './transliteration.js';

const apostrophes = /['’‘ʼ`´′]/gu;
const separateLetters: Readonly<Record<string, string>> = { Æ: 'AE', Ø: 'O', Đ: 'D', Ł: 'L', ẞ: 'SS' };
const titles = 'G-N G-ZHA G-TSA D-R INZH ARH ADV MR MRS MS MISS DR PROF ING'.split(' ');
const leadingTitle = new RegExp(`^[^\\p{L}\\p{N}]*(?:${titles.join('|')})(?![\\p{L}\\p{N}])`, 'u');

/** Returns the words of a name in Latin capitals, titles included. */
export const wordsWithTitles = (name: string): readonly string[] => split(latinCapitals(name));

/** Returns the words of a name in Latin capitals, without leading titles. */
export const nameWords = (name: string): readonly string[] => {
  let rest = latinCapitals(name);
  while (leadingTitle.test(rest)) rest = rest.replace(leadingTitle, '');
  return split(rest);
};

const split = (text: string): readonly string[] =>
  text.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '');

const latinCapitals = (name: string): string =>
  transliterate(name.replace(apostrophes, ''))
    .toUpperCase()
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/\p{Pd}/gu, '-')
    .replace(/[ÆØĐŁẞ]/gu, (letter) => separateLetters[letter] ?? letter);
