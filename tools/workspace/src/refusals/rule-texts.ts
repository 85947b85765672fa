import { fieldRules } from '@xs2a/refusals/field-rules';
import { type RuleReference, ruleOf } from '@xs2a/refusals/rule-table';
import type { Rule, RuleTexts } from '@xs2a/refusals/rules';
import { type Section, splitSections, toAnchor } from '../references.js';
import { readText, repositoryFiles } from '../sources.js';

/** The greatest length of a rule's text. */
const maxLength = 600;

/** Reduces Markdown to text: links to their words, without emphasis. Code stays in backticks. */
const plain = (text: string): string =>
  text
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/(^|\W)_([^_]+)_(?=\W|$)/g, '$1$2')
    .replaceAll('\\|', '|')
    .replaceAll(/\s+/g, ' ')
    .trim();

const beginsWith = (text: string, at: string): boolean => text.replaceAll('`', '').startsWith(at);

const cellsOf = (line: string): string[] =>
  line
    .replace(/^\||\|\s*$/g, '')
    .split(/(?<!\\)\|/)
    .map(plain);

/** A row as a sentence: the first cell and the second. In a table of conditions, the second one says what else happens. */
const rowText = (lines: readonly string[], row: number): string => {
  let first = row;
  while (lines[first - 1]?.startsWith('|') === true) first -= 1;
  const [subject = '', otherwise] = cellsOf(lines[first] ?? '');
  const [name = '', rule = ''] = cellsOf(lines[row] ?? '');
  return otherwise === 'else' ? `${subject} ${name}, else ${rule}` : `${name}: ${rule}`;
};

const sentencesOf = (text: string): string[] => plain(text).split(/(?<=\.)\s+(?=[A-Z`])/);

/** The blocks of a section that are no tables: paragraphs and items of lists. */
const blocksOf = (text: string): string[] =>
  text
    .split(/\n\s*\n|\n(?=(?:- |\d+\. ))/)
    .map((block) => block.trim().replace(/^(?:- |\d+\. )/, ''))
    .filter((block) => block !== '' && !block.startsWith('|'));

const sentencesAt = (text: string, { at, sentences = 1 }: RuleReference): string | undefined => {
  for (const block of blocksOf(text)) {
    const all = sentencesOf(block);
    const first = all.findIndex((sentence) => beginsWith(sentence, at));
    if (first !== -1) return all.slice(first, first + sentences).join(' ');
  }
  return undefined;
};

const textAt = (section: Section, reference: RuleReference): string | undefined => {
  const lines = section.text.split('\n');
  const row = lines.findIndex(
    (line) => line.startsWith('|') && beginsWith(cellsOf(line)[0] ?? '', reference.at),
  );
  return row === -1 ? sentencesAt(section.text, reference) : rowText(lines, row);
};

/** Returns the page of `contract 3` or `spec 1.4`. */
const pageOf = (rule: string): string | undefined => {
  const [, kind, number = ''] = /^(contract|spec) (\d+)/.exec(rule) ?? [];
  const name = kind === 'contract' ? `docs/contract/${number.padStart(2, '0')}-` : `docs/rules/${number}-`;
  return repositoryFiles().find((file) => file.startsWith(name));
};

const sectionOf = (page: string, { rule, section }: RuleReference): Section | undefined => {
  const sections = splitSections(page);
  const [, part] = /^spec (\d+\.\d+)$/.exec(rule) ?? [];
  if (part !== undefined) return sections.find(({ title }) => title.startsWith(`${part} `));
  return section === '' ? sections[0] : sections.find(({ title }) => title === section);
};

/** Returns a rule with its text. Throws if the pages do not have it. */
export const readRule = (reference: RuleReference): Rule => {
  const { rule } = reference;
  const page = pageOf(rule);
  const section = page === undefined ? undefined : sectionOf(readText(page), reference);
  const text = section === undefined ? undefined : textAt(section, reference);
  if (page === undefined || section === undefined || text === undefined)
    throw new Error(`${rule}, ${reference.section ?? ''} has no text that begins with “${reference.at}”`);
  if (text.length > maxLength) throw new Error(`${rule}: the text “${reference.at}” is too long`);
  const title = section.title.replace(/^(?:\d+\.\d+|Contract \d+:|Spec \d+:) /, '');
  return { rule, title, page, anchor: toAnchor(section.title), text };
};

const readAll = <Name extends string>(
  references: Readonly<Record<Name, RuleReference>>,
): Readonly<Record<Name, Rule>> =>
  Object.fromEntries(
    Object.entries<RuleReference>(references).map(([name, reference]) => [name, readRule(reference)]),
  ) as Record<Name, Rule>;

/** Returns the content of libs/refusals/src/generated/rules.json. */
export const ruleTexts = (): RuleTexts => ({ failures: readAll(ruleOf), fields: readAll(fieldRules) });
