import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { compareHolders } from './compare-holders.js';
import { compareCompanyName } from './company-name.js';
import { editDistance, isNear, nameKey } from './name-key.js';
import { nameWords } from './name-words.js';
import { comparePersonName } from './person-name.js';
import { transliterate } from './transliteration.js';

const runs = { numRuns: 10_000 };
const cyrillic = 'абвгдежзийклмнопрстуфхцчшщъьюя';
const capitalized = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);
/** A word of at least four letters: a shorter one may be what an initial is written as. */
const word = fc.string({ unit: fc.constantFrom(...cyrillic), minLength: 4, maxLength: 12 }).map(capitalized);
const fullName = fc.array(word, { minLength: 2, maxLength: 4 }).map((words) => words.join(' '));
const companyName = fc
  .tuple(
    fc.array(word, { minLength: 1, maxLength: 4 }),
    fc.constantFrom('', ' ООД', ' ЕООД', ' АД', ' Е.А.Д.', ' Ltd', ' PLC'),
  )
  .map(([words, form]) => words.join(' ') + form);
const keysOf = (name: string): string => nameWords(name).map(nameKey).toSorted().join(' ');

const phoneBook = {
  first: ['Иван', 'Ивана', 'Йоана', 'Мария', 'Марин', 'Мариана', 'Петър', 'Петя', 'Георги', 'Юлия', 'Юлиян'],
  last: ['Петров', 'Петрова', 'Петков', 'Иванов', 'Иванова', 'Георгиев', 'Щерева', 'Стоянова', 'Стоянов'],
};
const entry = fc
  .tuple(fc.constantFrom(...phoneBook.first), fc.constantFrom(...phoneBook.last))
  .map((names) => names.join(' '));

describe('comparing names (contract E4.5)', () => {
  it('matches a Cyrillic name with its Latin transliteration, in any case and order', () => {
    fc.assert(
      fc.property(fullName, fc.boolean(), (name, isUpper) => {
        const latin = transliterate(isUpper ? name.toUpperCase() : name);
        expect(latin).toMatch(/^[A-Za-z ]*$/);
        expect(comparePersonName(latin, name)).toBe('MATCH');
        expect(comparePersonName(latin.split(' ').toReversed().join(', '), name)).toBe('MATCH');
        expect(compareCompanyName(latin, name)).toBe('MATCH');
      }),
      runs,
    );
  });

  it('never matches two different people of a phone book', () => {
    fc.assert(
      fc.property(entry, entry, (asked, holder) => {
        const isSame = asked === holder;
        expect(comparePersonName(asked, holder) === 'MATCH').toBe(isSame);
        expect(comparePersonName(transliterate(asked), holder) === 'MATCH').toBe(isSame);
      }),
      runs,
    );
    fc.assert(
      fc.property(fullName, fullName, (asked, holder) => {
        const isPart = keysOf(asked)
          .split(' ')
          .every((key) => keysOf(holder).split(' ').includes(key));
        if (!isPart) expect(comparePersonName(asked, holder)).not.toBe('MATCH');
      }),
      runs,
    );
  });

  it('gives the same verdict whichever of two first and last names, or of two companies, is the holder', () => {
    const twoWords = fc.tuple(word, word).map((words) => words.join(' '));
    fc.assert(
      fc.property(fc.oneof(entry, twoWords), fc.oneof(entry, twoWords), (a, b) => {
        expect(comparePersonName(a, b)).toBe(comparePersonName(b, a));
      }),
      runs,
    );
    const company = fc.oneof(companyName, fc.string({ unit: 'binary', maxLength: 40 }));
    fc.assert(
      fc.property(company, company, (a, b) => {
        expect(compareCompanyName(a, b)).toBe(compareCompanyName(b, a));
      }),
      runs,
    );
  });

  it('gives a verdict for any text, and discloses a name only for a close match', () => {
    const anyText = fc.oneof(fc.string({ unit: 'binary', maxLength: 70 }), fullName, companyName);
    fc.assert(
      fc.property(anyText, anyText, anyText, (asked, one, another) => {
        const compared = compareHolders(asked, [
          { kind: 'person', name: one },
          { kind: 'company', names: [another] },
        ]);
        expect('name' in compared).toBe(compared.verdict === 'CLOSE_MATCH');
      }),
      runs,
    );
  });

  it('measures edits: a distance is symmetric, keeps the triangle inequality, and one slip is one edit', () => {
    const short = fc.string({ unit: fc.constantFrom('A', 'B', 'C'), maxLength: 9 });
    fc.assert(
      fc.property(short, short, short, (a, b, c) => {
        expect(editDistance(a, b)).toBe(editDistance(b, a));
        expect(editDistance(a, b) === 0).toBe(a === b);
        expect(editDistance(a, c)).toBeLessThanOrEqual(editDistance(a, b) + editDistance(b, c));
      }),
      runs,
    );
    fc.assert(
      fc.property(short, fc.nat(), (a, seed) => {
        const at = seed % (a.length + 1);
        const swapped = a.slice(0, at) + a.charAt(at + 1) + a.charAt(at) + a.slice(at + 2);
        for (const slip of [swapped, `${a.slice(0, at)}X${a.slice(at)}`, a.slice(0, at) + a.slice(at + 1)])
          expect(editDistance(a, slip)).toBe(a === slip ? 0 : 1);
      }),
      runs,
    );
  });

  it.each([
    ['PETROF', 'PETROV', true],
    ['PETORV', 'PETROV', true],
    ['PETROFF', 'PETROVA', false],
    ['GEORGEVA', 'GEORGIEV', true],
    ['GEORGIEFF', 'GEORGIEVA', true],
    ['ANA', 'ENA', false],
    ['ANA', 'ANNA', true],
  ])('%s is near %s: %s', (a, b, near) => {
    expect(isNear(a, b)).toBe(near);
  });

  it.each([
    ['Щерева', 'Shtereva'],
    ['ЩЕРЕВА', 'SHTEREVA'],
    ['Жеко Ж.', 'Zheko Zh.'],
    ['София, Ия', 'Sofia, Ia'],
    ['Цветан Мъглижки-Гьошев', 'Tsvetan Maglizhki-Gyoshev'],
    ['Ivan Ünal', 'Ivan Ünal'],
  ])('writes %s as %s', (name, latin) => {
    expect(transliterate(name)).toBe(latin);
  });

  it.each([
    ['Łukasz Đorđe Øst Straße Æsir', 'LUKASZ DORDE OST STRASSE AESIR'],
    ["O'Neill D’Arcy", 'ONEILL DARCY'],
    ['Mr. Dr. José-María', 'JOSE MARIA'],
    ['г-жа арх. Ана', 'ANA'],
    ['Иван д-р Петров', 'IVAN D R PETROV'],
  ])('takes the words of %s: %s', (name, words) => {
    expect(nameWords(name).join(' ')).toBe(words);
  });
});
