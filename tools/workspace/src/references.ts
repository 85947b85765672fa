/**
 * A reference in a text to a chapter, a rule, a decision, an invariant, or a section of the architecture or
 * quality page.
 */
export interface Citation {
  /** The reference as written in the text, so that a reader can find it. */
  readonly words: string;
  /** The key of its target, such as `contract 4`, `spec 2.1 rule 3`, `adr 34`, `architecture event store 7`. */
  readonly target: string;
}

/** Everything that can be cited: maps each key to its page. */
type Targets = ReadonlyMap<string, string>;

const number = String.raw`\d+(?:\.\d+)*`;
/** `8`, `8, 10`, `9 to 11`, `3 and 8`. */
const list = String.raw`${number}(?:(?:, | and |, and |/| to )${number}(?![\w%-]))*`;
const numbered = new RegExp(
  String.raw`\b(contracts?|spec(?:ification)?|ADRs?|invariants?) (?:part |chapter |rule )?(${list})((?:,? (?:PSU-IP-Address )?rules? (?:${list}))?)`,
  'gi',
);
const euroRule = String.raw`E\d+(?:\.\d+[a-z]?)?`;
/** `contract E2.5`, `contract 14, E3`, `contract E3.2 to E3.4, E8.4`: rules of the euro profiles, and their parts. */
const ofEuro = new RegExp(
  String.raw`\bcontract (?:\d+, )*(${euroRule}(?:(?:, | and | to )${euroRule})*)`,
  'g',
);
/** The chapter that a rule belongs to as well; E4 is a chapter of its own. */
const euroChapter = (rule: string): string => (rule.startsWith('E4') ? 'contract 15' : 'contract 14');
/** `(architecture, Event store 1 and 6)`, `quality: "no request hangs"`. An object property is not a citation. */
const sections = new RegExp(
  String.raw`(?:\(|; |\/\*\* |\* |\bof )(architecture|quality)[,:] (?:"([^"]+)"|([A-Za-z]+(?: [a-z]+)*)((?: ${list})?))`,
  'gi',
);

const kinds: Readonly<Record<string, string>> = {
  contract: 'contract',
  contracts: 'contract',
  spec: 'spec',
  specification: 'spec',
  adr: 'adr',
  adrs: 'adr',
  invariant: 'invariant',
  invariants: 'invariant',
};

/**
 * Returns the numbers in a list, including those between `a` and `b` in `a to b`; in `3.1 to 3.3`, only the last
 * part is counted up.
 */
const numbersIn = (text: string): string[] =>
  text.split(/, and |, | and |\//).flatMap((part) => {
    const [from = '', to] = part.split(' to ');
    if (to === undefined) return [from];
    const [head, first, last] = [
      from.replace(/\d+$/, ''),
      Number(/\d+$/.exec(from)?.[0]),
      Number(/\d+$/.exec(to)?.[0]),
    ];
    return Array.from(
      { length: Math.max(0, last - first) + 1 },
      (_value, index) => `${head}${first + index}`,
    );
  });

/** Joins multi-line comments into one line, so that a citation may contain a line break anywhere. */
const unfolded = (text: string): string => text.replace(/\s*\n\s*(?:\*(?!\/)|\/\/|--|#)?\s*/g, ' ');

const withoutZeros = (text: string): string => text.replace(/^0+(?=\d)/, '');

/** Finds the citations of a source file or a page. */
export const citationsIn = (text: string): Citation[] => {
  const line = unfolded(text);
  const byNumber = [...line.matchAll(numbered)].flatMap(([words, kind = '', numbers = '', rules = '']) => {
    const targets = numbersIn(numbers).map((one) => `${kinds[kind.toLowerCase()]} ${withoutZeros(one)}`);
    const ofRules = numbersIn(rules.replace(/^.*rules? /, '')).filter((one) => one !== '');
    return [...targets, ...ofRules.map((rule) => `${targets.at(-1)} rule ${rule}`)].map((target) => ({
      words,
      target,
    }));
  });
  const bySection = [...line.matchAll(sections)].flatMap(
    ([words, page = '', quoted, heading = '', numbers = '']): Citation[] => {
      const key = `${page} ${quoted ?? heading}`.toLowerCase();
      if (/ invariants?$/.test(key)) return [];
      const items = numbersIn(numbers.trim()).filter((one) => one !== '');
      return [key, ...items.map((item) => `${key} ${item}`)].map((target) => ({ words, target }));
    },
  );
  const byEuro = [...line.matchAll(ofEuro)].flatMap(([words, rules = '']) =>
    numbersIn(rules)
      .flatMap((rule) => [euroChapter(rule), `contract ${rule}`])
      .map((target) => ({ words, target })),
  );
  return [...byNumber, ...byEuro, ...bySection];
};

export interface Section {
  readonly level: number;
  readonly title: string;
  readonly text: string;
}

/** Returns the headings of a page, each with the text up to the next heading. Fenced code is skipped. */
export const splitSections = (page: string): Section[] => {
  const parts = page.replace(/^```[\s\S]*?^```/gm, '').split(/^(#{1,6}) (.*)$/m);
  return Array.from({ length: Math.floor(parts.length / 3) }, (_value, index) => ({
    level: parts[index * 3 + 1]?.length ?? 0,
    title: parts[index * 3 + 2]?.trim() ?? '',
    text: parts[index * 3 + 3] ?? '',
  }));
};

const listItems = (text: string): string[] => [...text.matchAll(/^(\d+)\. /gm)].map(([, item = '']) => item);

/** The page with the rules of the euro profiles by number. */
const euroRules = 'docs/rules/euro.md';

/** Returns the keys that one page of docs/ provides. */
const targetsOfPage = (path: string, page: string): string[] => {
  if (path.startsWith('docs/contract/'))
    return splitSections(page).flatMap(
      ({ title }) => /^contract \d+(?=:)/i.exec(title)?.[0].toLowerCase() ?? [],
    );
  if (path === euroRules)
    return splitSections(page).flatMap(({ title, text }) => [
      ...(/^E\d+(?= )/.exec(title) ?? []).map((part) => `contract ${part}`),
      ...[...text.matchAll(/^\| (E\d+\.\d+[a-z]?) /gm)].map(([, rule = '']) => `contract ${rule}`),
    ]);
  if (path.startsWith('docs/rules/')) {
    const sectionsHere = splitSections(page);
    const [part = ''] = sectionsHere.flatMap(({ title }) => /^Spec (\d+):/.exec(title)?.[1] ?? []);
    return sectionsHere.flatMap(({ title, text }) => {
      const key = /^\d+\.\d+(?= )/.exec(title)?.[0] ?? part;
      return key === '' ? [] : [`spec ${key}`, ...listItems(text).map((item) => `spec ${key} rule ${item}`)];
    });
  }
  const decision = /^docs\/adr\/(\d{4})-/.exec(path)?.[1];
  if (decision !== undefined) return [`adr ${Number(decision)}`];
  const name = /^docs\/(architecture|quality)\.md$/.exec(path)?.[1];
  if (name === undefined) return [];
  return splitSections(page).flatMap(({ title, text }) => {
    const key = `${name} ${title.toLowerCase()}`;
    const invariants =
      key === 'quality reliability' ? listItems(text).map((item) => `invariant ${item}`) : [];
    return [key, ...listItems(text).map((item) => `${key} ${item}`), ...invariants];
  });
};

/** Returns everything in the pages of docs/ that a text can cite. */
const targetsIn = (pages: ReadonlyMap<string, string>): Targets =>
  new Map([...pages].flatMap(([path, page]) => targetsOfPage(path, page).map((key) => [key, path] as const)));

/** Pages by path, with the targets that they provide. */
export interface Documentation {
  readonly pages: ReadonlyMap<string, string>;
  readonly targets: Targets;
}
export const parseDocumentation = (pages: ReadonlyMap<string, string>): Documentation => ({
  pages,
  targets: targetsIn(pages),
});

/** Returns the dead citations in a text, as written. Quoted words may be any words from the cited page. */
export const deadCitations = (text: string, { pages, targets }: Documentation): string[] => {
  const isQuoted = (target: string): boolean => {
    const [name, ...words] = target.split(' ');
    const page = pages.get(`docs/${name}.md`)?.toLowerCase().replaceAll('`', '').replace(/\s+/g, ' ');
    return page?.includes(words.join(' ')) === true;
  };
  return citationsIn(text)
    .filter(({ words, target }) => !targets.has(target) && !(words.includes('"') && isQuoted(target)))
    .map(({ words, target }) => `"${words.trim()}" cites ${target}, which no page has`);
};

/** Returns the anchor that GitHub generates for a heading. */
export const toAnchor = (title: string): string =>
  title
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M} _-]/gu, '')
    .replaceAll(' ', '-');

export const listAnchors = (page: string): ReadonlySet<string> => {
  const seen = new Map<string, number>();
  return new Set(
    splitSections(page).map(({ title }) => {
      const anchor = toAnchor(title);
      const before = seen.get(anchor) ?? 0;
      seen.set(anchor, before + 1);
      return before === 0 ? anchor : `${anchor}-${before}`;
    }),
  );
};

/**
 * Returns a page's links to headings, each with the target file as written (empty for the page itself) and the
 * anchor.
 */
export const anchorLinksIn = (page: string): { readonly to: string; readonly anchor: string }[] =>
  [...page.matchAll(/\]\((?![a-z]+:)([^)#\s]*)#([^)\s]+)\)/g)].map(([, to = '', anchor = '']) => ({
    to,
    anchor,
  }));

/** Returns the pages that a text names by file path, such as `docs/how-to/operate.md`. */
export const pagesNamedIn = (text: string): string[] =>
  [...text.matchAll(/(?<![\w./:-])((?:[\w-]+\/)*[\w-]+\.md)\b/g)].map(([, path = '']) => path);
