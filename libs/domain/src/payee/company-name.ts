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
const longestDottedForm = 4;

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
  const formsFit =
    a.forms === undefined || b.forms === undefined || a.forms.some((form) => b.forms?.includes(form));
  const [joinedA, joinedB] = [a, b].map(({ words }) => nameKey(words.join('')));
  if (joinedA === undefined || joinedB === undefined) return 'NO_MATCH';
  if (joinedA === joinedB) return formsFit ? 'MATCH' : 'CLOSE_MATCH';
  const [keysA, keysB] = [a.words.map(nameKey), b.words.map(nameKey)];
  const isClose =
    formsFit && (isNear(joinedA, joinedB) || isReordered(keysA, keysB) || differsByOneWord(keysA, keysB));
  return isClose ? 'CLOSE_MATCH' : 'NO_MATCH';
};

const toCompanyName = (name: string): CompanyName => {
  const parsed = setFormAside(nameWords(name));
  // A company may be called "Prof Ltd": a title that is all there is of the name is the name.
  return parsed.words.length > 0 ? parsed : setFormAside(wordsWithTitles(name));
};

const setFormAside = (words: readonly string[]): CompanyName => {
  for (let count = longestDottedForm; count >= 1; count -= 1) {
    const ends = [
      { form: words.slice(-count), rest: words.slice(0, -count) },
      { form: words.slice(0, count), rest: words.slice(count) },
    ];
    for (const { form, rest } of ends) {
      const isDotted = form.length === count && form.every((letter) => letter.length === 1);
      const forms = count === 1 || isDotted ? legalForms[form.join('')] : undefined;
      if (forms !== undefined) return { words: rest, forms };
    }
  }
  return { words };
};

const isReordered = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.toSorted().every((key, at) => key === b.toSorted()[at]);

/** True if one has one word more than the other, after two words that are the same. */
const differsByOneWord = (a: readonly string[], b: readonly string[]): boolean => {
  const [shorter, longer] = a.length < b.length ? [a, b] : [b, a];
  if (longer.length !== shorter.length + 1) return false;
  const firstDifference = longer.findIndex((key, at) => key !== shorter[at]);
  return firstDifference >= 2 && longer.toSpliced(firstDifference, 1).every((key, at) => key === shorter[at]);
};
