import { isNear, nameKey } from './name-key.js';
import { nameWords } from './name-words.js';
import { digraphs } from './transliteration.js';
import type { NameVerdict } from './name-verdict.js';

interface Word {
  readonly key: string;
  /** One letter, or the Latin letters of one Cyrillic letter. */
  readonly mayBeInitial: boolean;
}
/** A person's names. An absent first or last name has been assigned to a word already. */
interface PersonName {
  readonly first?: Word;
  readonly middle: readonly Word[];
  readonly last?: Word;
}

/** Compares a name with a person's, as the account has it. */
export const comparePersonName = (asked: string, holder: string): NameVerdict => {
  const words = toWords(asked);
  const person = toPersonName(toWords(holder));
  if (words.length < 2) return 'NO_MATCH';
  if (isSame(words, person)) return 'MATCH';
  const isClose =
    withoutOne(words).some(
      ({ one, rest }) =>
        isSame(rest, person) ||
        (person.first !== undefined &&
          isInitialOf(one, person.first) &&
          isSame(rest, withoutFirst(person))) ||
        withoutEachName(person).some(({ name, others }) => isSlip(one, name) && isSame(rest, others)),
    ) ||
    isSame(words, withoutFirst(person)) ||
    isSame(words, withoutLast(person));
  return isClose ? 'CLOSE_MATCH' : 'NO_MATCH';
};

const toWords = (name: string): readonly Word[] =>
  nameWords(name).map((word) => ({
    key: nameKey(word),
    mayBeInitial: word.length === 1 || digraphs.has(word),
  }));

const toPersonName = (words: readonly Word[]): PersonName => ({
  first: words[0],
  middle: words.slice(1, -1),
  last: words.length > 1 ? words.at(-1) : undefined,
});

const withoutFirst = ({ middle, last }: PersonName): PersonName => ({ middle, last });
const withoutLast = ({ first, middle }: PersonName): PersonName => ({ first, middle });
const withoutEachName = (
  person: PersonName,
): readonly { readonly name?: Word; readonly others: PersonName }[] => [
  { name: person.first, others: withoutFirst(person) },
  { name: person.last, others: withoutLast(person) },
  ...withoutOne(person.middle).map(({ one, rest }) => ({ name: one, others: { ...person, middle: rest } })),
];

const withoutOne = <T>(list: readonly T[]): readonly { readonly one: T; readonly rest: readonly T[] }[] =>
  list.map((one, at) => ({ one, rest: list.toSpliced(at, 1) }));

const isInitialOf = (word: Word, name: Word): boolean => word.mayBeInitial && name.key.startsWith(word.key);
const isSlip = (word: Word, name: Word | undefined): boolean =>
  name !== undefined && isNear(word.key, name.key);

/** True if the words are first and last name in any order, and some of the middle ones or their initials. */
const isSame = (words: readonly Word[], { first, middle, last }: PersonName): boolean => {
  let rest = words;
  for (const name of [first, last]) {
    if (name === undefined) continue;
    const at = rest.findIndex(({ key }) => key === name.key);
    if (at === -1) return false;
    rest = rest.toSpliced(at, 1);
  }
  return areMiddleNames(rest, middle);
};

/** Longer words choose first, because what fits a longer initial fits a shorter one too. */
const areMiddleNames = (words: readonly Word[], middle: readonly Word[]): boolean => {
  let free = middle;
  for (const word of words.toSorted((a, b) => b.key.length - a.key.length)) {
    const equal = free.findIndex(({ key }) => key === word.key);
    const at = equal === -1 ? free.findIndex((name) => isInitialOf(word, name)) : equal;
    if (at === -1) return false;
    free = free.toSpliced(at, 1);
  }
  return true;
};
