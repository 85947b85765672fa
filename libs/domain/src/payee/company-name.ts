import { isNear, nameKey } from './name-key.js';
import { nameWords, wordsWithTitles } from './name-words.js';
import type { NameVerdict } from './name-verdict.js';

/** The legal forms in Latin letters, with the Bulgarian forms that each fits. */
const legalForms: Readonly<Record<string, readonly string[]>> = {
  OOD: ['OOD'], EOOD: ['EOOD'], AD: ['AD'], EAD: ['EAD'], ET: ['ET'], SD: ['SD'], KD: ['KD'], KDA: ['KDA'],
  DZZD: ['DZZD'],
  LTD: ['OOD', 'EOOD'], LIMITED: ['OOD', 'EOOD'], LLC: ['OOD', 'EOOD'],
  JSC: ['AD', 'EAD'], PLC: ['AD', 'EAD'],
}; // prettier-ignore

interface CompanyName {
  /** Without the legal form. */
  readonly words: readonly string[];
  /** The Bulgarian forms that the legal form fits; absent if the name has none. */
  readonly forms?: readonly string[];
}

/** Compares a name with one of a company's: registered, Latin or trading name. */
export const compareCompanyName = (asked: string, holder: string): NameVerdict => {
  const a = toCompanyName(asked);
  const b = toCompanyName(holder);
  if (a.words.length === 0 || b.words.length === 0) return 'NO_MATCH';
  const formsFit = doFormsFit(a, b);
  const [joinedA, joinedB] = [joinedKey(a), joinedKey(b)];
  if (joinedA === joinedB) return formsFit ? 'MATCH' : 'CLOSE_MATCH';
  if (isSameAsWhole(asked, b) || isSameAsWhole(holder, a)) return 'MATCH';
  const [keysA, keysB] = [a.words.map(nameKey), b.words.map(nameKey)];
  const isClose =
    formsFit && (isNear(joinedA, joinedB) || isReordered(keysA, keysB) || differsByOneWord(keysA, keysB));
  return isClose ? 'CLOSE_MATCH' : 'NO_MATCH';
};

const joinedKey = ({ words }: CompanyName): string => nameKey(words.join(''));
const doFormsFit = (a: CompanyName, b: CompanyName): boolean =>
  a.forms === undefined || b.forms === undefined || a.forms.some((form) => b.forms?.includes(form));
/** True if what looks like a legal form belongs to the name: "A. D. Stroy" is "A. D. Stroy EOOD". */
const isSameAsWhole = (name: string, other: CompanyName): boolean =>
  joinedKey({ words: nameWords(name) }) === joinedKey(other);

const toCompanyName = (name: string): CompanyName => {
  const parsed = setFormAside(name, nameWords);
  // A company may be called "Prof Ltd": a title that is all there is of the name is the name.
  return parsed.words.length > 0 ? parsed : setFormAside(name, wordsWithTitles);
};

/** A form without dots comes first: "K. D. OOD" is an OOD. Letters with dots may be all there is of the name. */
const setFormAside = (name: string, wordsOf: (text: string) => readonly string[]): CompanyName => {
  const words = wordsOf(name);
  // The letters of "K & D" are no dotted form.
  const parts = name.split(/[&+]/u).map((part) => wordsOf(part).length);
  const ends = [
    lastWords(words, 1),
    firstWords(words, 1),
    ...dottedCounts(words, parts.at(-1)).map((count) => lastWords(words, count)),
    ...dottedCounts(words, parts[0]).map((count) => firstWords(words, count)),
  ];
  for (const { form, rest } of ends) {
    const isDotted = form.every((word) => word.length === 1);
    const forms = form.length === 1 || isDotted ? legalForms[form.join('')] : undefined;
    if (forms !== undefined) return { words: rest, forms };
  }
  return { words };
};

interface End {
  readonly form: readonly string[];
  readonly rest: readonly string[];
}
const lastWords = (words: readonly string[], count: number): End => ({
  form: words.slice(-count),
  rest: words.slice(0, -count),
});
const firstWords = (words: readonly string[], count: number): End => ({
  form: words.slice(0, count),
  rest: words.slice(count),
});
/** How many letters a dotted form may have, if a part of the name has `partLength` words. */
const dottedCounts = (words: readonly string[], partLength = 0): readonly number[] =>
  [4, 3, 2].filter((count) => count <= partLength && count < words.length);

const isReordered = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.toSorted().every((key, at) => key === b.toSorted()[at]);

/** True if one has one word more than the other, after two words that are the same. */
const differsByOneWord = (a: readonly string[], b: readonly string[]): boolean => {
  const [shorter, longer] = a.length < b.length ? [a, b] : [b, a];
  if (longer.length !== shorter.length + 1) return false;
  const firstDifference = longer.findIndex((key, at) => key !== shorter[at]);
  return firstDifference >= 2 && longer.toSpliced(firstDifference, 1).every((key, at) => key === shorter[at]);
};
