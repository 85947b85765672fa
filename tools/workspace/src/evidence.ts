import { basename } from 'node:path';
import { citationsIn, pagesNamedIn } from './references.js';
import type { Documentation } from './references.js';
import { testTitles, type TestTitle } from './test-titles.js';

/** A part of the documentation that tests cite in their titles. */
interface Part {
  /** The key of a citation, such as `contract 9`, `spec 2.1 rule 3` or `docs/how-to/archive.md`. */
  readonly key: string;
  readonly title: string;
  /** The page that contains the part, relative to docs/. */
  readonly page: string;
}

interface Test {
  readonly file: string;
  readonly titles: TestTitle;
  readonly cites: ReadonlySet<string>;
}

/** True for a recipe or a runbook. */
const isOperated = (path: string): boolean => /^docs\/(?:how-to|runbooks)\//.test(path);

/** Returns the parts that a title cites. A citation of a rule or list item also cites its section. */
const partsCited = (title: string): string[] => [
  ...citationsIn(title).map(({ target }) => target),
  ...pagesNamedIn(title).filter(isOperated),
];

/** Returns every test in the spec files, which are given by path, with its citations. */
export const collectTests = (specs: ReadonlyMap<string, string>): Test[] =>
  [...specs].flatMap(([file, source]) =>
    testTitles(source).map((titles) => ({ file, titles, cites: new Set(titles.flatMap(partsCited)) })),
  );

const heading = (text: string): string => /^#+ (.*)$/m.exec(text)?.[1] ?? '';

/** Returns the title of a rule: its heading or, for a list item, the heading above it and the item's number. */
const ruleTitle = (key: string, page: string): string => {
  const [, section = '', item] = /^spec ([\d.]+)(?: rule (\d+))?$/.exec(key) ?? [];
  const found = new RegExp(String.raw`^## ${section.replaceAll('.', String.raw`\.`)} (.*)$`, 'm').exec(page);
  const name = found === null ? heading(page).replace(/^Spec \d+: /, '') : found[1];
  return `${section} ${name}${item === undefined ? '' : `, rule ${item}`}`;
};

/** The key of a rule of the euro profiles. */
const euroRule = /^contract E\d+\./;

/** Returns the number of a rule of the euro profiles and what it is about, from its row in the table. */
const euroTitle = (key: string, page: string): string => {
  const rule = key.slice('contract '.length);
  return `${rule}: ${new RegExp(String.raw`^\| ${rule.replace('.', String.raw`\.`)} *\| (.*?) *\|`, 'm').exec(page)?.[1] ?? ''}`;
};

/** Returns the parts that need a test, in document order: chapters, rules, invariants. */
const partsToShow = ({ pages, targets }: Documentation): Part[] =>
  [...targets].flatMap(([key, path]): Part[] => {
    const text = pages.get(path) ?? '';
    const page = path.slice('docs/'.length);
    if (euroRule.test(key)) return [{ key, title: euroTitle(key, text), page }];
    if (key.startsWith('contract E')) return [];
    if (key.startsWith('contract ')) return [{ key, title: heading(text), page }];
    // True for a part with sections; tests cite its sections instead.
    const isWhole =
      /^spec \d+$/.test(key) && [...targets.keys()].some((other) => other.startsWith(`${key}.`));
    if (key.startsWith('spec ') && !isWhole) return [{ key, title: ruleTitle(key, text), page }];
    if (key.startsWith('invariant ')) return [{ key, title: key, page }];
    return [];
  });

/** Escapes a title for Markdown; code spans remain unchanged. */
const escaped = (title: string): string =>
  title
    .split(/(`[^`]*`)/)
    .map((piece, at) => (at % 2 === 1 ? piece : piece.replace(/[\\<*_[\]`]/g, String.raw`\$&`)))
    .join('')
    .replace(/\s+/g, ' ');

const grouped = <Item>(items: readonly Item[], keyOf: (item: Item) => string): [string, Item[]][] => {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const key = keyOf(item);
    groups.set(key, [...(groups.get(key) ?? []), item]);
  }
  return [...groups];
};

/** Lists the describe blocks of the tests by file; a test outside any block appears under its own title. */
const listTests = (tests: readonly Test[]): string =>
  grouped(tests, ({ file }) => file)
    .map(([file, inFile]) => {
      const blocks = grouped(inFile, ({ titles }) => titles.slice(0, -1).map(escaped).join(' › '));
      const lines = blocks.flatMap(([block, inBlock]) =>
        block === '' ? inBlock.map(({ titles }) => escaped(titles.at(-1) ?? '')) : [block],
      );
      return `- [${basename(file)}](../../${file}): ${lines.join('; ')}\n`;
    })
    .join('');

/** Lists, for each part, the blocks or single tests whose titles cite it. */
const listBlocks = (tests: readonly Test[], key: string): string =>
  grouped(tests, ({ file }) => file)
    .map(([file, inFile]) => {
      const citing = inFile.map(
        ({ titles }) => titles.find((title) => partsCited(title).includes(key)) ?? titles.at(-1) ?? '',
      );
      return `- [${basename(file)}](../../${file}): ${[...new Set(citing)].map(escaped).join('; ')}`;
    })
    .join('\n');

const generated = '`npm run evidence` writes this page from the titles of the tests.';

interface Page {
  readonly file: string;
  readonly title: string;
  readonly text: string;
}

const pageOf = (file: string, title: string, text: string): Page => ({
  file,
  title,
  text: `# ${title}\n\n${generated}\n\n${text.trimEnd()}\n`,
});

const two = (number: string): string => number.padStart(2, '0');

/** Returns the pages of docs/evidence, keyed by file name. */
export const evidencePages = (
  tests: readonly Test[],
  documentation: Documentation,
): ReadonlyMap<string, string> => {
  const parts = partsToShow(documentation);
  const citing = (matches: (key: string) => boolean): Test[] =>
    tests.filter(({ cites }) => [...cites].some(matches));

  const chapters = parts
    .filter(({ key }) => key.startsWith('contract ') && !euroRule.test(key))
    .map(({ key, title }) => {
      const found = citing((cited) => cited === key);
      return pageOf(`contract-${two(key.slice('contract '.length))}.md`, title, listTests(found));
    });

  const listRules = (rules: readonly Part[]): string =>
    rules
      .map(({ key, title, page }) => {
        const found = citing((cited) => cited === key);
        return `## [${title}](../${page})\n\n${listBlocks(found, key)}\n`;
      })
      .join('\n');
  const rulesPage = pageOf(
    'rules.md',
    'The bank’s rules',
    listRules(parts.filter(({ key }) => key.startsWith('spec '))),
  );
  const euroPage = pageOf(
    'euro.md',
    'The rules of the euro profiles',
    listRules(parts.filter(({ key }) => euroRule.test(key))),
  );

  const promised = citing((key) => /^(?:quality|invariant) /.test(key));
  const quality = pageOf('quality.md', 'Quality', listTests(promised));
  const built = citing((key) => key.startsWith('architecture '));
  const architecture = pageOf('architecture.md', 'Architecture', listTests(built));

  const pagesOperated = [...documentation.pages].filter(([path]) => isOperated(path));
  const operation = pageOf(
    'how-to.md',
    'Recipes and operation',
    pagesOperated
      .map(([path, text]) => {
        const found = citing((key) => key === path);
        if (found.length === 0) return '';
        return `## [${heading(text)}](../${path.slice('docs/'.length)})\n\n${listTests(found)}`;
      })
      .join('\n'),
  );

  const all = [...chapters, rulesPage, euroPage, quality, architecture, operation];
  const index = [
    '# Evidence that the promises are kept',
    '',
    `${generated} A test names in its title, or in that of a block around it, what it shows: "(contract 9)", "(spec 2.4)",`,
    '"(quality, Reliability)". A spec fails when a page is not up to date, or when a chapter of the contract, a numbered rule or an',
    'invariant has no test.',
    '',
    ...all.map(({ file, title }) => `- [${title}](${file})`),
    '',
  ].join('\n');
  return new Map([['README.md', index], ...all.map(({ file, text }) => [file, text] as const)]);
};

/** Returns the parts that no test cites. */
export const partsWithoutTest = (tests: readonly Test[], documentation: Documentation): string[] => {
  const cited = new Set(tests.flatMap(({ cites }) => [...cites]));
  return partsToShow(documentation).flatMap(({ key, title }) => (cited.has(key) ? [] : [`${key}: ${title}`]));
};
