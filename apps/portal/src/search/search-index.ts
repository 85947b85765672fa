import MiniSearch from 'minisearch';
import type { Passage } from './passages.js';

/** A passage that fits a query. */
export interface Hit extends Passage {
  /** A part of its text: before, at and after the first word that fits; the whole start if only the title fits. */
  readonly excerpt: readonly [before: string, word: string, after: string];
}

/** Words that are in almost every passage. */
const usual = new Set('a an and do for how i in is it my of on or the to with'.split(' '));
/** How much a page about an error counts in comparison with another passage that fits equally well. */
const errorWeight = 0.4;
/** How many hits are shown. */
const most = 20;
/** How many words of a query count. */
const mostWords = 10;
/** How many characters of the text are shown around a word. */
const around = 90;

/** A word as the pattern that fits only this word. */
const literal = (word: string): string => word.replaceAll(/[^\p{L}\p{N}]/gu, String.raw`\$&`);

const excerptOf = (text: string, words: readonly string[]): Hit['excerpt'] => {
  // The longer of two words that begin at the same place comes first.
  const any = words.toSorted((one, other) => other.length - one.length).map(literal);
  const found =
    words.length === 0 ? null : new RegExp(`(?<![a-z0-9])(?:${any.join('|')})`).exec(text.toLowerCase());
  if (found === null) return [text.slice(0, 2 * around), '', ''];
  const { 0: word, index: at } = found;
  const start = Math.max(0, at - around);
  const end = at + word.length;
  return [
    `${start === 0 ? '' : '…'}${text.slice(start, at)}`,
    text.slice(at, end),
    `${text.slice(end, end + around)}${end + around < text.length ? '…' : ''}`,
  ];
};

/** A title or query in lower case, with spaces between its words, as in `consent expired` for `CONSENT_EXPIRED`. */
const spaced = (text: string): string => text.toLowerCase().replaceAll('_', ' ').trim();

/**
 * Returns a function that searches the passages for any word of a query. The beginning of a word and a word with a
 * typing error match too. A passage whose title is the query comes first, then those that contain all words; each group is sorted by
 * relevance.
 */
export const searchIn = (passages: readonly Passage[]): ((query: string) => readonly Hit[]) => {
  const index = new MiniSearch<Passage>({
    fields: ['title', 'words', 'place', 'text'],
    processTerm: (term) => (usual.has(term.toLowerCase()) ? false : term.toLowerCase()),
    searchOptions: {
      boost: { title: 8, words: 8, place: 2 },
      prefix: (term) => term.length > 2,
      fuzzy: (term) => (term.length > 4 ? 0.2 : false),
      // Error codes are made of the words of the things they are about.
      boostDocument: (id) => (String(id).startsWith('/errors/') ? errorWeight : 1),
    },
  });
  index.addAll(passages);
  const byId = new Map(passages.map((passage) => [passage.id, passage]));
  return (query) => {
    const words = query.split(/\s+/).slice(0, mostWords).join(' ');
    const all = index.search(words, { combineWith: 'AND' });
    const fitAll = new Set(all.map(({ id }) => String(id)));
    const isTitle = ({ id }: { readonly id: unknown }): boolean =>
      spaced(byId.get(String(id))?.title ?? '') === spaced(query);
    const hits = [...all, ...index.search(words).filter(({ id }) => !fitAll.has(String(id)))];
    return [...hits.filter(isTitle), ...hits.filter((hit) => !isTitle(hit))]
      .slice(0, most)
      .flatMap(({ id, terms }) => {
        const passage = byId.get(String(id));
        return passage === undefined ? [] : [{ ...passage, excerpt: excerptOf(passage.text, terms) }];
      });
  };
};
